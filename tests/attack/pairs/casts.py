"""Multicasts: the kernel at one go and in pieces, the twin, posted from outside, and the plain simulator without any.

Networks, routings and settings of routers are those that `engine_draws` draws, as far as packets that branch take them.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import numpy as np
from tests.attack.drawn.engine_draws import build_case, drawn, routing_of
from tests.attack.pairs import Seen
from tests.naive.multicast_routers import MulticastSimulation

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.sim.config import SimConfig
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.run import sent_flits
from jumpnet.sim.memory.message_layout import ACKNOWLEDGED, ACKNOWLEDGES, ALONE, COUNTED, COUNTS
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.creation import Creation
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import COMBINED, Forest, Messages
from jumpnet.sim.multicast.outside import OutsideMulticasts
from jumpnet.sim.multicast.trees import Trees, trees_for
from jumpnet.topology import build

__all__ = ["Drawn", "compared", "multicasts_of"]

REFUSED = ("reply_flits", "reply_delay_cycles", "exchange_flits", "exchange_vcs", "port_vcs", "exchange_subnets",
           "subnets", "more_classes", "class_channels", "source_queue_packets", "class_priority", "priority",
           "priority_donation", "buffer_policy", "private_parts",
           "channels_by_next_output", "input_speedup", "output_speedup", "internal_speedup", "hold_switch",
           "output_buffer_flits", "stage_batches", "vc_allocator", "vc_allocator_iterations",
           "arbiter", "vc_arbiter", "arbiter_groups", "vc_arbiter_groups", "vc_asks_by_channel", "vc_needs_credit",
            "vc_empty_first")  # fmt: skip
MOST_ROUTERS = 100
TWIN_WORK = 8000
"""Routers times cycles of the plain-Python twin."""
SCHEMES = ["SM", "LPRA", "LARP", "LARP:path", "REMAKE", "full"]


class _Run(NamedTuple):
    """What all ways have in common."""

    net: Network
    trees: Trees
    forest: Forest
    created: Messages
    config: SimConfig
    creation: Creation
    cycles: int


class Drawn(NamedTuple):
    """Multicasts on a network."""

    spec: str
    routing: str
    net: Network
    config: SimConfig
    cast: MulticastConfig


def multicasts_of(draw: Random) -> tuple[str, Drawn]:
    """What is drawn, in words and as it is."""
    chip = draw.random() < 0.35
    if chip:
        spec, routing = draw.choice(["rdt:4", "prdt:4", "rdt:8", "prdt:8", "rdt:16"]), ""
    while True:
        case, _ = drawn(str(draw.random()))
        if chip or build(case.spec).routers <= MOST_ROUTERS:
            break
    settings = {name: value for name, value in case.settings.items() if name not in REFUSED}
    if settings.get("allocator") in ("pim", "lonely_output", "max_size", "wavefront", "rr_wavefront"):
        settings["allocator"] = "islip"
    if settings["traffic"] == "worst":
        settings["traffic"] = "uniform"  # of a run
    if chip:
        net, config = build(spec), case._replace(settings=settings)
        config = build_case(config)[1].replace(vcs=2 + (draw.random() < 0.3))
    else:
        bound, config = build_case(case._replace(settings=settings))
        net, spec, routing = bound.network, case.spec, case.routing
    few = max(1, min(12, net.endpoints // 3))
    values: dict[str, Any] = {
        "multicast_share": draw.choice([0.0, 0.05, 0.3, 1.0]), "destinations": draw.randint(1, few),
        "destination_sets": draw.randint(1, 3), "repeated": draw.random() < 0.2,
        "acknowledge": draw.choice(["none", "direct", "combined", "combined"]), "ack_flits": draw.randint(1, 4),
        "ack_delay_cycles": draw.choice([0, 0, 3, 30]), "combining_entries": draw.choice([0, 1, 2, 4, 9]),
        "remake_cycles": draw.choice([0, 1, 7, 25]),
    }  # fmt: skip
    if not chip and draw.random() < 0.5:
        values["tree_routing"] = routing_of(draw, net)
    if chip:
        values |= {"multicast": "chip", "scheme": "+".join(draw.sample(SCHEMES, draw.choice([1, 1, 2])))}
        if draw.random() < 0.3 and net.routers > 16:
            values["sigma"] = draw.choice([0.5, 1.5])
    about = f"{spec} {routing} latencies {net.latency is not None} {config.model_dump(exclude_defaults=True)} {values}"
    return about, Drawn(spec, routing, net, config, MulticastConfig(**values))


def _run(draw: Random) -> tuple[str, _Run]:
    about, (_, routing, net, config, cast) = multicasts_of(draw)
    cycles = draw.choice([150, 500, 2500])
    trees = trees_for(net, routing, config, cast)
    creation = Creation(net, config, cast, trees)
    created = creation.until(cycles * 2 // 3)
    if created is None:
        raise JumpnetError("no messages")
    return f"{about}, {cycles} cycles", _Run(net, trees, trees.forest(), created, config, creation, cycles)


def _engine(run: _Run, config: SimConfig, created: Messages) -> MulticastEngine:
    answers, bound = run.creation.cast, run.trees.routing
    return MulticastEngine(run.net, run.trees.vcs, run.forest, created, config, answers, routing=bound)


def _came_to(engine: MulticastEngine) -> dict[str, Any]:
    """All that is delivered, and the channels."""
    found = vars(engine.result())
    known = {name: value for name, value in found.items() if name not in ("ring", "cycles")}
    known |= {"out_vc": engine.out_vcs, "histogram": engine.state.histogram}
    return {name: np.array(value) for name, value in known.items()}


def _at_once(run: _Run) -> dict[str, Any]:
    engine = _engine(run, run.config, run.created)
    engine.go(run.cycles)
    engine.check()
    return _came_to(engine)


def _in_pieces(draw: Random, run: _Run) -> dict[str, Any]:
    """Messages are added when they are near; calls are of drawn lengths."""
    created, k = run.created, 0
    cycle = created.cycle
    cut = draw.randint(1, len(cycle))
    engine = _engine(run, run.config, _part(created, 0, cut))
    longest, k = draw.choice([3, 40, 400]), cut
    while engine.cycle < run.cycles:
        stop = min(run.cycles, engine.cycle + draw.randint(1, longest))
        upto = int(np.searchsorted(cycle, stop + draw.choice([0, 100])))
        if upto > k:
            engine.add(run.forest, _part(created, k, upto))
            k = upto
        if not engine.go(stop - engine.cycle):
            if engine.still or k == len(cycle):
                break
            engine.cycle = max(engine.cycle, stop)
        if draw.random() < 0.05:
            engine.check()
    engine.check()
    if k < len(cycle):  # it stands still
        engine.add(run.forest, _part(created, k, len(cycle)))
    return _came_to(engine)


def _part(created: Messages, first: int, last: int) -> Messages:
    return created._replace(
        **{name: None if column is None else np.asarray(column)[first:last]
           for name, column in created._asdict().items()})  # fmt: skip


def _unlike(one: dict[str, Any], other: dict[str, Any]) -> str:
    for name, expected in one.items():
        if not np.array_equal(expected, other[name]):
            if expected.shape != other[name].shape:
                return f"{name}: shapes {expected.shape} and {other[name].shape}"
            where = np.argwhere(np.atleast_1d(expected != other[name]))
            first = tuple(where[0].tolist())
            one_is, other_is = np.atleast_1d(expected)[first], np.atleast_1d(other[name])[first]
            return f"{name}{list(first)}: {one_is} and {other_is}, {len(where)} numbers in all"
    return ""


def _twin(run: _Run) -> str:
    config = run.config.replace(events=True)
    engine = _engine(run, config, run.created)
    engine.go(run.cycles)
    engine.check()
    answers = run.creation.cast
    slow = MulticastSimulation(run.net, run.trees.vcs, run.forest, run.created, engine.config, answers,
                               run.trees.routing)  # fmt: skip
    slow.run(engine.cycle)
    mine = [tuple(row) for row in engine.events().tolist() if row[0] < engine.cycle]
    theirs = sorted(tuple(row) for row in slow.events)
    for one, other in zip(mine, theirs, strict=False):
        if one != other:
            return f"twin: event {one} of the kernel, {other} of the twin"
    if len(mine) != len(theirs):
        return f"twin: {len(mine)} events of the kernel, {len(theirs)} of the twin"
    found = engine.result()
    if (found.fallbacks, found.link_flits) != (slow.fallbacks, slow.link_flits):
        return f"twin: {found.fallbacks, found.link_flits} and {slow.fallbacks, slow.link_flits}"
    for name, theirs_by in (("last_arrival", slow.last_arrival), ("acknowledged", slow.acknowledged)):
        for m, cycle in enumerate(getattr(found, name).tolist()):
            if cycle < engine.cycle and cycle != theirs_by.get(m, -1):
                return f"twin: {name}[{m}] {cycle} and {theirs_by.get(m, -1)}"
    return ""


def _plain(run: _Run) -> str:
    """Without multicasts: the plain simulator, flit by flit sent over every channel."""
    plain = Engine(run.net, run.trees.routing, run.config.replace(vcs=run.trees.vcs), threads=1)
    engine = _engine(run, run.config, run.created)
    cycles = run.cycles * 2 // 3 - 1
    engine.go(cycles)
    plain.advance(engine.cycle)
    one, other = (sent_flits(each)[:, : plain.shape.link_outputs] for each in (engine, plain))
    if (one != other).any():
        return f"plain simulator: other flits sent at {np.argwhere(one != other)[:3].tolist()}"
    return ""


def _outside(draw: Random, run: _Run, expected: dict[str, Any]) -> str:
    """Messages posted from outside, acknowledged by terminals after the delay of the settings."""
    cast, posts = run.creation.cast, run.created
    answers = {"entries": cast.combining_entries, "ack_flits": cast.ack_flits}
    network = OutsideMulticasts(run.net, run.trees, run.config, **answers)
    plan, ack = np.asarray(posts.plan), np.asarray(posts.ack)
    delay, quantum = cast.ack_delay_cycles, draw.randint(1, max(1, cast.ack_delay_cycles))
    last, known, rows, due, done = [-1] * len(plan), [-1] * len(plan), {}, [], 0
    while network.cycle < run.cycles:
        stop = min(run.cycles, network.cycle + quantum)
        upto = int(np.searchsorted(posts.cycle, stop))
        if upto > done:
            k = np.arange(done, upto)
            numbers = [network.plan(int(posts.source[m]), _sinks(run, m), bool(ack[m] == COMBINED), _alone(run, m))
                       if plan[m] >= 0 else -1 for m in k.tolist()]  # fmt: skip
            to = np.where(plan[k] >= 0, 0, np.asarray(posts.destination)[k])
            found = network.post_all(k, np.asarray(posts.source)[k], to, np.asarray(posts.cycle)[k],
                                     np.asarray(posts.flits)[k], np.array(numbers), ack[k] == COMBINED)  # fmt: skip
            rows.update(zip(k.tolist(), found.tolist(), strict=True))
            done = upto
        ready = sorted((row for row in due if row[0] < stop), key=lambda row: row[0])  # of a cycle as they came
        due = [row for row in due if row[0] >= stop]
        if ready:
            cycle, m, place, terminal, said = (np.array(column) for column in zip(*ready, strict=True))
            network.answer(np.array([rows[x] for x in m.tolist()]), place, terminal, cycle, said)
        network.go_to(stop)
        for m, _, t, what, terminal, place in zip(*(column.tolist() for column in network.take()), strict=True):
            if what == ACKNOWLEDGED:
                known[m] = t
                continue
            if what != COUNTED:
                last[m] = max(last[m], t)
            if what != ALONE and ack[m] == COMBINED:
                due.append((t + delay, m, place, terminal, COUNTS if what == COUNTED else ACKNOWLEDGES))
    for name, mine in (("last_arrival", last), ("acknowledged", known)):
        for m, (a, b) in enumerate(zip(mine, expected[name].tolist(), strict=True)):
            whole = name == "acknowledged" or expected["receipts"][m] >= len(_sinks(run, m))
            if a != b and 0 <= min(x for x in (a, b) if x >= 0) < run.cycles - 2 and whole:
                return f"outside: {name}[{m}] {a}, {b} by the engine"
    return ""


def _sinks(run: _Run, m: int) -> list[int]:
    """Terminals of a message."""
    plan = int(run.created.plan[m])
    return run.trees.receivers(plan) if plan >= 0 else [int(np.asarray(run.created.destination)[m])]


def _alone(run: _Run, m: int) -> bool:
    """Whether a message's plan is that of a packet to one destination, or of a multicast sent one by one."""
    return int(np.asarray(run.created.group)[m]) < 0


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One case, and how it differs."""
    name, run = _run(draw)
    cast = run.creation.cast
    seen[f"acknowledge {cast.acknowledge}"] += 1
    seen["chip" if run.trees.routing is None else "paths"] += 1
    expected = _at_once(run)
    seen["runs that stand still"] += bool(expected["deadlock"])
    seen["runs to the end"] += bool(expected["finished"])
    for _ in range(2):
        if how := _unlike(expected, _in_pieces(draw, run)):
            return name, f"in pieces: {how}"
    if run.net.routers * min(run.cycles, len(run.created.cycle) * 20) <= TWIN_WORK:
        seen["the twin"] += 1
        if how := _twin(run):
            return name, how
    if cast.multicast_share == 0.0 and run.trees.routing is not None and run.trees.routing.vcs == run.trees.vcs:
        seen["the plain simulator"] += 1
        if how := _plain(run):
            return name, how
    direct = cast.acknowledge == "direct" or (cast.repeated and cast.acknowledge != "none")
    plain = run.trees.routing is None or run.trees.routing.draws == 1  # they are by number, which is another outside
    if plain and not direct and cast.ack_delay_cycles > 0 and "LARP" not in cast.scheme and "REMAKE" not in cast.scheme:
        seen["from outside"] += 1
        return name, _outside(draw, run, expected)
    return name, ""
