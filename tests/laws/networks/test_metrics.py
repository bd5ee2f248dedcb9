"""The Metrics object and its verb: claims of families, networks in pieces, memory refusals, bad input, JSON."""

from __future__ import annotations

import json
import sys
import tracemalloc
from fractions import Fraction
from math import log2

import numpy as np
import pytest
from tests.each import each_of

from jumpnet.cli import main
from jumpnet.errors import JumpnetError
from jumpnet.graph import metrics as module
from jumpnet.graph.distances import distances_from
from jumpnet.graph.metrics import metrics
from jumpnet.memory import SMALL, available_bytes, readable, require
from jumpnet.networks import from_links
from jumpnet.topology import build, families, family

SAMPLES = [spec for known in families().values() for spec in known.samples]

KEYS = [
    "spec", "family", "routers", "terminals", "links", "channels", "degree", "degree_min", "directed", "connected",
    "diameter", "average_distance", "average_distance_with_self", "distance_counts", "terminal_diameter",
    "average_terminal_distance", "uniform_load_bound", "radius", "eccentricity_counts", "cost_ratio", "moore_bound_gap",
    "searches",
]  # fmt: skip


def in_pieces():
    """A triangle and a pair."""
    return from_links("pieces", "drawn", 5, np.array([[0, 1], [1, 2], [2, 0], [3, 4]]))


@each_of(SAMPLES)
def test_claims_are_the_figures(spec):
    member = family(spec)
    found, claims = metrics(member), dict(member.claims())
    if not found.connected:  # a claimed diameter is then that between terminals
        claims.pop("diameter", None)
    assert claims == {key: getattr(found, key) for key in claims}


@pytest.mark.parametrize("spec", [s for s in SAMPLES if family(s).implicit() is not None])
def test_without_tables_the_figures_are_the_same(spec, monkeypatch):
    by_table = metrics(family(spec))
    monkeypatch.setattr(module, "TABLE_LIMIT_BYTES", 0)
    assert metrics(family(spec)) == by_table


def test_a_member_has_the_figures_of_its_network():
    assert metrics(family("torus:4x4")) == metrics(build("torus:4x4"))


def test_the_figures_of_a_mesh_by_hand():
    found = metrics(build("mesh:3"))
    assert (found.routers, found.links, found.channels, found.degree, found.degree_min) == (3, 2, 4, 2, 1)
    assert found.distance_counts == (3, 4, 2)
    assert (found.diameter, found.radius, found.eccentricity_counts) == (2, 1, {1: 1, 2: 2})
    assert found.average_distance == Fraction(8, 6)
    assert found.average_distance_with_self == Fraction(8, 9)
    assert found.cost_ratio == 4 / log2(3)
    assert found.uniform_load_bound == Fraction(4, 3) / Fraction(8, 6)


@pytest.mark.parametrize("spec", ["cmesh:4x2", "fattree:4", "dragonfly:2", "fly:2,n=2", "debruijn:2,n=3"])
def test_the_bound_on_uniform_load_is_that_of_all_pairs_of_terminals(spec):
    net = build(spec)
    sources, sinks = (np.repeat(np.arange(net.routers), ends).tolist() for ends in (net.terminals, net.sinks))
    hops, pairs = 0, 0
    for k, a in enumerate(sources):
        far = distances_from(net, a)
        for j, b in enumerate(sinks):
            if sources == sinks and k == j:
                continue
            hops, pairs = hops + int(far[b]), pairs + 1
    assert metrics(net).uniform_load_bound == Fraction(net.channels, len(sources)) / Fraction(hops, pairs)


def test_switches_without_terminals_count_for_routers_only():
    star = from_links("star", "drawn", 4, np.array([[0, 1], [0, 2], [0, 3]]))
    ends = np.array([0, 2, 1, 0], np.int32)
    found = metrics(type(star)(**{**vars(star), "terminals": ends, "sinks": ends}))
    assert found.average_distance == Fraction(6 * 1 + 6 * 2, 12)
    assert (found.terminals, found.terminal_diameter, found.average_terminal_distance) == (3, 2, 2)


def test_a_network_in_pieces():
    found = metrics(in_pieces())
    assert not found.connected
    assert found.distance_counts == (5, 8)
    for key in ("diameter", "average_distance", "radius", "eccentricity_counts", "cost_ratio", "moore_bound_gap"):
        assert getattr(found, key) is None
    with pytest.raises(JumpnetError, match="pieces: some routers cannot reach each other"):
        metrics(in_pieces(), require_connected=True)


def test_keys_in_order_and_json():
    found = metrics(build("rdt:8")).to_dict()
    assert list(found) == KEYS
    assert json.loads(json.dumps(found)) == found
    assert isinstance(found["average_distance"], float)
    assert sum(found["eccentricity_counts"].values()) == 64
    json.dumps(metrics(in_pieces()).to_dict())


