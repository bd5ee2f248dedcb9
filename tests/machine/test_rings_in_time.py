"""Machines that stand still in one virtual network too few: rings, place by place, are of the joint proof."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.coherence.networks.joint import Shared, prove_joint, shared_networks
from jumpnet.coherence.protocol import protocols
from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import finite_buffers
from jumpnet.machine.timed.deadlock import Full, Lane, told
from jumpnet.machine.timed.design import Design
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.routings import bind
from jumpnet.sim.config import preset
from jumpnet.topology import build

SPEC, ROUTING = "mesh:3x1", "mesh.dimension_order"
NET = build(SPEC)
NAMES = ("msi", "mesi", "moesi", "mixed", "dragon", "update", "limited")


@pytest.fixture(scope="module")
def crowd():
    """Three nodes of eight processors, which read and write twelve lines of each node at random."""
    draw, count = np.random.default_rng(1), 4000
    address = 32 * draw.integers(12, size=count) + 4096 * draw.integers(3, size=count)
    block = block_of(draw.integers(24, size=count), address, 4, draw.random(count) < 0.6)
    return streams_of(Trace("made", 24, lambda: iter([block])), clusters_of=8, placement="interleaved")


def run(crowd, name, endpoints, networks):
    how = {"encoding_name": "limited_evicting"} if name == "limited" else {}
    how |= {"protocol": name, "endpoints": endpoints, "networks": networks, "caches": (64, 1), "outstanding": 8}
    config = preset("booksim", vcs=1, deadlock_cycles=400)
    fixed = {"clusters_of": 8, "directory": "line", "update_pages": frozenset({1}), "endpoint_room": 1}
    return closed_loop(crowd, SPEC, config=config, synchronisation="free", **fixed, **how)


def _channel(place, networks: int) -> tuple[int, int, int]:
    """(router, port, virtual channel) of a place, as the proof has it: endpoints are routers after those of the net."""
    if isinstance(place, Full):
        return place.node, NET.ports, place.network
    if not isinstance(place, Lane):
        return NET.routers + place.node, 0, place.network
    port, network = divmod(place.lane, networks)
    if port >= NET.ports:  # from the endpoint
        return NET.routers + place.router, 0, network
    return int(NET.neighbor[place.router, port]), int(NET.far_port[place.router, port]), network


def _without_holders(ring):
    """Without buffers whose packet has the output that one of the same router wants: it waits for that output."""
    return [
        place
        for place, before in zip(ring, [ring[-1], *ring], strict=False)
        if not (isinstance(place, Lane) and isinstance(before, Lane) and place.router == before.router)
    ]


def _ways(shared: Shared) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Which channel waits for which, by the proof of network and endpoints."""
    bound = prove_joint(bind(ROUTING, NET), shared).proof.bound
    indptr, wanted = dependencies(bound).rows
    held = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    sides = (bound.network.routers, bound.network.ports, bound.vcs)
    return set(zip(*(zip(*np.unravel_index(c, sides), strict=True) for c in (held, wanted)), strict=True))


@pytest.mark.parametrize("endpoints", ["held", "reserved"])
@pytest.mark.parametrize("name", NAMES)
def test_a_ring_in_time_is_one_of_the_proof(crowd, name, endpoints, monkeypatch) -> None:
    rings = []
    monkeypatch.setattr(finite_buffers, "told", lambda ring, network: rings.append(ring) or told(ring, network))
    number = {"held": 4, "reserved": 2}[endpoints]
    assert (
        len(Design(protocol=name, networks="least", endpoints=endpoints, synchronisation="free").groups) == number + 1
    )
    assert run(crowd, name, endpoints, "least").timing.cycles > 0
    shared = shared_networks(protocols()[name], endpoints, str(number))
    with pytest.raises(JumpnetError, match="deadlock of nodes and network"):
        run(crowd, name, endpoints, " / ".join(map(" ".join, shared.groups)))
    channels = [_channel(place, number) for place in _without_holders(rings[0])]
    channels = [c for c, before in zip(channels, [channels[-1], *channels], strict=False) if c != before]
    assert len(channels) > 1 and set(zip(channels, [*channels[1:], channels[0]], strict=True)) <= _ways(shared)
