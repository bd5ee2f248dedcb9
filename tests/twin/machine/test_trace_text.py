"""Lines of the text formats are read as the naive twin reads them, wherever the pieces of the file end."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import traces as naive

from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import open_trace
from jumpnet.machine.trace import text as text_formats

BLANK = st.sampled_from(["", " ", "  ", "\t", "\r"])
NUMBER = st.sampled_from(
    [
        "0",
        "7f",
        "0x1F",
        "ffffffffffff",
        "10000",
        "16384",
        "16385",
        "0x",
        "g",
        "-1",
        "9" * 30,
        "9223372036854775799",
        "9223372036854775810",
        "f" * 16,
        "1" + "0" * 16,
        "0" * 20 + "1",
    ]
)
MARK = st.sampled_from(["I", "L", "S", "M", "0", "1", "2", "3", "X", "==", "--", ""])
ODD = st.builds("".join, st.tuples(BLANK, MARK, BLANK, NUMBER, st.sampled_from([",", " ", ""]), NUMBER, BLANK))
WORDS = st.sampled_from(["", "  ", "==1== text", "x" * 4095, "1 " + "f" * 5000])
LINES = {
    "lackey": st.builds("".join, st.tuples(st.sampled_from([" L ", " S ", " M ", "I  "]), st.sampled_from(
        ["1ffe,8", "0,1", "04001000,3", "ffffffffffffffff,4", "20,16384", "20,4 "]))),
    "din": st.builds("".join, st.tuples(st.sampled_from("012"), st.sampled_from([" 10", " 0x20 text", "\tFf\r"]))),
    "din-proc": st.builds("".join, st.tuples(st.sampled_from("012"), st.sampled_from([" 10 3", " 0x20 0 x", " f 99"]))),
}  # fmt: skip


def assert_same_streams(path, text, form, chunk, monkeypatch) -> None:
    monkeypatch.setattr(text_formats, "CHUNK", chunk)
    path.write_bytes(text.encode("ascii"))
    found, wrong = [], ""
    try:
        for block in open_trace(path, form).blocks():
            found += zip(*(column.tolist() for column in block[:4]), strict=True)
    except JumpnetError as error:
        wrong = str(error)
    expected, line = naive.text_records(text, form)
    limit = 1 if form != "din-proc" else 1 << 14
    bad = [k for k, row in enumerate(expected) if row[1] > (1 << 48) - row[2] or row[0] >= limit]
    if bad:
        assert f"record {bad[0]}: " in wrong
        return
    assert found == expected
    assert f"line {line} (offset {len(''.join(text.splitlines(True)[: line - 1]))})" in wrong if line else not wrong


@pytest.mark.parametrize("form", sorted(LINES))
def test_lines_equal_the_naive_twin(form, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("text") / "t"

    @given(st.lists(LINES[form] | st.sampled_from(["", "  "]), min_size=1, max_size=30), ODD | LINES[form] | WORDS,
           st.sampled_from([1, 7, 4096]), st.booleans())  # fmt: skip
    def check(lines, odd, chunk, ended) -> None:
        text = "\n".join([*lines, odd, *lines]) + ended * "\n"
        with pytest.MonkeyPatch.context() as patch:
            assert_same_streams(path, text or "\n", form, chunk, patch)

    check()


def test_more_lines_than_a_block_holds(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(text_formats, "BLOCK", 1000)
    (tmp_path / "a.lackey").write_text("".join(f" M {8 * k:x},8\n" for k in range(1700)))
    blocks = list(open_trace(tmp_path / "a.lackey").blocks())
    assert [len(block.proc) for block in blocks] == [1000, 1000, 1000, 400]
    assert [a for block in blocks for a in block.address.tolist()] == [8 * (k // 2) for k in range(3400)]
    assert [w for block in blocks for w in block.is_write.tolist()] == [False, True] * 1700
