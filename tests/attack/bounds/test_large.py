"""Large and lawful networks: an answer in little memory, or a refusal with its estimate, before the work."""

from __future__ import annotations

import json
import resource
import subprocess
import sys

import numpy as np
import pytest
from tests.attack.command_line.command import HANGS

from jumpnet.graph._chain import chain_distances, places_on_chain
from jumpnet.graph.bisection import bisection
from jumpnet.graph.distances import distance_counts
from jumpnet.graph.metrics import metrics
from jumpnet.graph.spectrum import fiedler
from jumpnet.graph.structure import structure
from jumpnet.topology import build, family

ADDRESSES = 5 << 30
"""Bytes of address space; of them the libraries reserve more than they use."""


def _small(*words: str) -> subprocess.CompletedProcess[str]:
    """A command with ADDRESSES and no more."""
    return subprocess.run(
        [sys.executable, "-m", "jumpnet", *words], capture_output=True, text=True, timeout=HANGS,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES)),
    )  # fmt: skip


def test_a_path_of_many_routers() -> None:
    """Half as many searches, each of all routers, before."""
    found = _small("metrics", "mesh:200000", "--structure", "--json")
    assert found.returncode == 0, found.stderr
    row = json.loads(found.stdout)
    assert (row["diameter"], row["radius"], row["searches"]) == (199_999, 100_000, 1)
    assert (row["bisection_exact"], row["bisection_lower"], row["straight_cut"]) == (1, 1, 1)
    assert (row["vertex_transitive"], row["edge_transitive"]) == (False, False)
    assert abs(row["algebraic_connectivity"] - (2 * np.sin(np.pi / 4e5)) ** 2) < 1e-20


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["metrics", "torus:1030x1030", "--structure"], "1048576 expected for a bisection"),
        (["prove", "hypermesh:256", "--routing", "minimal:ports=all"], "at most 4 GiB expected"),
        (["degrade", "mesh:200000", "--faults", "0", "--seeds", "1", "--no-simulate"], "needs tables of"),
        (["simulate", "complete:100000", "--load", "0.1"], "of memory"),
    ],
)
def test_too_much_is_refused_before_it_begins(words: list[str], said: str) -> None:
    found = _small(*words)
    assert found.returncode == 2 and said in found.stderr.splitlines()[-1], found.stderr


@pytest.mark.parametrize("spec", ["complete:20000", "hypercube:20", "torus:2000x2000"])
def test_large_networks_are_searched_without_tables(spec: str) -> None:
    assert metrics(family(spec)).searches == 1


@pytest.mark.parametrize("spec", ["mesh:2", "mesh:3", "mesh:8", "mesh:9", "torus:3", "torus:8", "torus:9", "mesh:4097"])
def test_paths_and_rings_equal_searches(spec: str) -> None:
    net = build(spec)
    want = distance_counts(net, np.arange(net.routers))
    place = places_on_chain(net.neighbor, net.directed)
    if net.routers == 2:
        assert place is None
        return
    assert place is not None
    counts, far = chain_distances(place)
    assert tuple(counts.tolist()) == want.counts and far.tolist() == want.eccentricity.tolist()
    got = distance_counts(net)
    assert (got.counts, got.terminal_counts) == (want.counts, want.terminal_counts)
    assert got.searches == (1 if spec == "mesh:4097" else got.searched.size)


@pytest.mark.parametrize("spec", ["star:3", "tree:2,height=2", "torus:3x3", "kautz:2,n=2,directed=true"])
def test_what_is_no_path_and_no_ring(spec: str) -> None:
    net = build(spec)
    ring = spec == "star:3"
    assert (places_on_chain(net.neighbor, net.directed) is not None) == ring


def test_parts_and_loops_are_no_path() -> None:
    two = np.array([[1, 2], [0, 2], [0, 1], [4, -1], [3, -1]])
    assert places_on_chain(two.astype(np.int32), False) is None
    loops = np.array([[0, 1], [0, 2], [1, 2]])
    assert places_on_chain(loops.astype(np.int32), False) is None


def test_a_network_in_one_piece_is_cut_somewhere() -> None:
    """The eigenvalue of a long path is too small for a bound."""
    found = bisection(build("mesh:100000"))
    assert (found.exact, found.lower) == (1, 1) and found.method == "bounds meet: straight cut, in one piece"
    assert fiedler(build("mesh:3000")).residual < 1e-12


def test_the_structure_says_what_it_is_at() -> None:
    said: list[str] = []
    structure(build("torus:4x4"), say=said.append)
    assert said == ["bisection and its eigenvalue", "algebraic connectivity", "wiring width", "symmetry"]
