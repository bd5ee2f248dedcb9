"""Each packet that a proof names is one of the routing's: plain Python follows it channel by channel, and it waits."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.naive.dependency import candidates

from jumpnet.analysis.deadlock.conditions.bubble import marked_dependencies
from jumpnet.analysis.deadlock.conditions.duato import extended_dependencies
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.waiting import witnesses as witnesses_module
from jumpnet.analysis.deadlock.waiting.knots import awaited_sets, has_knot
from jumpnet.analysis.deadlock.waiting.minimal_knot import minimal_knot
from jumpnet.analysis.deadlock.waiting.who_waits import channels_of, who_waits
from jumpnet.analysis.deadlock.waiting.witnesses import Witness, witnesses
from jumpnet.analysis.deadlock.walks.waits import find_knot
from jumpnet.routings import ESCAPE, BoundRouting, bind
from jumpnet.routings.view import new_head
from jumpnet.topology import build

CYCLES = [
    ("torus:5x3", "torus.dimension_order", None),
    ("torus:4x4", "torus.booksim", 1),
    ("torus:4x3", "torus.valiant", 1),
    ("torus:4x4", "torus.ugal", 1),
    ("torus:4x4", "torus.duato", 1),
    ("torus:4x3", "torus.duato", 2),
    ("mesh:4x4", "mesh.duato", 1),
    ("torus:4x3", "minimal:ports=all", 2),
    ("prdt:16", "prdt.vector", 1),
    ("srt2d:16", "srt.hierarchical", None),
    ("dragonfly:1", "dragonfly.valiant", 1),
    ("dragonfly:1", "dragonfly.par", 1),
    ("kautz:2,n=4", "minimal", None),
]


def _begins(bound: BoundRouting, packet: Witness) -> tuple[int, int]:
    """(STATE, INTERMEDIATE) with which the packet enters, from the start hook in plain Python."""
    head, queue = new_head(packet.source, packet.destination), np.zeros(bound.view.queues, np.int64)
    if packet.busy >= 0:
        queue[packet.busy] = 1 << 20
    start: Any = bound.routing.start
    if start is not None:
        assert 0 <= packet.draw < bound.draws
        start(bound.view, head, packet.draw, queue)
    return int(head[2]), int(head[5])


def _follow(bound: BoundRouting, packet: Witness) -> set[int]:
    """Channels that the packet may ask for at the end of its path; fails where the relation does not go along."""
    net, vcs = bound.network, bound.vcs
    state, inter = _begins(bound, packet)
    ends = (packet.source, packet.destination)
    at: set[tuple[int, int, int, int]] = {(packet.source, -1, -1, state)}
    for place, channel in enumerate(packet.path):
        router, port, vc = channel // (net.ports * vcs), channel // vcs % net.ports, channel % vcs
        after = set()
        for here, *arrival, now in at:
            for row in candidates(bound, *ends, here, *arrival, now, inter):
                between = place <= packet.held or not row[3] & ESCAPE
                if here == router and row[:2] == (port, vc) and between:
                    after.add((int(net.neighbor[router, port]), int(net.far_port[router, port]), vc, row[2]))
        assert after, f"{packet} does not take channel {channel}"
        at = after
    waits = {frozenset((here * net.ports + row[0]) * vcs + row[1] for row in
             candidates(bound, *ends, here, *arrival, now, inter)) for here, *arrival, now in at}  # fmt: skip
    return set(next(found for found in waits if packet.wants in found))


@pytest.mark.parametrize(("spec", "name", "vcs"), CYCLES, ids=lambda word: str(word))
def test_packets_are_the_routings_own_and_wait(spec: str, name: str, vcs: int | None) -> None:
    bound = bind(name, build(spec), vcs)
    made = dependencies(bound)
    proof = prove(bound, made=made)
    waiting = who_waits(proof, made)
    assert proof.verdict != "free" and waiting.packets
    held = {packet.holds for packet in waiting.packets}
    for packet in waiting.packets:
        asks = _follow(bound, packet)
        assert asks == {packet.wants, *packet.others}
        if waiting.kind in ("stuck", "knot"):
            assert asks <= held
        assert packet.wants in held
    if waiting.kind != "knot":
        assert [packet.holds for packet in waiting.packets] == channels_of(proof)
    else:
        assert made.choices and has_knot(made)


def test_draws_are_tried_in_turn_and_the_first_that_fits_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    bound = bind("torus.ugal", build("torus:4x4"), 1)
    made = dependencies(bound)
    proof = prove(bound, made=made)
    found = who_waits(proof, made)
    assert max(packet.draw for packet in found.packets) > 0
    monkeypatch.setattr(witnesses_module, "DRAWS_AT_ONCE", 1)
    assert who_waits(proof, made) == found


@pytest.mark.parametrize(("spec", "name", "vcs"), CYCLES[:7] + CYCLES[-3:], ids=lambda word: str(word))
def test_every_dependency_has_a_packet(spec: str, name: str, vcs: int | None) -> None:
    bound = bind(name, build(spec), vcs)
    made = dependencies(bound)
    indptr, indices = made.rows
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    links = list(zip(rows.tolist(), indices.tolist(), strict=True))[::7]
    for (held, wanted), packet in zip(links, witnesses(bound, links, made.used.astype(bool)), strict=True):
        assert (packet.holds, packet.wants) == (held, wanted)
        assert wanted in _follow(bound, packet)


@pytest.mark.parametrize(("spec", "name", "vcs"), [CYCLES[5], CYCLES[6], CYCLES[7]], ids=lambda word: str(word))
def test_no_channel_can_be_left_out_of_a_least_knot(spec: str, name: str, vcs: int) -> None:
    """Whichever is left out, packets that wait for it, and then those that wait for theirs, can all go on."""
    bound = bind(name, build(spec), vcs)
    made = dependencies(bound)
    knot = minimal_knot(made, [0])
    assert knot.sum() >= 2
    for c in np.flatnonzero(knot).tolist():
        fewer = knot.astype(np.uint8)
        fewer[c] = 0
        find_knot(awaited_sets(made), made.base, fewer)
        assert not fewer.any()


@pytest.mark.parametrize("search", [extended_dependencies, awaited_sets, marked_dependencies])
def test_searches_after_the_first_say_how_far_they_are(search: Callable[..., Any]) -> None:
    """From the first walk on, one for each of 25 destinations, and with the same answer as without a word."""
    made = dependencies(bind("mesh.duato", build("mesh:5x5")))
    told: list[tuple[int, int]] = []
    found = search(made, lambda done, whole: told.append((done, whole)))
    assert told[0] == (0, 25) and len(told) > 1 and {whole for _, whole in told} == {25}
    assert [done for done, _ in told] == sorted(done for done, _ in told) and told[-1][0] < 25
    silent = search(made)
    for name in ("indptr", "indices", "first", "holder", "wanted"):
        if hasattr(found, name):
            assert (getattr(found, name) == getattr(silent, name)).all()
