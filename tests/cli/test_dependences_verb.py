"""`jumpnet simulate --trace FILE --dependences`: packets wait for what they answer, beside a replay that ignores it."""

from __future__ import annotations

import bz2
import json
import re
import struct

import pandas
import pyarrow
import pytest
from pyarrow import parquet
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.errors import JumpnetError
from jumpnet.machine.dependence_file import COLUMNS, read_dependent
from jumpnet.machine.dependences import dependent_packets
from jumpnet.machine.trace.netrace import open_netrace


def _netrace(path, packets):
    """A file of (cycle, number, type, source, destination, those that wait) packets of 16 nodes."""
    head = struct.pack("<If30sBBQQII8x", 0x484A5455, 1.0, b"made here", 16, 0, 99, len(packets), 0, 0)
    body = b"".join(
        struct.pack(f"<QIIBBBBB{len(waiting)}I", cycle, number, 0, kind, source, to, 0, len(waiting), *waiting)
        for cycle, number, kind, source, to, waiting in packets
    )
    path.write_bytes(bz2.compress(head + body))
    return str(path)


def _run(*words: str) -> dict[str, int]:
    result = CliRunner().invoke(app("simulate"), ["simulate", *words, "--json"])
    if result.exception is not None:
        raise result.exception
    return json.loads(result.stdout.splitlines()[-1])


CHAIN = [(0, 1, 1, 0, 10, (2,)), (8, 2, 2, 10, 0, (3, 99)), (9, 3, 27, 0, 0, (4,)), (16, 4, 1, 0, 10, ())]


def test_execution_time_with_and_without_dependences(tmp_path) -> None:
    path = _netrace(tmp_path / "chain.tra.bz2", CHAIN)
    row = _run("torus:4x4", "--trace", path, "--dependences", "--set", "link_cycles=9")
    assert (row["packets"], row["packets_inside_nodes"], row["dependences"], row["dependences_unknown"]) == (4, 1, 3, 1)
    assert row["packet_latency_mean_cycles"] == row["packet_latency_mean_cycles_recorded"]
    assert row["execution_cycles"] == 3 * row["packet_latency_mean_cycles"] > row["execution_cycles_recorded"] > 16
    more = _run("torus:4x4", "--trace", path, "--dependences", "--set", "link_cycles=9", "--gap-cycles", "7")
    assert more["execution_cycles"] == row["execution_cycles"] + 3 * 7


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (("--dependences",), "--dependences with trace '' found, a netrace"),
        (("--trace", "a.txt", "--dependences"), "--dependences with trace 'a.txt' found"),
        (("--trace", "a.csv", "--dependences"), "a.csv: "),
        (("--trace", "a.bz2", "--dependences", "--events", "e"), "--events together with --dependences"),
        (("--trace", "a.bz2", "--dependences"), "no trace file 'a.bz2' found"),
        (("--gap-cycles", "3"), "--gap-cycles 3 without --dependences"),
    ],
)
def test_what_does_not_go_together(words, found) -> None:
    with pytest.raises(JumpnetError, match=found):
        _run("torus:4x4", *words)


def test_files_without_packets_are_refused(tmp_path) -> None:
    (tmp_path / "empty.csv").write_text("cycle,source,destination,flits\n")
    inside = _netrace(tmp_path / "inside.tra.bz2", [(0, 1, 1, 3, 3, ())])
    for path in (str(tmp_path / "empty.csv"), inside):
        with pytest.raises(JumpnetError, match="no packets between terminals found, one or more expected"):
            _run("torus:4x4", "--trace", path)


TABLE = """id,cycle,source,destination,flits,after
1,0,0,10,1,
2,8,10,0,1,1   # the answer
3,9,0,0,1,2    # inside the node
40,16,0,10,1,3
"""


