"""Proofs under bubble flow control: what is free is free by the condition, and what breaks it once is not proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock.conditions.bubble import escape_dependencies, marked_dependencies, ring_numbers
from jumpnet.analysis.deadlock.cycles.checker import accepts_rings
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.explain import explain
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.jit.decorator import jit
from jumpnet.routings import (
    DESTINATION,
    ENTERS,
    ESCAPE,
    IN_PORT,
    KIND,
    NEXT_STATE,
    NORMAL,
    PORT,
    STATE,
    VC,
    BoundRouting,
    bind,
    routings,
)  # fmt: skip
from jumpnet.routings.view import new_head, new_out
from jumpnet.topology import build

BUBBLE = routings()["torus.bubble"]
go = jit(BUBBLE.relation)


def changed(relation: Callable[..., int], spec: str) -> BoundRouting:
    """`torus.bubble` with another relation, on a network."""
    return replace(BUBBLE, name="test.bubble", relation=relation).bind(build(spec))


def one_terminal_unmarked(net, here, head, out):
    """`torus.bubble`, but packets of router 3 enter the ring up from their terminal as if they were in it."""
    count = go(net, here, head, out)
    if here == 3 and head[STATE] == 0 and out[0, PORT] == 0:
        out[0, KIND] = NORMAL
    return count


def one_turn_unmarked(net, here, head, out):
    """`torus.bubble`, but packets that turn up into dimension 1 at router 3 do."""
    count = go(net, here, head, out)
    if here == 3 and head[STATE] > 0 and out[0, PORT] == 2:
        out[0, KIND] = NORMAL
    return count


def one_step_marked(net, here, head, out):
    """`torus.bubble`, but packets that go on up at router 3 ask for room as if they entered."""
    count = go(net, here, head, out)
    if here == 3 and head[STATE] > 0 and out[0, PORT] == 0:
        out[0, KIND] = ENTERS
    return count


def highest_first(net, here, head, out):
    """Marked as `torus.bubble` is, but every second destination is come to by the highest dimension first."""
    order = head[DESTINATION] % 2
    for i in range(2):
        d = i if order == 0 else 1 - i
        ahead = (net.coord[head[DESTINATION], d] - net.coord[here, d]) % net.params[d]
        if ahead != 0:
            port = 2 * d if 2 * ahead <= net.params[d] else 2 * d + 1
            out[0, PORT], out[0, VC], out[0, NEXT_STATE] = port, 0, 1 + port
            out[0, KIND] = NORMAL if head[STATE] == 1 + port else ENTERS
            return 1
    return 0


@pytest.mark.parametrize("spec", ["torus:5", "torus:4x4", "torus:5x4x3"])
@pytest.mark.parametrize("vcs", [1, 2])
def test_the_rings_are_the_numbers_of_the_certificate(spec: str, vcs: int) -> None:
    """Channels of a ring have one number where packets take two hops in it: up from four routers, down from five."""
    net = build(spec)
    proof = prove(bind("torus.bubble", net, vcs))
    assert proof.method.startswith("bubble flow control (cut-through, packets of one length, buffers of two): every")
    number = proof.certificate.reshape(net.routers, net.ports, vcs)
    for d, k in enumerate(net.params):
        rings = {tuple(c) for c in np.delete(net.coord, d, axis=1).tolist()}
        for port, least in ((2 * d, 4), (2 * d + 1, 5)):
            assert len(np.unique(number[:, port])) == vcs * (len(rings) if k >= least else net.routers)


@pytest.mark.parametrize(
    ("relation", "spec"),
    [
        (one_terminal_unmarked, "torus:5"),
        (one_terminal_unmarked, "torus:4x4"),
        (one_turn_unmarked, "torus:4x4"),
        (one_step_marked, "torus:4x4"),
        (highest_first, "torus:4x4"),
    ],
)
def test_what_breaks_the_condition_once_is_not_proved(relation: Callable[..., int], spec: str) -> None:
    bound = changed(relation, spec)
    proof = prove(bound)
    assert proof.verdict == "unproved" and proof.method.startswith("bubble flow control fails")
    assert proof.certificate is None
    for hop, after in zip(proof.cycle, proof.cycle[1:] + proof.cycle[:1], strict=True):
        assert bound.network.neighbor[hop.router, hop.port] == hop.to == after.router


def test_cycles_of_other_routings_stay_cycles() -> None:
    """The same routes without marks: a cycle, whatever the flow control."""
    proof = prove(bind("torus.dimension_order", build("torus:4x4"), 1))
    assert (proof.verdict, proof.method, len(proof.cycle)) == ("deadlock", "cycle in the channel dependency graph", 4)


def naive(bound: BoundRouting) -> tuple[set[tuple[int, int, bool]], set[int]]:
    """Dependencies (holder, wanted, marked) and channels asked for unmarked at a source: every pair followed, alone."""
    net, view, vcs = bound.network, bound.view, bound.vcs
    found, unmarked = set(), set()

    def follow(here: int, to: int, state: int, holder: int | None) -> None:
        head, out = new_head(here, to), new_out()
        head[STATE] = state
        for port, vc, after, kind in out[: bound.routing.relation(view, here, head, out)].tolist():
            wanted = (here * net.ports + port) * vcs + vc
            if holder is not None:
                found.add((holder, wanted, kind == ENTERS))
            elif kind != ENTERS:
                unmarked.add(wanted)
            follow(int(net.neighbor[here, port]), to, after, wanted)

    for source in range(net.routers):
        for to in range(net.routers):
            if source != to:
                follow(source, to, 0, None)
    return found, unmarked


@pytest.mark.parametrize(
    "relation", [BUBBLE.relation, one_terminal_unmarked, one_turn_unmarked, one_step_marked, highest_first]
)
def test_marked_dependencies_are_those_of_every_pair(relation: Callable[..., int]) -> None:
    bound = changed(relation, "torus:4x4")
    marked = marked_dependencies(dependencies(bound))
    columns = (marked.holder.tolist(), marked.wanted.tolist(), marked.enters.tolist())
    assert (set(zip(*columns, strict=True)), set(np.flatnonzero(marked.unmarked).tolist())) == naive(bound)


def test_the_checker_refuses_each_thing_that_is_wrong() -> None:
    marked = marked_dependencies(dependencies(bind("torus.bubble", build("torus:4x4"))))
    number = ring_numbers(marked)
    assert accepts_rings(number, *marked)
    across = np.flatnonzero(number[marked.holder] < number[marked.wanted])[0]
    along = np.flatnonzero(number[marked.holder] == number[marked.wanted])[0]
    for edge in (across, along):
        turned = marked.enters.copy()
        turned[edge] = ~turned[edge]
        assert not accepts_rings(number, *marked._replace(enters=turned))
    asked = np.zeros(len(number), bool)
    asked[marked.wanted[along]] = True
    assert not accepts_rings(number, *marked._replace(unmarked=asked))
    assert not accepts_rings(-number, *marked)
    assert not accepts_rings(np.zeros_like(number), *marked._replace(enters=np.zeros_like(marked.enters)))
    more = [np.append(column, column[along]) for column in marked[:3]]
    assert not accepts_rings(number, *more, marked.unmarked)


ADAPTIVE = routings()["torus.bubble_adaptive"]
adapt = jit(ADAPTIVE.relation)


def adaptive_entry_unmarked(net, here, head, out):
    """`torus.bubble_adaptive`, but packets of adaptive channels enter the ring up of dimension 0 without a bubble."""
    count = adapt(net, here, head, out)
    if count > 0 and head[STATE] == 0 and out[count - 1, PORT] == 0 and head[IN_PORT] >= 0:
        out[count - 1, KIND] = ESCAPE
    return count


def one_without_escape(net, here, head, out):
    """The same, but at router 3 packets to router 0 have no escape."""
    count = adapt(net, here, head, out)
    if here == 3 and head[DESTINATION] == 0:
        out[count - 1, KIND] = ENTERS
    return count


def adaptive_way_into_a_ring(net, here, head, out):
    """The same, but packets of router 3 to router 1 may go into an escape channel as into an adaptive one."""
    count = adapt(net, here, head, out)
    if here == 3 and head[DESTINATION] == 1:
        out[0, VC] = 0
    return count


def escapes_of_any_order(net, here, head, out):
    """The same, but packets to every second destination escape by the highest dimension first."""
    count = adapt(net, here, head, out)
    if count > 0 and head[DESTINATION] % 2 == 1:
        for d in range(2):
            ahead = (net.coord[head[DESTINATION], d] - net.coord[here, d]) % net.params[d]
            if ahead != 0:
                out[count - 1, PORT] = 2 * d if 2 * ahead <= net.params[d] else 2 * d + 1
        out[count - 1, NEXT_STATE] = 1 + out[count - 1, PORT]
        out[count - 1, KIND] = ESCAPE if head[STATE] == 1 + out[count - 1, PORT] else ESCAPE | ENTERS
    return count


@pytest.mark.parametrize(("spec", "vcs"), [("torus:5", 2), ("torus:4x4", 2), ("torus:4x4", 3), ("torus:5x4x3", 2)])
def test_rings_as_escapes_are_enough(spec: str, vcs: int) -> None:
    """Channel 0 of every port is numbered, as by `torus.bubble` alone; adaptive channels need no number."""
    proof = prove(bind("torus.bubble_adaptive", build(spec), vcs))
    assert proof.deadlock_free and "escape channels form rings" in proof.method
    number = proof.certificate.reshape(-1, vcs)
    assert (number[:, 1:] == -1).all() and (number[:, 0] >= 0).sum() == proof.escape_channels
    alone = prove(bind("torus.bubble", build(spec), 1)).certificate
    assert len(np.unique(number[number[:, 0] >= 0, 0])) == len(np.unique(alone[number[:, 0] >= 0]))
    assert "in every state a packet may take one" in str(explain(proof).condition)


@pytest.mark.parametrize(
    ("relation", "spec"),
    [
        (adaptive_entry_unmarked, "torus:5"),
        (one_without_escape, "torus:5"),
        (adaptive_way_into_a_ring, "torus:4"),
        (escapes_of_any_order, "torus:4x4"),
    ],
)
def test_what_breaks_the_escapes_once_is_not_proved(relation: Callable[..., int], spec: str) -> None:
    bound = replace(ADAPTIVE, name="test.escapes", relation=relation).bind(build(spec))
    proof = prove(bound)
    assert proof.verdict == "unproved" and proof.method.startswith("bubble flow control fails")


@pytest.mark.parametrize("relation", [ADAPTIVE.relation, adaptive_entry_unmarked, escapes_of_any_order])
def test_dependencies_of_escapes_are_those_of_every_pair(relation: Callable[..., int]) -> None:
    bound = replace(ADAPTIVE, name="test.escapes", relation=relation).bind(build("torus:4x3"))
    net, view, found, unmarked = bound.network, bound.view, set(), set()

    def follow(here: int, to: int, state: int, held: tuple[int, bool] | None, came: int) -> None:
        head, out = new_head(here, to), new_out()
        head[STATE], head[IN_PORT] = state, came
        rows = out[: relation(view, here, head, out)].tolist()
        for port, vc, after, kind in rows:
            wanted = (here * net.ports + port) * 2 + vc
            if kind & ESCAPE and held is not None and held[1]:
                found.add((held[0], wanted, kind & ENTERS != 0))
            elif kind & ESCAPE and kind & ENTERS == 0:
                unmarked.add(wanted)
            follow(
                int(net.neighbor[here, port]), to, after, (wanted, kind & ESCAPE != 0), int(net.far_port[here, port])
            )

    for source in range(net.routers):
        for to in range(net.routers):
            if source != to:
                follow(source, to, 0, None, -1)
    marked, escape = escape_dependencies(dependencies(bound))
    columns = (marked.holder.tolist(), marked.wanted.tolist(), marked.enters.tolist())
    assert (set(zip(*columns, strict=True)), set(np.flatnonzero(marked.unmarked).tolist())) == (found, unmarked)
    assert escape[marked.wanted].all() and not escape[1::2].any()
