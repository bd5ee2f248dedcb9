"""Machines that stand still in one virtual network too few: rings, place by place, are of the joint proof."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.coherence.networks.joint import Shared, prove_joint, shared_networks
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import deadlock
from jumpnet.machine.timed.deadlock import Full, Lane, told
from jumpnet.machine.timed.design import Design
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.routings import bind
from jumpnet.sim.config import preset
from jumpnet.topology import build

SPEC, LONGER, ROUTING = "mesh:3x1", "mesh:4x1", "mesh.dimension_order"
NAMES = ("msi", "mesi", "moesi", "mixed", "dragon", "update", "limited")


def _crowd(nodes):
    """Nodes of eight processors, which read and write twelve lines of each node at random."""
    draw, count = np.random.default_rng(1), 4000
    address = 32 * draw.integers(12, size=count) + 4096 * draw.integers(nodes, size=count)
    block = block_of(draw.integers(8 * nodes, size=count), address, 4, draw.random(count) < 0.6)
    return streams_of(Trace("made", 8 * nodes, lambda: iter([block])), clusters_of=8, placement="interleaved")


@pytest.fixture(scope="module")
def crowd():
    return _crowd(3)


@pytest.fixture(scope="module")
def larger_crowd():
    return _crowd(4)


def run(crowd, name, endpoints, networks, *, spec=SPEC, **how):
    how |= {"encoding_name": "limited_evicting"} if name == "limited" else {}
    how |= {"protocol": name, "endpoints": endpoints, "networks": networks, "caches": (64, 1), "outstanding": 8}
    config = preset("booksim", vcs=1, deadlock_cycles=400)
    fixed = {"clusters_of": 8, "directory": "line", "endpoint_room": 1}
    fixed |= {"update_pages": frozenset({1})} if name == "mixed" else {}
    return closed_loop(crowd, spec, config=config, synchronisation="free", **fixed, **how)


def _channel(place, networks: int, net) -> tuple[int, int, int]:
    """(router, port, virtual channel) of a place, as the proof has it: endpoints are routers after those of the net."""
    if isinstance(place, Full):
        return place.node, net.ports, place.network
    if not isinstance(place, Lane):
        return net.routers + place.node, 0, place.network
    port, network = divmod(place.lane, networks)
    if port >= net.ports:  # from the endpoint
        return net.routers + place.router, 0, network
    return int(net.neighbor[place.router, port]), int(net.far_port[place.router, port]), network


def _without_holders(ring):
    """Without buffers whose packet has the output that one of the same router wants: it waits for that output."""
    return [
        place
        for place, before in zip(ring, [ring[-1], *ring], strict=False)
        if not (isinstance(place, Lane) and isinstance(before, Lane) and place.router == before.router)
    ]


def _ways(shared: Shared, net) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Which channel waits for which, by the proof of network and endpoints."""
    bound = prove_joint(bind(ROUTING, net), shared).proof.bound
    indptr, wanted = dependencies(bound).rows
    held = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    sides = (bound.network.routers, bound.network.ports, bound.vcs)
    return set(zip(*(zip(*np.unravel_index(c, sides), strict=True) for c in (held, wanted)), strict=True))


@pytest.mark.parametrize("endpoints", ["held", "reserved"])
@pytest.mark.parametrize("name", NAMES)
def test_a_ring_in_time_is_one_of_the_proof(crowd, name, endpoints, monkeypatch) -> None:
    rings = _rings(monkeypatch)
    number = {"held": 4, "reserved": 2}[endpoints]
    assert (
        len(Design(protocol=name, networks="least", endpoints=endpoints, synchronisation="free").groups) == number + 1
    )
    assert run(crowd, name, endpoints, "least").timing.cycles > 0
    shared = shared_networks(protocols()[name], endpoints, str(number))
    with pytest.raises(JumpnetError, match="deadlock of nodes and network"):
        run(crowd, name, endpoints, " / ".join(map(" ".join, shared.groups)))
    _is_of_the_proof(rings[0], shared, build(SPEC))


