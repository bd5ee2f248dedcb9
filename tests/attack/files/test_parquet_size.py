"""Parquet files of packets that unpack to far more than they have: refused before their rows are made."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.machine import parquet_size
from jumpnet.machine.dependence_file import read_dependent
from jumpnet.machine.parquet_size import chunks

pyarrow = pytest.importorskip("pyarrow")
ROWS = 100
LONG = 50_000_000


def _write(path: Path, **columns: Any) -> Path:
    """100 packets to the next router, with other columns in place of some."""
    import pyarrow.parquet

    numbers = {"id": range(ROWS), "cycle": [0] * ROWS, "source": [0] * ROWS, "destination": [1] * ROWS}
    table = {name: pyarrow.array(values, pyarrow.int64()) for name, values in numbers.items()}
    table |= {"flits": pyarrow.array([4] * ROWS), "after": pyarrow.nulls(ROWS, pyarrow.string())}
    pyarrow.parquet.write_table(pyarrow.table(table | columns), path, compression="zstd")
    return path


def _everywhere(text: str) -> Any:
    """A column with one text in all rows, which the file has once."""
    return pyarrow.DictionaryArray.from_arrays(pyarrow.array([0] * ROWS, pyarrow.int32()), pyarrow.array([text]))


@pytest.mark.parametrize("column", ["id", "after"])
def test_one_long_text_in_all_rows(tmp_path: Path, column: str) -> None:
    """30 kB took more than a minute, and gigabytes."""
    path = _write(tmp_path / "d.parquet", **{column: _everywhere("0 " * (LONG // 2))})
    assert path.stat().st_size < LONG / 100
    with pytest.raises(
        JumpnetError, match=f"d.parquet: {ROWS * LONG} bytes of text found, at most 2147483648 expected"
    ):
        read_dependent(path)


def test_lists_of_texts_count_too(tmp_path: Path) -> None:
    offsets = pyarrow.array(range(ROWS + 1), pyarrow.int32())
    lists = pyarrow.ListArray.from_arrays(offsets, pyarrow.array(["1"] * ROWS))
    assert read_dependent(_write(tmp_path / "d.parquet", after=lists)).first[-1] == ROWS
    lists = pyarrow.ListArray.from_arrays(offsets, _everywhere("1" * LONG))
    with pytest.raises(JumpnetError, match="bytes of text found"):
        read_dependent(_write(tmp_path / "d.parquet", after=lists))


def test_more_numbers_than_a_text_could_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    after = pyarrow.array([[1] * 1000] * ROWS)
    path = _write(tmp_path / "d.parquet", after=after)
    assert read_dependent(path).first[-1] == ROWS * 1000
    monkeypatch.setattr(parquet_size, "MOST_BYTES", 30_000)
    with pytest.raises(JumpnetError, match=r"d.parquet: \d+ bytes unpacked found, at most 180000 expected"):
        read_dependent(path)


@pytest.mark.parametrize("column", ["id", "after"])
def test_columns_of_other_types(tmp_path: Path, column: str) -> None:
    numbers = pyarrow.array([1] * ROWS)
    wide = pyarrow.array([b"1" * 100] * ROWS, pyarrow.binary(100))
    for other in (pyarrow.StructArray.from_arrays([numbers], ["a"]), wide, pyarrow.array([[[1]]] * ROWS)):
        with pytest.raises(JumpnetError, match=f"d.parquet: column '{column}' of .* found, whole numbers expected"):
            read_dependent(_write(tmp_path / "d.parquet", **{column: other}))


def test_the_footer_is_read_as_pyarrow_reads_it(tmp_path: Path) -> None:
    import pyarrow.parquet as parquet

    file = tmp_path / "t.parquet"
    table = pyarrow.table({"id": range(1000), "after": [[1, 2]] * 1000, "s": ["é"] * 1000})
    for compression in ("snappy", None):
        parquet.write_table(table, file, row_group_size=300, compression=compression)
        about = parquet.ParquetFile(file).metadata
        parts = [about.row_group(k).column(c) for k in range(about.num_row_groups) for c in range(about.num_columns)]
        said = [(p.path_in_schema.partition(".")[0], p.num_values, p.total_uncompressed_size) for p in parts]
        assert chunks(file) == said and len(said) == 12
    whole = file.read_bytes()
    footer = len(whole) - 8 - int.from_bytes(whole[-8:-4], "little")
    for k in range(footer, len(whole) - 8):  # whatever byte is another, an answer or a line
        file.write_bytes(whole[:k] + bytes([whole[k] ^ 0x55]) + whole[k + 1 :])
        with suppress(JumpnetError):
            chunks(file)
    file.write_bytes(whole[:-8] + (1 << 31).to_bytes(4, "little") + b"PAR1")
    with pytest.raises(JumpnetError, match="a footer of 2147483648 bytes found in a Parquet file"):
        chunks(file)


def test_pyarrow_is_not_asked_for_what_ends_the_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It throws, and catches nothing, where statistics of a column do not fit: only schema and rows are asked of it."""
    import pyarrow.parquet as parquet

    file = tmp_path / "t.parquet"
    parquet.write_table(pyarrow.table({"id": [1, 2]}), file)
    with parquet.ParquetFile(file) as table:
        asked = SimpleNamespace(schema_arrow=table.schema_arrow)
    parquet_size.require_plain(asked, file, ["id"], "after")
    monkeypatch.setattr(parquet_size, "MOST_BYTES", 3)
    with pytest.raises(JumpnetError, match=r"t.parquet: \d+ bytes unpacked found, at most 3 expected"):
        parquet_size.require_plain(asked, file, ["id"], "after")
