"""`jumpnet simulate --trace FILE --dependences`: packets wait for what they answer, beside a replay that ignores it."""

from __future__ import annotations

import bz2
import json
import struct

import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.errors import JumpnetError


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
        (("--trace", "a.csv", "--dependences"), "--dependences with trace 'a.csv' found"),
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
