"""Drawn runs, each simulated in several ways that must agree: `python -m tests.attack.drawn.engines --count 500`.

A run is drawn over networks, routings, routers, packets and traffic (`engine_draws`). It goes by lists of lanes in
one thread, at one go; then by the general engine, by sets of lanes, changing between them, by epochs of one cycle, in
pieces, by several threads, and through checkpoints. At drawn cycles every number that must be equal is compared
(`engine_views`) and the conservation laws are checked; short runs are compared with the plain-Python twin, event by
event. A difference is made smaller, and can be made again by its number (`--seed`, `--first`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
from tests.attack.drawn.engine_draws import Case, build_case, drawn, make_engine, trace_of
from tests.attack.drawn.engine_views import difference, picture

from jumpnet.errors import JumpnetError
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.sim.measure.checks import check
from jumpnet.sim.measure.run import Run
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.traffic import PacketList

__all__ = ["Way", "attack", "fault_of", "ways"]


class Way(NamedTuple):
    """How a run is done."""

    name: str
    threads: int = 1
    sets: bool | None = False
    """As `Engine` takes it."""
    changes: bool = False
    """Sets and lists in turn, at drawn cycles."""
    pieces: bool = False
    """Calls of drawn lengths."""
    general: bool = False
    """The kernel without constants, router by router."""
    single: bool = False
    """Epochs of one cycle."""
    kept: bool = False
    """By way of a checkpoint, which another number of threads goes on from."""


BASE = Way("lists")


def engine_of(case: Case, way: Way) -> Engine:
    """The engine of a run that goes so; sets only where the routers can be kept so."""
    engine = make_engine(case, way.threads, way.sets)
    if way.single:
        engine.memory.shape = engine.shape._replace(lookahead=1)
        engine.memory.replace_arrays(engine.state)
    return engine


def ways(case: Case, draw: Random) -> Iterator[Way]:
    """The ways in which a run can be done, besides the base; as many threads as are drawn."""
    engine = engine_of(case, Way("", threads=draw.choice([2, 2, 3, 4, 6, 8]), sets=None))
    packs = engine.memory.packs if engine.team is None else engine.team.packs
    yield Way("general, router by router", general=True, pieces=True)
    if engine.shape.lookahead > 1:
        yield Way("epochs of one cycle", single=True)
    if packs:
        yield Way("sets", sets=True)
        yield Way("sets and lists in turn", sets=True, changes=True, pieces=True)
    yield Way("as the engine chooses, through checkpoints", sets=None, pieces=True, kept=True)
    if packs:
        yield Way("sets and lists in turn, through checkpoints", sets=True, changes=True, pieces=True, kept=True)
    if engine.team is not None:
        k = engine.team.threads
        yield Way(f"{k} threads on lists", threads=k)
        if packs:
            yield Way(f"{k} threads on sets", threads=k, sets=True)
            yield Way(f"{k} threads as the engine chooses", threads=k, sets=None)
            yield Way(f"{k} threads, sets and lists in turn", threads=k, sets=True, changes=True, pieces=True)
        yield Way(f"{k} threads through checkpoints", threads=k, sets=None, pieces=True, kept=True)


def advance(engine: Engine, way: Way, to: int, draw: Random) -> None:
    """Go on to a cycle."""
    while engine.cycle < to:
        cycles = to - engine.cycle
        if way.pieces:
            cycles = min(cycles, draw.choice([1, 2, 3, 7, 40, 300, 1100]))
        if way.changes:
            engine.sets = draw.random() < 0.5
        if way.general:
            engine.memory.plain = engine.memory.packs = False
            engine.memory.replace(by_lists=0)
        engine.advance(cycles)


def through_file(case: Case, way: Way, engine: Engine, folder: Path, threads: int) -> Engine:
    """Another engine that goes on from a checkpoint of this one."""
    file = Checkpoint(folder / "run.npz", 0.0)
    run = Run(engine)
    engine.state.window[:] = case.window
    file.keep(run)
    other = engine_of(case, way._replace(threads=threads))
    file.restore(Run(other))
    file.remove()
    return other


def pictures(case: Case, way: Way, seed: str) -> Iterator[dict[str, Any] | str]:
    """What a run has come to at each stop; what it says, if it fails with JumpnetError."""
    draw = Random(seed)
    with tempfile.TemporaryDirectory() as folder:
        try:
            engine = engine_of(case, way)
            engine.state.window[:] = case.window
            for stop in case.stops:
                if way.kept:
                    advance(engine, way, draw.randint(engine.cycle, stop), draw)
                    engine = through_file(case, way, engine, Path(folder), draw.choice([1, way.threads, 3]))
                advance(engine, way, stop, draw)
                check(engine)
                yield picture(engine)
        except JumpnetError as error:
            yield str(error)


def compared(case: Case, way: Way, seed: str, expected: list[dict[str, Any] | str]) -> str:
    """Where a run done in another way differs first, empty where it does not."""
    for stop, one, other in zip(case.stops, expected, pictures(case, way, seed), strict=False):
        if isinstance(one, str) or isinstance(other, str):
            return (
                ""
                if one is other or one == other
                else f"{one if isinstance(one, str) else 'no error'} | {other!s:.300}"
            )
        if found := difference(one, other):
            return f"at cycle {stop}: {found}"
    return ""


def _put_into(slow: Simulation, trace: PacketList) -> None:
    """The packets of a trace into the queues of the twin's sources."""
    of_length = {flits: 2 * k for k, flits in enumerate(packet_lengths(slow.c.packet_flits)[0].tolist())}
    order = np.argsort(trace.cycle, kind="stable")
    for cycle, source, to, flits in zip(*(np.asarray(column)[order].tolist() for column in trace), strict=True):
        terminal = slow.terminals[source]
        kind = of_length[flits] if slow.c.exchange_flits else 0
        queue = terminal.sources[0].queue
        queue.append(terminal.packet(to, flits, cycle, kind, len(queue)))