def _rings(monkeypatch) -> list:
    """Where rings that are told will be found."""
    rings = []
    monkeypatch.setattr(deadlock, "told", lambda ring, network: rings.append(ring) or told(ring, network))
    return rings


def _is_of_the_proof(ring, shared: Shared, net) -> None:
    channels = [_channel(place, len(shared.groups), net) for place in _without_holders(ring)]
    channels = [c for c, before in zip(channels, [channels[-1], *channels], strict=False) if c != before]
    assert len(channels) > 1 and set(zip(channels, [*channels[1:], channels[0]], strict=True)) <= _ways(shared, net)


TREES, MOVES, COUNTED = {"multicast": "full_map"}, {"migrates": 2}, {"acknowledges": "counted"}


@pytest.mark.parametrize("endpoints", ["held", "reserved"])
@pytest.mark.parametrize(("name", "part", "how"), [("update", "trees", TREES), ("msi", "moves", MOVES)])
def test_no_number_of_networks_is_enough_for_what_is_sent_on(
    larger_crowd, name, part, how, endpoints, monkeypatch
) -> None:
    """Copies of multicasts, and requests for pages that have moved, wait for their own kind, which closes a ring.

    In as many networks as are enough without that part; without it the machine never stands still there.
    """
    rings, shared = _rings(monkeypatch), shared_networks(protocols()[name], endpoints)
    text, at_hand = " / ".join(map(" ".join, shared.groups)), {"spec": LONGER}
    assert run(larger_crowd, name, endpoints, text, **at_hand).timing.cycles > 0
    with pytest.raises(JumpnetError, match="deadlock of nodes and network"):
        run(larger_crowd, name, endpoints, text, **at_hand, **how)
    beside = shared_networks(protocols()[name], endpoints, text, [part])
    assert not shared.ring and beside.ring
    _is_of_the_proof(rings[0], beside, build(LONGER))


@pytest.mark.parametrize(("name", "endpoints", "least"), [("update", "held", 3), ("update", "reserved", 3),
                                                          ("msi", "held", 5), ("msi", "reserved", 3)])  # fmt: skip
def test_acknowledges_that_are_counted_keep_no_places(larger_crowd, name, endpoints, least, monkeypatch) -> None:
    """Under update with `held` so many networks are enough, which are too few where each takes a place."""
    rings, tables, at_hand = _rings(monkeypatch), protocols()[name], {"spec": LONGER}
    shared = shared_networks(tables, endpoints, parts=["counted"])
    text = " / ".join(map(" ".join, shared.groups))
    assert len(shared.groups) == least and run(larger_crowd, name, endpoints, text, **at_hand, **COUNTED).timing.cycles
    if least < len(shared_networks(tables, endpoints).groups):
        with pytest.raises(JumpnetError, match="deadlock of nodes and network"):
            run(larger_crowd, name, endpoints, text, **at_hand)
        _is_of_the_proof(rings.pop(), shared_networks(tables, endpoints, text), build(LONGER))
    fewer = shared_networks(tables, endpoints, str(least - 1), ["counted"])
    with pytest.raises(JumpnetError, match="deadlock of nodes and network"):
        run(larger_crowd, name, endpoints, " / ".join(map(" ".join, fewer.groups)), **at_hand, **COUNTED)
    _is_of_the_proof(rings.pop(), fewer, build(LONGER))


@pytest.mark.parametrize("how", [TREES, MOVES, {**TREES, **MOVES, "acknowledges": "combined"}])
@pytest.mark.parametrize("name", ["msi", "update", "dragon"])
def test_with_room_for_what_is_sent_two_networks_are_enough(larger_crowd, name, how) -> None:
    assert run(larger_crowd, name, "queued", "least", spec=LONGER, **how).timing.cycles > 0
    with pytest.raises(JumpnetError, match="deadlock of nodes and network"):
        run(larger_crowd, name, "queued", "1", spec=LONGER, **how)
