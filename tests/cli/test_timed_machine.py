"""`jumpnet machine --timed`: keys that add up, and what it does not know refused in one line."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.errors import JumpnetError

RUN = ("machine", "workload:lu,processors=8,n=16", "--network", "torus:2x2", "--clusters-of", "2")


def test_stalls_add_up_to_the_cycles() -> None:
    result = CliRunner().invoke(app("machine"), [*RUN, "--timed", "--json"])
    row = json.loads(result.output)
    parts = ("busy", "read_stall", "write_stall", "sync_stall", "idle")
    assert sum(row[key] for key in parts) == pytest.approx(row["cycles"])
    assert row["cycles"] > row["direct_cycles"] > 0 and row["references"] > 0
    plain = json.loads(CliRunner().invoke(app("machine"), [*RUN, "--json"]).output)
    assert "cycles" not in plain and plain["messages"] == row["messages"]


@pytest.mark.parametrize(
    ("words", "match"),
    [
        (("--protocol", "mixed"), "'mixed'"),
        (("--caches", "16K,4"), "--timed with --caches found"),
        (("--place", "hops"), "--timed found with --place"),
        (("--placement", "interleaved"), "placement 'interleaved' found, first-touch or round-robin expected"),
    ],
)
def test_what_it_does_not_know_is_refused(words, match) -> None:
    refused = CliRunner().invoke(app("machine"), [*RUN, "--timed", *words]).exception
    assert isinstance(refused, JumpnetError) and match in str(refused) and "\n" not in str(refused)


def test_without_a_network() -> None:
    refused = CliRunner().invoke(app("machine"), [*RUN[:2], "--timed"]).exception
    assert isinstance(refused, JumpnetError) and "--timed found without --network" in str(refused)