def twin_difference(case: Case) -> str:
    """Where kernel and plain-Python twin record different events, or latencies; empty where they do not."""
    bound, config = build_case(case)
    trace = trace_of(case, bound.network.endpoints)
    if trace is not None and config.source_queue_packets:
        return ""
    cycles, config = case.twin_cycles, config.replace(events=True)
    engine = Engine(bound.network, bound, config, trace, threads=1)
    slow = Simulation(bound.network, bound, engine.config if trace is None else engine.config.replace(load=0.0))
    if trace is not None:
        _put_into(slow, trace)
    try:
        engine.advance(cycles)
        check(engine)
    except JumpnetError as error:
        return "" if "conservation" not in str(error) else str(error)
    slow.run(cycles)
    fast = engine.events()
    fast = fast[fast[:, at.EVENT_ENTER] < cycles]
    rows = sorted(slow.events)
    for mine, theirs in zip(map(tuple, fast.tolist()), rows, strict=False):
        if mine != tuple(theirs):
            return f"twin: event {mine} of the kernel, {tuple(theirs)} of the twin"
    if len(fast) != len(rows):
        return f"twin: {len(fast)} events of the kernel, {len(rows)} of the twin"
    if config.queues_at_outputs:
        return ""
    slow.run(engine.shape.sa + engine.shape.st + engine.shape.terminal_link)
    histograms = engine.state.histogram.reshape(config.counted_classes, at.HISTOGRAMS, -1)
    for counted, latencies in zip(histograms[:, at.H_FLIT], slow.flit_latencies, strict=True):
        if {int(k): int(counted[k]) for k in counted.nonzero()[0]} != latencies:
            return "twin: other latencies of flits"
    return ""


def fault_of(case: Case, seed: str, only: str = "", seen: Counter[str] | None = None) -> tuple[str, str]:
    """The first way in which a run differs from the base, and how; empty where none does."""
    seen = Counter() if seen is None else seen
    if case.twin_cycles and only in ("", "twin"):
        seen["twin, with traces" if case.packets else "twin"] += 1
        if found := twin_difference(case):
            return "twin", found
    if only == "twin":
        return "", ""
    expected = list(pictures(case, BASE, seed))
    if isinstance(expected[-1], str):
        seen["runs that end with an error"] += 1
        if "conservation" in expected[-1]:
            return BASE.name, expected[-1]
    elif expected[-1]["counter"][COUNTER.ejected] == 0:
        seen["runs in which no flit arrived"] += 1
    for way in ways(case, Random(seed)):
        if only in ("", way.name):
            seen[way.name] += 1
            if found := compared(case, way, seed, expected):
                return way.name, found
    return "", ""