def test_a_table_runs_as_the_netrace_of_the_same_packets(tmp_path) -> None:
    """CSV and Parquet."""
    netrace = _netrace(tmp_path / "chain.tra.bz2", [(c, k, 1, s, t, w) for c, k, _, s, t, w in CHAIN])
    (tmp_path / "chain.csv").write_text(TABLE, encoding="ascii")
    rows = [[1, 0, 0, 10, 1, []], [2, 8, 10, 0, 1, [1]], [3, 9, 0, 0, 1, [2]], [40, 16, 0, 10, 1, [3]]]
    columns = {name: [row[k] for row in rows] for k, name in enumerate(COLUMNS)}
    parquet.write_table(pyarrow.table(columns), tmp_path / "chain.parquet")
    found = [
        _run("torus:4x4", "--trace", str(tmp_path / name), "--dependences", "--set", "link_cycles=9")
        for name in ("chain.csv", "chain.parquet")
    ]
    assert (found[0]["packets"], found[0]["packets_inside_nodes"], found[0]["dependences"]) == (4, 1, 3)
    assert found[0] == found[1]
    assert set(dependent_packets(open_netrace(netrace)).flits.tolist()) == {1}
    same = _run("torus:4x4", "--trace", netrace, "--dependences", "--set", "link_cycles=9")
    assert {**found[0], "dependences_unknown": 1} == same


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1,0,0,3", "d.csv:2: '1,0,0,3' found, id,cycle,source,destination,flits,after as whole"),
        ("1,0,0,3,0,", "d.csv:2: flits 0 found, 1 to 1000000 expected"),
        ("1,-1,0,3,1,", "d.csv:2: cycle -1 found"),
        ("7,0,0,3,1,99", "d.csv: packet 7 is to wait for 99, an id that no packet has"),
        (
            "3,0,0,3,1,1;2",
            "d.csv:2: '3,0,0,3,1,1;2' found, id,cycle,source,destination,flits,after as whole numbers "
            "expected, with blanks",
        ),
        ("1,0,0,3,1,two", "d.csv:2: '1,0,0,3,1,two' found"),
        ("1,0,0,3,1,\n1,0,0,3,1,", "d.csv: two packets with number 1 found, one expected"),
        ("1,0,0,3,1,2\n2,0,3,0,1,1", "2 packets wait for each other in a ring"),
        ("1,0,0,99,1,", "packet 1: destination 99 found, 0 to 15 expected: torus:4x4 has 16 terminals"),
    ],
)
def test_a_table_that_lies_is_refused_in_one_line(tmp_path, line: str, said: str) -> None:
    (tmp_path / "d.csv").write_text(f"{','.join(COLUMNS)}\n{line}\n", encoding="ascii")
    with pytest.raises(JumpnetError, match=re.escape(said)):
        _run("torus:4x4", "--trace", str(tmp_path / "d.csv"), "--dependences")


def test_a_table_without_the_option_is_told_of_it(tmp_path) -> None:
    (tmp_path / "d.csv").write_text(f"{','.join(COLUMNS)}\n1,0,0,3,1,\n", encoding="ascii")
    with pytest.raises(JumpnetError, match=r"d\.csv:1: packets that wait for each other found, --dependences expected"):
        _run("torus:4x4", "--trace", str(tmp_path / "d.csv"))


def test_a_table_as_pandas_writes_it(tmp_path) -> None:
    """`after` as text, as numbers with gaps and as lists; in a CSV as fractions."""
    columns = {"id": [1, 2, 3], "cycle": [0, 0, 0], "source": [0, 5, 5], "destination": [5, 0, 9], "flits": [4, 1, 8]}
    found = []
    for after in ([None, 1.0, 2.0], ["", "1", "2"], [[], [1], [2]]):
        frame = pandas.DataFrame({**columns, "after": after})
        frame.to_parquet(tmp_path / "d.parquet")
        found.append(read_dependent(tmp_path / "d.parquet"))
        if not isinstance(after[0], list):
            frame.to_csv(tmp_path / "d.csv", index=False)
            found.append(read_dependent(tmp_path / "d.csv"))
    assert len(found) == 5
    for packets in found:
        assert [getattr(packets, name).tolist() for name in ("first", "waiting", "flits")] == [
            [0, 1, 2, 2], [1, 2], [4, 1, 8],
        ]  # fmt: skip
    pandas.DataFrame({**columns, "after": [0.5, 1, 2]}).to_parquet(tmp_path / "d.parquet")
    with pytest.raises(JumpnetError, match=r"d\.parquet: row 0: .* found, id,cycle,.* as whole numbers expected"):
        read_dependent(tmp_path / "d.parquet")
