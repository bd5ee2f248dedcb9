"""The shortest way to a fault of tables, replayed in the timed machine: processors' accesses as a trace, messages
delayed so that they come in the order of the chart.

The machine goes by the tables here, message by message (`by_tables`), and whether it comes to the same fault by steps
of its own, is asked of its kernel with the same accesses and the same delays (`own_steps`). A step of the chart is
taken every SLOT times the cycles of a memory-based processor. Between two accesses a processor takes and gives back a
lock of its own, which costs a cycle and no message; it gives the line up by a read of a line of its own node that takes
its place. Called by `cli`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from typing import NamedTuple

from jumpnet.api.public import public
from jumpnet.coherence.chart import Path, path_of, what_of
from jumpnet.coherence.check import Checked
from jumpnet.coherence.protocol import Protocol
from jumpnet.coherence.search.model import Model, State
from jumpnet.coherence.search.records import Way
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.by_tables import HOME, PAUSE, Access, Packet, TablesInTime
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.own_steps import Carried, Plan, own_steps, records_of

__all__ = ["Carried", "Replayed", "TimedRow", "replay_fault"]

SLOT = 5
ENDLESS = 200
"""Slots after the chart's end, in which what never comes to rest does not come to rest."""
MOST_AFTER = 20
"""Steps after the chart that are shown of it."""


class TimedRow(NamedTuple):
    """A step, its cycle, and in which states it leaves home and caches."""

    cycle: int
    what: str
    home: str
    caches: tuple[str, ...]


@dataclass(frozen=True)
class Replayed:
    """What the timed machine did."""

    protocol: str
    fault: str
    """The invariant that is broken, or what no row says, in the checker's words; and who waits for ever."""
    cycle: int
    """When; cycles from the start of the processors."""
    steps: tuple[TimedRow, ...]
    """What happened to the line."""
    work: tuple[tuple[Access, ...], ...]
    """By processor, the home's last: line 0 is the one concerned, 1, 2, ... are those of the processors' own nodes."""
    messages: tuple[Carried, ...]
    own: str
    """What comes of it by the machine's own steps, in a line."""

    @property
    def records(self) -> list[tuple[int, int, int, bool, int]]:
        """The same as a trace (`own_steps.records_of`)."""
        return records_of(self.work)

    @property
    def accesses(self) -> tuple[str, ...]:
        """The work of each processor in words, the home's last; empty for none.

        >>> Replayed("p", "", 0, (), ((Access(PAUSE, 90), Access("read", 0), Access("read", 1)), ()), (), "").accesses
        ('90 cycles, read, give up', '')
        """
        words = {PAUSE: "{} cycles", HOME: "{}"}
        return tuple(
            ", ".join(
                words[a.what].format(a.event or a.number) if a.what in words else "give up" if a.number else a.what
                for a in accesses
            )
            for accesses in self.work
        )


@public
def replay_fault(protocol: Protocol, found: Checked, costs: Costs | None = None) -> Replayed:
    """Drive the timed machine to the fault that the checker has found (`check_protocol`).

    costs: of the machine; cycles of memory-based processors and between messages are asked of them. Raises
    JumpnetError for a verdict without a fault, and for a way that no processors go: where one that waits for a read
    does something else. Of two messages of one name between the same two places that comes first which the chart
    takes. Cost: that of the chart and some milliseconds, and of the kernel, which is compiled once.

    >>> from dataclasses import replace
    >>> from jumpnet.coherence.check import check_protocol
    >>> from jumpnet.coherence.protocol import protocol
    >>> wrong = replace(protocol("msi"), cache=protocol("msi").cache.replace("S   Inv       I ", "S   Inv       S "))
    >>> replayed = replay_fault(wrong, check_protocol(wrong))
    >>> replayed.fault, replayed.cycle, replayed.steps[-1].what
    ('a stale value can be read in S', 400, 'Inv: home -> cache 1')
    """
    if not found.fault:
        raise JumpnetError(f"protocol {protocol.name} without a fault found, one to replay expected")
    path, costs = path_of(protocol, found), costs or Costs()
    plan = _planned(path, costs)
    run = TablesInTime(
        path.model, plan.homes, plan.work, latency=plan.latency, costs=costs, outstanding=plan.outstanding,
        choose=plan.choose,
    )  # fmt: skip
    plan.run = run
    run.run(plan.end + ENDLESS * plan.slot)
    mine = [took for took in run.took if took.line == 0]
    on_the_way = [took.after for took in mine[: len(path.steps)]] == list(path.states[1:])
    if not on_the_way or (run.fault and (run.line or run.fault != found.fault)):
        raise JumpnetError(f"protocol {protocol.name}: {_elsewhere(run)}, the way to {found.fault} expected")
    fault, cycle = run.fault, run.cycle
    if not fault and not path.steps:
        fault, cycle = found.fault, 0
    elif not fault:
        fault, cycle = _never_rests(run, found.fault), mine[-1].cycle
    rows = tuple(_row(path.model, took.way, took.after, took.cycle) for took in mine[: len(path.steps) + MOST_AFTER])
    if path.refused is not None:
        rows += (_row(path.model, path.refused, path.states[-1], cycle),)
    carried = tuple(
        Carried(packet.event, packet.source + 1, packet.to + 1, sent, arrived)
        for packet, sent, arrived in run.sent
        if packet.line == 0 and arrived <= cycle
    )
    work = tuple(map(tuple, plan.work))
    given = work, tuple(plan.homes), plan.arrivals, plan.end, costs, plan.outstanding
    own = own_steps(protocol, Plan(*given, carried, cycle))
    return Replayed(protocol.name, fault, cycle, rows, work, carried, own)


