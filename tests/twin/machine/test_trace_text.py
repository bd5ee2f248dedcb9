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
QUOTED = ['"1"', '"1', '1"', '""', '"a,b"', '"0x"']
CELL = NUMBER | st.sampled_from(["", " ", "true", "tru", "falsehood", "2", "0x1", "1 2", "-1", *QUOTED])
MARK = st.sampled_from(["I", "L", "S", "M", "0", "1", "2", "3", "X", "==", "--", ""])
ODD = st.builds("".join, st.tuples(BLANK, MARK, BLANK, NUMBER, st.sampled_from([",", " ", ""]), NUMBER, BLANK))
ODD_CELLS = st.lists(CELL, min_size=1, max_size=5).map(",".join)
WORDS = st.sampled_from(["", "  ", "==1== text", "x" * 4095, "1 " + "f" * 5000])
LINES = {
    "lackey": st.builds("".join, st.tuples(st.sampled_from([" L ", " S ", " M ", "I  "]), st.sampled_from(
        ["1ffe,8", "0,1", "04001000,3", "ffffffffffffffff,4", "20,16384", "20,4 "]))),
    "din": st.builds("".join, st.tuples(st.sampled_from("012"), st.sampled_from([" 10", " 0x20 text", "\tFf\r"]))),
    "din-proc": st.builds("".join, st.tuples(st.sampled_from("012"), st.sampled_from([" 10 3", " 0x20 0 x", " f 99"]))),
    "csv": st.builds(",".join, st.tuples(
        st.sampled_from(["64", "0x4F", " 0X7 ", "281474976710655"]), st.sampled_from(["0", " 1 ", "True", '"false"']),
        st.sampled_from(["", "-", "a b", '"a,b" ', '"say ""0,1"""']), st.sampled_from(["0", "3 ", "99", ' "7" ']))),
}  # fmt: skip
HEADS = {"csv": "address,is_write,note,proc\n"}


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
    limit = 1 if form in ("lackey", "din") else 1 << 14
    bad = [k for k, row in enumerate(expected) if row[1] > (1 << 48) - row[2] or row[0] >= limit or row[2] > 1 << 14]
    if bad:
        assert f"record {bad[0]}: " in wrong
        return
    assert found == expected
    assert f"line {line} (offset {len(''.join(text.splitlines(True)[: line - 1]))})" in wrong if line else not wrong


@pytest.mark.parametrize("form", sorted(LINES))
def test_lines_equal_the_naive_twin(form, tmp_path_factory) -> None:
    path = tmp_path_factory.mktemp("text") / "t"

    others = ODD_CELLS if form == "csv" else ODD

    @given(st.lists(LINES[form] | st.sampled_from(["", "  "]), min_size=1, max_size=30), others | LINES[form] | WORDS,
           st.sampled_from([1, 7, 4096]), st.booleans())  # fmt: skip
    def check(lines, odd, chunk, ended) -> None:
        text = HEADS.get(form, "") + "\n".join([*lines, odd, *lines]) + ended * "\n"
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


def test_columns_of_a_csv_are_named_by_its_first_line(tmp_path) -> None:
    """In any order, in letters small or large, as a spreadsheet or pandas writes them; others are passed over."""
    path = tmp_path / "a.csv"
    path.write_text('\ufeff"Kind",note,ADDRESS,proc,is_write,size\r\n0,x,64,1,False,8\r\n4,,0x80,0,1,2\r\n', "utf-8")
    trace = open_trace(path)
    (block,) = trace.blocks()
    assert trace.processors is None and block.kind.tolist() == [0, 4] and block.size.tolist() == [8, 2]
    assert (block.proc.tolist(), block.address.tolist(), block.is_write.tolist()) == ([1, 0], [64, 128], [False, True])
    for head in ("proc,address", "proc,proc,address,is_write", "1,64,0", "proc,address,is_write"):
        path.write_text(head + "\n" * (head != "proc,address,is_write"))
        with pytest.raises(JumpnetError, match=r"^a\.csv: '.*' found, columns proc,address,is_write, and maybe size"):
            open_trace(path)
    path.write_text("proc,address,is_write\n0,64,2\n")
    with pytest.raises(JumpnetError, match=r"^a\.csv: line 2 \(offset 22\): '0,64,2' found, `proc,address,is_w"):
        list(open_trace(path).blocks())
    for kind, found in (("900", "line 2 .*'0,64,1,900' found"), ("9", "record 0: kind 9 found, 0 to 5 expected")):
        path.write_text(f"proc,address,is_write,kind\n0,64,1,{kind}\n")
        with pytest.raises(JumpnetError, match=rf"^a\.csv: {found}"):
            list(open_trace(path).blocks())


@pytest.mark.parametrize("place", range(2))
@pytest.mark.parametrize("number", [2**63 - 8, 2**63, 2**64, 10**19 - 1, 5 * 2**64 + 64, 10**20 - 1])
def test_numbers_that_are_too_large_are_refused_with_what_may_be(place, number, tmp_path) -> None:
    """5 * 2**64 + 64 was taken as 64, 10**20 - 1 as a processor of another number, and of 2**64 no limit was said."""
    path, cells = tmp_path / "a.csv", ["0", "64", "1", "4"]
    cells[place] = str(number)
    path.write_text("proc,address,is_write,size\n" + ",".join(cells) + "\n")
    limits = r"proc below 16384, address below 2\*\*48, is_write 0 or 1, size 1 to 16384, expected"
    with pytest.raises(JumpnetError, match=rf"^a\.csv: line 2 .* '{','.join(cells)}' found, .* numbers, {limits}$"):
        list(open_trace(path).blocks())


@pytest.mark.parametrize(("form", "line"), [("csv", "0x,1,,0"), ("lackey", " L 0x,4"), ("din", "0 0x x")])
def test_a_mark_without_digits_is_no_number(form, line, tmp_path) -> None:
    """It counted as address 0."""
    (tmp_path / "t").write_text(HEADS.get(form, "") + line + "\n")
    with pytest.raises(JumpnetError, match=r"0x.* found"):
        list(open_trace(tmp_path / "t", form).blocks())


@pytest.mark.parametrize(
    ("head", "meant"),
    [
        ("proc,adress,is_write", "'adress' for 'address'"),
        ("procs,addr,write", "'procs' for 'proc', 'addr' for 'address', 'write' for 'is_write'"),
        ("proc,address,is_write,sise", "'sise' for 'size'"),
    ],
)
def test_a_column_with_a_slip_in_its_name_is_not_passed_over(head, meant, tmp_path) -> None:
    (tmp_path / "a.csv").write_text(head + "\n")
    with pytest.raises(JumpnetError, match=rf"; {meant} meant\?$"):
        open_trace(tmp_path / "a.csv")
