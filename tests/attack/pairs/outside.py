"""Packets posted from outside, in pieces and ahead of time, by sets and by lists, against a replay and the twin.

Networks, routings and settings are those that `engine_draws` draws. With rooms at the terminals, ways of posting are
compared with each other.
"""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any, NamedTuple

import numpy as np
from tests.attack.drawn.engine_draws import build_case, drawn

from jumpnet.routings import BoundRouting
from jumpnet.sim.config import SimConfig
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.outside import Outside
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build
from jumpnet.traffic import PacketList

__all__ = ["compared"]

REFUSED = ("reply_flits", "reply_delay_cycles", "exchange_flits", "exchange_vcs", "port_vcs", "exchange_subnets",
           "subnets", "more_classes", "class_channels", "source_queue_packets", "class_priority")  # fmt: skip
MOST_ROUTERS = 130
TWIN_WORK = 4000
"""Routers times cycles of the plain-Python twin."""


class _Posts(NamedTuple):
    """Packets, those of a source in order of creation."""

    number: Any
    """Running number at the source: what is drawn for a packet depends on it."""
    source: Any
    to: Any
    created: Any
    flits: Any
    classes: Any


class _Plan(NamedTuple):
    """What all ways have in common."""

    bound: BoundRouting
    config: SimConfig
    posts: _Posts
    cycles: int
    room: int
    """Packets for which a terminal has room, 0: any number."""
    leave: list[int]
    """Cycles at which as many as have come leave their terminals."""