def _row(model: Model, way: Way, state: State, cycle: int) -> TimedRow:
    """A way that was taken, and the state afterwards; one that no table has an answer to leaves the state as it is."""
    return TimedRow(cycle, what_of(model, way), *model.names(state))


def _elsewhere(run: TablesInTime) -> str:
    """What happened in place of the chart."""
    if run.fault and run.line:
        return f"{run.fault} with the line by which processor {run.line} gives up the other"
    return f"another way taken at cycle {run.cycle}"


def _never_rests(run: TablesInTime, fault: str) -> str:
    """Who waits in the end."""
    goes_on = "messages go on and on" if run.events else "no message is left that may arrive"
    home = run.model.homes[run.state[0][0]].state
    waits = [f"processor {p + 1} waits" for p in sorted(run.waits)]
    return ", ".join([f"{fault}: {goes_on}, home in {home}", *waits])


class _WaitsError(JumpnetError):
    """A processor that waits is to do something."""


def _planned(path: Path, costs: Costs) -> _Planned:
    """A plan in which processors wait for their writes, or do not where the chart has it so."""
    try:
        return _Planned(path, costs, 1)
    except _WaitsError:
        return _Planned(path, costs, 2)


class _Planned:
    """What makes the machine take the steps of a path: accesses in time, and how long each message takes."""

    def __init__(self, path: Path, costs: Costs, outstanding: int) -> None:
        self.path, self.costs, self.outstanding = path, costs, outstanding
        self.run: TablesInTime | None = None
        self.slot = SLOT * costs.occupancy_cycles
        caches = len(path.states[0]) - 1
        self.homes = [caches, *range(caches)]
        self.work: list[list[Access]] = [[] for _ in range(caches + 1)]
        self.now = [0] * (caches + 1)
        """By processor: when it has done what it was given, -1 while it waits for an answer."""
        self.times: dict[tuple[str, int, str], deque[int]] = defaultdict(deque)
        ways = [*map(self._way, range(len(path.steps))), *([path.refused] if path.refused else [])]
        for i, way in enumerate(ways):
            self._add(i, way)
        self.end = (len(ways) + 2) * self.slot
        self.arrivals = {key: tuple(times) for key, times in self.times.items()}

    def _way(self, i: int) -> Way:
        """The way of the path's step i."""
        before, step, model = self.path.states[i], self.path.steps[i], self.path.model
        said = step.cache, step.event, step.delivers
        ways = [way for way in model.ways(before) if (way.cache, way.event, way.delivers) == said]
        ways = [way for way in ways if way.at_cache == step.at_cache]
        return next(way for way in ways if step.after in model.after(before, way))

    def _add(self, i: int, way: Way) -> None:
        """Let a way be taken at its time."""
        time = (i + 2) * self.slot
        if way.delivers:
            self.times[way.where, way.cache, way.event].append(time - self.costs.occupancy_cycles)
        elif way.where == HOME:
            self._wait(len(self.work) - 1, time)
            self.work[-1].append(Access(HOME, 0, way.event))
            self.now[-1] = time + 1
        else:
            p = way.cache - 1
            # The line by which another one is given up is there a cycle and a message after it is asked for.
            early = 1 + self.costs.occupancy_cycles if way.event == "evict" else 0
            self._wait(p, time - early)
            self.work[p].append(Access("read", 1 + p) if early else Access(way.event, 0))
            self.now[p] = time if early else time + 1
        if i + 1 < len(self.path.states):
            self._note_waits(self.path.states[i], self.path.states[i + 1], time)

    def _note_waits(self, before: State, after: State, time: int) -> None:
        """Who waits for an answer after a step, and who has it by now."""
        for p, (old, new) in enumerate(zip(before[1:], after[1:], strict=True)):
            owed, owes = (self.path.model.records[number].owes for number in (old, new))
            if owes and not owed and not (self.outstanding > 1 and owes == "write"):
                self.now[p] = -1
            elif owed and not owes and self.now[p] < 0:
                self.now[p] = time

    def _wait(self, p: int, time: int) -> None:
        """Let a processor do nothing until a cycle."""
        if self.now[p] < 0 or self.now[p] > time:
            name = self.path.model.protocol.name
            raise _WaitsError(
                f"protocol {name}: a step of cache {p + 1} found while its processor waits, and takes none"
            )
        if time > self.now[p]:
            self.work[p].append(Access(PAUSE, time - self.now[p]))

    def latency(self, packet: Packet, sent: int) -> int:
        """Cycles that a message takes to come when the chart has it; what the chart leaves under way comes later."""
        times = self.times[packet.where, packet.cache, packet.event] if packet.line == 0 else None
        return max(1, times.popleft() - sent if times else max(self.end, sent + self.slot) - sent)

    def choose(self, line: int, states: list[State]) -> State:
        """The chart's next state, where a step may lead to several."""
        assert self.run is not None
        done = sum(took.line == 0 for took in self.run.took) + 1
        wanted = self.path.states[done] if line == 0 and done < len(self.path.states) else states[0]
        return wanted if wanted in states else states[0]
