"""Tables of packets that wait for each other: bounded while they are read, and whole numbers alone are numbers."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine import dependence_file
from jumpnet.machine.dependence_file import COLUMNS, _whole, read_dependent
from jumpnet.machine.dependences import replay

ROWS = [(k, 0, 0, 1, 1, "") for k in range(50)]


def _written(folder: Path, kind: str) -> Path:
    file = folder / f"d.{kind}"
    frame = pandas.DataFrame(ROWS, columns=list(COLUMNS))
    frame.to_parquet(file) if kind == "parquet" else frame.to_csv(file, index=False)
    return file


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_memory_is_asked_for_while_a_table_is_read(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _written(tmp_path, kind)
    monkeypatch.setattr(dependence_file, "LOOK_PACKETS", 10)
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "5000")
    with pytest.raises(JumpnetError, match=r"^30 packets with their dependences needs about 6.0 kB of memory, 5.0 kB"):
        read_dependent(file)


def test_memory_for_a_text_is_asked_for_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _written(tmp_path, "csv")
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "1000")
    monkeypatch.setattr(dependence_file, "read_text", None)
    with pytest.raises(JumpnetError, match=r"d\.csv: its text needs about"):
        read_dependent(file)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_more_packets_than_there_may_be(tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = _written(tmp_path, kind)
    monkeypatch.setattr(dependence_file, "MAX_PACKETS", 49)
    with pytest.raises(JumpnetError, match=f"d.{kind}: .* found, at most 49 expected"):
        read_dependent(file)


def test_an_error_without_words_is_one_line_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wordless(*args: object, **named: object) -> None:
        raise OSError

    arrow, _ = dependence_file.library()
    monkeypatch.setattr(dependence_file, "library", lambda: (arrow, SimpleNamespace(ParquetFile=wordless)))
    with pytest.raises(JumpnetError, match=r"d\.parquet: no whole Parquet file found: OSError"):
        read_dependent(_written(tmp_path, "parquet"))


@pytest.mark.parametrize("value", ["1_000", b"12", Decimal("3.7"), Decimal("NaN"), 3.7, True, "", "３", "1e3", None])
def test_what_is_no_whole_number_is_refused(value: Any) -> None:
    with pytest.raises((ValueError, OverflowError)):
        _whole(value)


def test_decimals_of_a_table_are_not_cut(tmp_path: Path) -> None:
    file = tmp_path / "d.parquet"
    for cycle in ("3.0", "3.7"):
        pandas.DataFrame([(0, Decimal(cycle), 0, 1, 1, "")], columns=list(COLUMNS)).to_parquet(file)
        if cycle == "3.0":
            assert read_dependent(file).cycle.tolist() == [3]
    with pytest.raises(JumpnetError, match="whole numbers expected"):
        read_dependent(file)


def test_a_header_of_five_names_goes_with_rows_of_five(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("id,cycle,source,destination,flits\n0,7,0,1,1\n", encoding="ascii")
    assert read_dependent(tmp_path / "d.csv").cycle.tolist() == [7]


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            ["3,0,0,1,1,1", "1,0,0,1,1,2", "2,0,1,0,1,1"],
            "2 packets wait for each other in a ring: .*; with all that wait for those, 3 are never sent",
        ),
        (["a,0,0,1,1"], r"d\.csv:1: 'a,0,0,1,1' found, .* as whole numbers expected"),
        (["7,0,0,99,1"], "packet 7: destination 99 found, 0 to 15 expected: torus:4x4 has 16 terminals"),
    ],
)
def test_packets_are_named_by_their_ids(tmp_path: Path, lines: list[str], said: str) -> None:
    (tmp_path / "d.csv").write_text("\n".join(lines))
    with pytest.raises(JumpnetError, match=said) as caught:
        replay(read_dependent(tmp_path / "d.csv"), "torus:4x4")
    assert "ring" not in said or {"1 -> 2", "2 -> 1"} & {str(caught.value).split("ring: ")[1].split(";")[0]}


def test_a_header_says_the_order_and_a_byte_order_mark_is_none_of_it(tmp_path):
    usual, other = tmp_path / "usual.csv", tmp_path / "other.csv"
    usual.write_text("id,cycle,source,destination,flits,after\n0,5,1,2,4,\n1,6,2,3,8,0\n")
    other.write_bytes("\ufeffafter,flits,id,source,destination,cycle\n,4,0,1,2,5\n0,8,1,2,3,6\n".encode())
    one, two = read_dependent(usual), read_dependent(other)
    for name in ("cycle", "source", "destination", "flits", "first", "waiting"):
        assert getattr(one, name).tolist() == getattr(two, name).tolist()
    short = tmp_path / "short.csv"
    short.write_text("flits,id,source,destination,cycle\n4,0,1,2,5\n")
    assert read_dependent(short).cycle.tolist() == [5]
    short.write_text("after,flits,id,source,destination,cycle\n4,0,1,2,5\n")
    with pytest.raises(JumpnetError, match=r"short\.csv:2"):
        read_dependent(short)


def test_cells_in_quotes_are_read_as_others(tmp_path: Path) -> None:
    """As R, or a data frame written with quotes around all, has them."""
    plain, quoted = tmp_path / "plain.csv", tmp_path / "quoted.csv"
    frame = pandas.DataFrame([(*row[:5], after) for row, after in zip(ROWS[:3], ("", "0", "0 1"), strict=True)])
    frame.to_csv(plain, index=False, header=list(COLUMNS))
    frame.to_csv(quoted, index=False, header=list(COLUMNS), quoting=1)
    assert '"0 1"' in quoted.read_text() and '"id"' in quoted.read_text()
    one, two = read_dependent(plain), read_dependent(quoted)
    assert two.waiting.tolist() == one.waiting.tolist() == [1, 2, 2] and two.first.tolist() == one.first.tolist()


@pytest.mark.parametrize(("kind", "after"), [("csv", "[0, 1]"), ("csv", "0|1"), ("parquet", "0;1"), ("parquet", "0 x")])
def test_ids_apart_by_something_else_say_what_is_expected(tmp_path: Path, kind: str, after: str) -> None:
    frame = pandas.DataFrame([*ROWS[:2], (*ROWS[2][:5], after)], columns=list(COLUMNS))
    file = tmp_path / f"d.{kind}"
    frame.to_parquet(file) if kind == "parquet" else frame.to_csv(file, index=False)
    with pytest.raises(JumpnetError, match="as whole numbers expected") as caught:
        read_dependent(file)
    assert str(caught.value).endswith(", with blanks between the ids of `after`") == (after != "0 x")