def _settings(draw: Random) -> tuple[str, BoundRouting, SimConfig]:
    case, _ = drawn(str(draw.random()))
    while build(case.spec).routers > MOST_ROUTERS:
        case, _ = drawn(str(draw.random()))
    settings = {name: value for name, value in case.settings.items() if name not in REFUSED}
    classes = draw.choice([0, 0, 1, 2])
    if classes:
        own = [{"packet_flits": settings["packet_flits"], "priority": draw.randint(-1, 2)} for _ in range(classes)]
        settings |= {"more_classes": own, "class_channels": "own"}
    elif settings.get("priority") == "class":
        settings["priority"] = "age"
    case = case._replace(settings=settings, latencies=case.latencies, vcs=min(case.vcs, 64 // (classes + 1)))
    bound, config = build_case(case)
    return f"{case.spec} {case.routing} vcs {case.vcs} latencies {case.latencies} {settings}", bound, config


def _posts(draw: Random, bound: BoundRouting, config: SimConfig, cycles: int) -> _Posts:
    n = draw.choice([1, 5, 40, 400, 3000])
    rng, terminals = np.random.default_rng(draw.randrange(1 << 30)), bound.network.endpoints
    created = np.sort(np.where(rng.random(n) < 0.2, cycles // 9, rng.integers(0, cycles, n)))
    source, to = rng.integers(0, terminals, (2, n))
    most = min(9, config.buffer_flits) if config.flow_control == "cut_through" else 9
    flits = rng.integers(1, most + 1, n)
    if bound.routing.bubble:
        flits[:] = config.longest_flits
    classes = rng.integers(0, len(config.all_classes), n)
    number = np.zeros(n, np.int64)
    for of in np.unique(source):
        number[source == of] = np.arange((source == of).sum())
    return _Posts(number, source, to, created, flits, classes)


def _posted(draw: Random, plan: _Plan, sets: bool | None) -> tuple[list[tuple[int, ...]], list[list[int]]]:
    """Deliveries (arrival, number, creation) up to the last cycle, and events where they are recorded."""
    network = Outside(plan.bound.network, plan.bound, plan.config, sets=sets)
    if plan.room:
        network.limit(plan.room)
    posts, found, done = plan.posts, list[tuple[int, ...]](), 0
    held: Counter[tuple[int, int]] = Counter()
    longest, ahead = draw.choice([1, 7, 300]), draw.choice([0, 20, 10**6])
    leave = plan.leave[:]
    while network.cycle < plan.cycles:
        stop = min(plan.cycles, network.cycle + draw.randint(1, longest), *leave[:1])
        upto = max(done, int(np.searchsorted(posts.created, stop + draw.randint(0, ahead))))
        network.post(*(column[done:upto] for column in posts))
        done = upto
        network.go_to(stop)
        found += [tuple(row) for row in zip(*(column.tolist() for column in network.take()), strict=True)]
        if leave and stop == leave[0]:
            leave.pop(0)
            _free(network, plan, found, held, stop)
        if not plan.room and draw.random() < 0.05:
            check(network.engine)
    if not plan.room:  # output VCs to a full terminal are neither free nor held
        check(network.engine)
    events = network.engine.events().tolist() if plan.config.events else []
    return sorted(row for row in found if row[2] < plan.cycles), events


def _free(network: Outside, plan: _Plan, found: list[tuple[int, ...]], held: Counter[Any], now: int) -> None:
    """All that arrived before a cycle leaves; a delivery names no terminal, but packets named by row do."""
    places = np.zeros((network.engine.shape.terminals, network.engine.shape.classes), np.int64)
    for row, _, arrived in found:
        if arrived < now and not held[row, 0]:
            held[row, 0] = 1
            places[plan.posts.to[row], plan.posts.classes[row]] += 1
    network.free(places)


def _replayed(plan: _Plan) -> list[tuple[int, ...]]:
    """The same of a list that is replayed."""
    posts = plan.posts
    trace = PacketList(posts.created, posts.source, posts.to, posts.flits)
    engine = Engine(plan.bound.network, plan.bound, plan.config.replace(load=0.0, events=True), trace, 1)
    engine.advance(plan.cycles)
    last: dict[tuple[int, int], tuple[int, int]] = {}
    for cycle, kind, source, number, *_ in engine.events().tolist():
        if kind == at.EVENT_ARRIVE and cycle < plan.cycles:
            before = last.get((source, number), (0, 0))
            last[source, number] = max(before[0], cycle), before[1] + 1
    whole = {(s, k): (c, f) for k, s, c, f in zip(*(getattr(posts, n).tolist() for n in
             ("number", "source", "created", "flits")), strict=True)}  # fmt: skip
    return sorted((k, whole[s, k][0], t) for (s, k), (t, n) in last.items() if n == whole[s, k][1])


def _twin(plan: _Plan) -> list[list[int]]:
    """Events of the plain-Python twin."""
    slow = Simulation(plan.bound.network, plan.bound, plan.config.replace(load=0.0, more_classes=[
        {**one.model_dump(), "load": 0.0} for one in plan.config.more_classes]))  # fmt: skip
    for number, source, to, created, flits, c in zip(*(column.tolist() for column in plan.posts), strict=True):
        terminal = slow.terminals[source]
        terminal.sources[c].queue.append(terminal.packet(to, flits, created, 2 * c, number))
    slow.run(plan.cycles)
    return [list(row) for row in sorted(slow.events)]


def compared(draw: Random, seen: Counter[str]) -> tuple[Any, str]:
    """One case, and how it differs."""
    name, bound, config = _settings(draw)
    if bound.routing.bubble:
        config = config.replace(packet_flits=str(draw.choice([1, 4])))
    cycles = draw.choice([60, 300, 1500])
    posts = _posts(draw, bound, config, cycles * 2 // 3)
    several = len(config.all_classes) > 1
    twin = bound.network.routers * cycles * len(posts.number) < 40 * TWIN_WORK and draw.random() < 0.5
    room = draw.choice([0, 0, 1, 3]) if not (config.injection_ports > 1 or config.ejection_ports > 1) else 0
    plan = _Plan(bound, config.replace(events=twin), posts, cycles, 0, [])
    case = f"{name}; {len(posts.number)} packets, {cycles} cycles, {posts if len(posts.number) < 9 else ''}"
    ways = [(f"sets {sets}", _posted(draw, plan, sets)) for sets in (False, True, None)]
    seen[f"{'several classes' if several else 'one class'}"] += 1
    for way, found in ways[1:]:
        if found != ways[0][1]:
            return case, f"posted by {way}: {_first(found[0], ways[0][1][0])}"
    if not several:
        seen["against a replay"] += 1
        if (expected := _replayed(plan)) != sorted((k, c, t) for k, c, t in ways[0][1][0]):
            return case, f"replay: {_first(ways[0][1][0], expected)}"
    if twin:
        seen["against the twin"] += 1
        rows = _twin(plan)
        mine = [row for row in ways[0][1][1] if row[0] < cycles]
        if mine != [row for row in rows if row[0] < cycles]:
            return case, f"twin: {_first(mine, rows)}"
    return case, _with_rooms(draw, plan, room, seen) if room else ""


def _with_rooms(draw: Random, plan: _Plan, room: int, seen: Counter[str]) -> str:
    """The same where terminals have little room; packets are named by row so that they can leave."""
    seen["with rooms"] += 1
    leave = sorted({draw.randrange(1, plan.cycles) for _ in range(12)})
    posts = plan.posts._replace(number=np.arange(len(plan.posts.number)))
    plan = plan._replace(posts=posts, room=room, leave=leave, config=plan.config.replace(events=False))
    first = _posted(draw, plan, False)[0]
    for sets in (False, True, None):
        if (found := _posted(draw, plan, sets)[0]) != first:
            return f"rooms {room}, leave {leave}, sets {sets}: {_first(found, first)}"
    return ""


def _first(found: list[Any], expected: list[Any]) -> str:
    """The first rows that differ."""
    unlike = (k for k, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b)
    k = next(unlike, min(len(found), len(expected)))
    return f"row {k}: {found[k : k + 2]} found, {expected[k : k + 2]} expected; {len(found)} and {len(expected)} rows"
