"""Sharings of virtual networks that the proof calls free: no machine stands still in them, with room for one."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from jumpnet.coherence.networks.joint import Shared, prove_joint, shared_networks
from jumpnet.coherence.networks.kinds import ENDPOINTS
from jumpnet.coherence.networks.least import ring_of
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.networks import of_tables
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.routings import bind
from jumpnet.sim.config import preset
from jumpnet.topology import build

SPEC, NODES = "mesh:4x1", 4


def _crowd(seed: int):
    """Nodes of eight processors, which read and write some lines of each node at random."""
    draw, count = np.random.default_rng(seed), 2500
    address = 32 * draw.integers([12, 3, 12, 30][seed % 4], size=count) + 4096 * draw.integers(NODES, size=count)
    processor = draw.integers(8 * NODES, size=count)
    block = block_of(processor, address, 4, draw.random(count) < draw.choice([0.3, 0.6, 0.9]))
    return streams_of(Trace("made", 8 * NODES, lambda: iter([block])), clusters_of=8, placement="interleaved")


def _run(name: str, endpoints: str, networks: str, seed: int, **more: object) -> str:
    """How it stands still, or nothing."""
    how = {"encoding_name": "chained", **more} if name == "chained" else more
    how |= {"clusters_of": 8, "directory": "line", "endpoint_room": 1, "synchronisation": "free", "outstanding": 8}
    config, caches = preset("booksim", vcs=1, deadlock_cycles=400), [(64, 1), (128, 2)][seed % 2]
    how |= {"config": config, "caches": caches, "protocol": name, "endpoints": endpoints, "networks": networks}
    try:
        closed_loop(_crowd(seed), SPEC, **how)
    except JumpnetError as stands:
        assert "deadlock of nodes and network" in str(stands)
        return str(stands)
    return ""


FOUND = {
    "msi": "GetS GetM PutAck / PutM / Inv Fetch FetchInv / InvAck OwnerData / Data DataM / Done",
    "dragon": "data / done / write-back-done write-request read-request / acknowledge fetch / write-back / tell / "
              "owners-data",
}  # fmt: skip
"""What write-backs are answered with, together with requests, which do not wait for it by the tables."""


@pytest.mark.parametrize(("name", "seed"), [("msi", 2), ("dragon", 1)])
def test_requests_do_not_wait_for_what_write_backs_are_answered_with(name, seed) -> None:
    assert _run(name, "held", FOUND[name], seed) == ""


def test_the_first_of_them_is_proved() -> None:
    shared = shared_networks(protocols()["msi"], "held", FOUND["msi"])
    assert prove_joint(bind("mesh.dimension_order", build(SPEC)), shared).verdict == "free"


def test_write_backs_with_their_answers_in_one_network_stand_still_by_a_ring() -> None:
    """Two nodes, each full of what the other gives up, whose answers wait behind more of that."""
    text = "GetS GetM / PutM PutAck / Inv Fetch FetchInv / InvAck OwnerData / Data DataM / Done"
    assert shared_networks(protocols()["msi"], "held", text).ring == (("PutM", "PutAck"),)
    told = _run("msi", "held", text, 0)
    assert "by network 1" in told and told.endswith("-> the first")


@pytest.mark.parametrize("name", ["update", "limited_update"])
@pytest.mark.parametrize("seed", [0, 1])
def test_hints_that_the_tables_lack_are_with_requests_not_with_what_ends_them(name, seed) -> None:
    """A home that is full of hints for a line that it serves would take no acknowledge any more."""
    tables, how = protocols()[name], {"hints": True}
    if name == "limited_update":
        how |= {"encoding_name": "limited_evicting"}
    names = sorted(of_tables(tables))
    asked = [kind for kind in names if of_tables(tables)[kind] in ("read-request", "write-request")]
    told = [kind for kind in names if of_tables(tables)[kind] == "tell"]
    groups = [[kind for kind in names if kind not in {*asked, *told}], told, asked]
    shared = shared_networks(tables, "reserved", " / ".join(map(" ".join, groups)))
    assert not shared.ring and _run(name, "reserved", _text(shared), seed, **how) == ""


def _drawn(name: str, seed: int, *, closes: bool) -> Shared:
    """Kinds that share as few networks as drawn ones can without a ring of waits, or one fewer so that one closes.

    Kinds of the tables that are one to the machine share one, and what it does not send has none of its own.
    """
    draw, tables = Random(seed), protocols()[name]
    endpoints = "queued" if name == "chained" else draw.choice(ENDPOINTS)
    kinds, of = shared_networks(tables, endpoints).kinds, of_tables(tables)
    sent = sorted({of[kind] for kind in kinds.names if kind in of})
    groups = [[kind for kind in kinds.names if of.get(kind) == one] for one in sent]
    groups += [[kind] for kind in kinds.names if kind not in of]
    ringed = None
    for _ in range(200):
        a, b = draw.sample(groups, 2)
        joined = [group for group in groups if group not in (a, b)] + [a + b]
        if ring_of(tuple(map(tuple, joined)), kinds.waits(endpoints)):
            ringed = joined
        else:
            groups = joined
        if len(groups) == 1:
            break
    groups = ringed if closes and ringed else groups
    if not all(of.keys() & set(group) for group in groups):
        return _drawn(name, seed + 1000, closes=closes)
    return shared_networks(tables, endpoints, " / ".join(map(" ".join, groups)))


def _text(shared: Shared) -> str:
    return " / ".join(map(" ".join, shared.groups))


@pytest.mark.parametrize("name", ["msi", "mesi", "dragon", "chained"])
@pytest.mark.parametrize("seed", range(4))
def test_no_drawn_sharing_without_a_ring_stands_still(name, seed) -> None:
    shared = _drawn(name, seed, closes=False)
    assert not shared.ring and len(shared.groups) > 1
    assert _run(name, shared.endpoints, _text(shared), seed + 2) == ""


@pytest.mark.parametrize("name", ["msi", "mesi", "dragon"])
def test_drawn_sharings_with_a_ring_that_stand_still_name_it(name) -> None:
    sharings = [_drawn(name, seed, closes=True) for seed in range(4)]
    assert all(shared.ring for shared in sharings)
    told = [_run(name, shared.endpoints, _text(shared), seed) for seed, shared in enumerate(sharings)]
    assert any(told) and all(found.endswith("-> the first") for found in told if found)