@pytest.mark.parametrize("spec", ["rdt:256", "rdt:4096", "random:4096,d=8", "hyperx:60x60"])
def test_a_job_too_big_is_refused_with_its_estimate(spec, monkeypatch):
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "1000000")
    member = family(spec)
    monkeypatch.setattr(type(member), "build", lambda self: pytest.fail("it was started"))
    with pytest.raises(JumpnetError, match=r"needs about [\d.,]+ [kMGT]B of memory, 1.0 MB available"):
        metrics(member)


@pytest.mark.parametrize("spec", ["mesh:3000x3000", "srt1d:4194304", "mesh:40000x40000"])
def test_what_is_refused_took_no_memory_before(spec, monkeypatch):
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "140000000")
    tracemalloc.start()
    try:
        with pytest.raises(JumpnetError, match=rf"{spec}.* needs about [\d.,]+ [MG]B of memory, 140.0 MB available"):
            metrics(family(spec))
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


def test_weeks_of_searches_are_refused(monkeypatch):
    monkeypatch.setattr(module, "TABLE_LIMIT_BYTES", 0)
    monkeypatch.setattr(module, "VISIT_LIMIT", 255)
    with pytest.raises(JumpnetError, match="mesh:8x8 of 64 routers needs 16 searches, at most 3 expected"):
        metrics(family("mesh:8x8"))


def test_more_routers_than_numbers_for_them_are_refused():
    with pytest.raises(JumpnetError, match=r"routers found, fewer than 2\^62 expected"):
        metrics(family("torus:4294967296x4294967296"))


def test_a_search_too_big_is_refused(monkeypatch):
    net = build("mesh:64x64")
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "10000")
    with pytest.raises(JumpnetError, match=r"the search of 4,096 routers needs about"):
        metrics(net)


def test_memory_limit_and_readable_bytes(monkeypatch):
    assert readable(999) == "999 bytes"
    assert readable(123_456) == "123.5 kB"
    assert readable(5e15) == "5,000.0 TB"
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "77")
    assert available_bytes() == 77
    require(77, "just enough")
    with pytest.raises(JumpnetError, match="a byte more needs about 78 bytes of memory, 77 bytes available"):
        require(78, "a byte more")
    monkeypatch.delenv("JUMPNET_MEMORY_LIMIT")
    monkeypatch.setattr("jumpnet.memory.available_bytes", lambda: 1)
    require(SMALL, "what is not asked for")
    with pytest.raises(JumpnetError, match=r"a byte more needs about 1\.0 MB of memory, 1 bytes available"):
        require(SMALL + 1, "a byte more")
    monkeypatch.setenv("JUMPNET_MEMORY_LIMIT", "-3")
    with pytest.raises(JumpnetError, match="JUMPNET_MEMORY_LIMIT='-3' found, a positive number"):
        available_bytes()


def run(monkeypatch, capsys, *words):
    """(exit status, output, complaints) of the metrics verb."""
    monkeypatch.setattr(sys, "argv", ["jumpnet", "metrics", *words])
    status = 0
    try:
        main()
    except SystemExit as end:
        status = end.code or 0
    return status, *capsys.readouterr()


def test_the_verb_gives_one_object_a_line(monkeypatch, capsys):
    status, out, _ = run(monkeypatch, capsys, "torus:4x4", "fattree:4", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert status == 0
    assert [line["spec"] for line in lines] == ["torus:4x4", "fattree:4"]
    assert lines[0] == metrics(build("torus:4x4")).to_dict() | {"remarks": []}


def test_the_verb_gives_a_table(monkeypatch, capsys):
    status, out, _ = run(monkeypatch, capsys, "torus:4x4", "fly:2,n=2")
    assert status == 0
    assert "diameter" in out and "torus:4x4" in out
    loads = {
        line.split("│")[1].strip(): line.split("│")[2].strip()
        for line in out.splitlines()
        if " load " in line or " cost of " in line
    }
    assert loads == {
        "uniform load at most (flits a terminal and cycle)": "1.8750",
        "the same at the cost of 4 channels": "0.1172",
    }


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["torsu:4"], "did you mean 'torus'"),
        (["rdt:63"], "multiple of 2n"),
        (["torus:4x4", "torus:0"], "positive sides"),
        (["fly:2,n=2", "--connected"], "cannot reach each other"),
    ],
)
def test_bad_input_is_one_line_and_status_2(words, says, monkeypatch, capsys):
    status, out, err = run(monkeypatch, capsys, *words)
    assert status == 2
    assert out == ""
    assert says in err and err.count("\n") == 1