def smaller(case: Case, seed: str, way: str) -> Case:
    """A simpler run that still differs in the same way."""

    def differs(other: Case) -> bool:
        try:
            build_case(other)
            return bool(fault_of(other, seed, way)[0])
        except JumpnetError:
            return False

    again = True
    while again:
        again = False
        for name in [name for name in case.settings if name != "seed"]:
            other = case._replace(settings={key: value for key, value in case.settings.items() if key != name})
            if differs(other):
                case, again = other, True
        total, twin = case.stops[-1], case.twin_cycles
        changes: list[dict[str, Any]] = [
            {"stops": (total,)}, {"stops": (max(1, total // 2),)}, {"packets": 0}, {"latencies": 0},
            {"twin_cycles": twin // 2}, {"vcs": case.vcs - 1}, {"faults": case.faults[:1]}, {"faults": case.faults[1:]},
        ]  # fmt: skip
        for other in [case._replace(**change) for change in changes]:
            if other != case and differs(other):
                case, again = other, True
                break
    return case


def attack(seed: str, first: int, count: int, end: float, seen: Counter[str]) -> Iterator[tuple[int, Case, str, str]]:
    """Runs `first` to `first + count - 1` of a seed until time.monotonic() is `end`: those that differ, and how."""
    for number in range(first, first + count):
        if end and time.monotonic() > end:
            return
        name = f"{seed}/{number}"
        case, refused = drawn(name)
        seen["runs"] += 1
        seen["refused"] += refused
        tell(case, seen)
        way, how = fault_of(case, name, "", seen)
        if way:
            yield number, case, way, how


def tell(case: Case, seen: Counter[str]) -> None:
    """Count what kind of run it is."""
    engine = engine_of(case, BASE)
    s = engine.shape
    packs, wide = engine.memory.packs, engine.memory.packing.wide
    seen["kind: " + (("32-bit sets", "64-bit sets")[wide] if packs else "no sets")] += 1
    seen[f"lanes: {min(96, s.lanes // 16 * 16)} and more"] += 1
    seen["routers: " + ("below 64" if s.routers < 64 else "64 and more")] += 1
    kinds = {at.EXCHANGE: "reads and writes", at.SEVERAL: "classes"}
    seen[f"with {kinds.get(s.kinds, 'one kind')}"] += 1
    about = {
        "speed-ups": s.has_speedup, "subnets": s.subnets > 1, "a window": case.window[0],
        "looks at queues": s.start_looks, "draws": s.start_draws > 1, "traces": case.packets,
        "unequal links": case.latencies, "cut-through": s.cut_through, "escapes or empty": s.reuse_empty,
        "bubbles": s.bubble, "replies": s.reply_flits, "faults": case.faults,
    }  # fmt: skip
    for name, value in about.items():
        seen[f"with {name}"] += bool(value)


def main() -> int:
    """Compare what the options say, and say what differs."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--count", type=int, default=100, help="Runs.")
    options.add_argument("--first", type=int, default=0, help="Number of the first one.")
    options.add_argument("--seed", default="0", help="Another seed, other runs.")
    options.add_argument("--minutes", type=float, default=0.0, help="Stop after so many minutes.")
    options.add_argument("--no-shrink", action="store_true", help="Leave a difference as it was drawn.")
    given = options.parse_args()
    end = time.monotonic() + 60 * given.minutes if given.minutes else 0.0
    seen: Counter[str] = Counter()
    faults = 0
    for number, case, way, how in attack(given.seed, given.first, given.count, end, seen):
        faults += 1
        print(f"run {number} differs: {way}: {how}\n  {case}", flush=True)
        if not given.no_shrink:
            print(f"  smaller: {smaller(case, f'{given.seed}/{number}', way)}", flush=True)
    for name, times in sorted(seen.items()):
        print(f"{times:7} {name}")
    print(f"{seen['runs']} runs, {faults} differ")
    return 1 if faults else 0


if __name__ == "__main__":
    np.seterr(all="raise")
    sys.exit(main())
