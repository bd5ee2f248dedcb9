"""The timed machine by its tables takes the cycles of the kernel where both go the same way, and comes to faults."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from tests.machine.test_protocol_check import CHANGED, _broken
from tests.tiny.protocols import LAST, LAST_OWNER, SINGLE

from jumpnet.coherence.chart import chart_of
from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import protocol, register
from jumpnet.coherence.search.model import Model
from jumpnet.errors import JumpnetError
from jumpnet.machine.timed.by_tables import PAUSE, Access, TablesInTime
from jumpnet.machine.timed.carried import run_carried
from jumpnet.machine.timed.counterexample import replay_fault
from jumpnet.machine.timed.design import Costs, Design
from jumpnet.machine.timed.kernels import layout as at
from jumpnet.machine.timed.machine import Run
from jumpnet.machine.timed.own_steps import Plan, _Watch, records_of
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of

PROCESSORS = 3


class Fixed:
    """A carrier in which every message takes as long; what goes wrong with line 0 is looked for in every cycle."""

    def __init__(self, cycles, end, watch):
        self.cycles, self.end, self.now, self.under_way, self.watch = cycles, end, 0, [], watch

    @property
    def empty(self):
        return not self.under_way and self.now > self.end

    def post(self, row, source, to, sent, flits):
        self.under_way += zip((sent + self.cycles).tolist(), row.tolist(), strict=True)
        what = self.watch.m.message.reshape(-1, len(at.MESSAGE))[row // len(at.MESSAGE)]
        for k in np.flatnonzero((what[:, at.MESSAGE.kind] == at.TELL) & (what[:, at.MESSAGE.line] == 0)):
            self.watch.told[to[k]] = sent[k] + self.cycles

    def advance(self, cycle):
        self.now = cycle
        self.watch.look(cycle)
        now = sorted(message for message in self.under_way if message[0] <= cycle)
        self.under_way = [message for message in self.under_way if message[0] > cycle]
        arrived, row = (np.array([message[k] for message in now], np.int64) for k in range(2))
        return row, arrived


def _by_kernel(name, homes, work, latency, costs, end):
    """The memory of the kernel's machine in the end, and what went wrong with line 0 before."""
    rows = records_of((*work, ()))
    trace = Trace("made", PROCESSORS + 1, lambda: iter([block_of(*(np.array(c) for c in zip(*rows, strict=True)))]))
    streams = streams_of(trace, placement="given", homes=dict(enumerate(homes)), processors=PROCESSORS + 1)
    design = Design(protocol=name, directory="line", caches=(32, 1), synchronisation="free", costs=costs)
    run = Run(streams, design, None, None, None)
    watch = _Watch(run.m, Plan((*work, ()), tuple(homes), {}, end, costs))
    run_carried(run, Fixed(latency, end, watch))
    return run.m, watch


def _work(draw, name):
    """Pauses and accesses to a line that all share, whose home has no processor, and to one at each node."""
    alone = ["read"] if name == "update" else ["read", "write"]  # a home that is alone writes without asking itself
    accesses = (
        Access(PAUSE, 2 * draw.randrange(40)) if draw.random() < 0.4
        else Access(draw.choice(["read", "write"]), 0) if draw.random() < 0.8
        else Access(draw.choice(alone), p + 1)
        for p in range(PROCESSORS) for _ in range(40)
    )  # fmt: skip
    return tuple(zip(*[iter(accesses)] * 40, strict=True))


@pytest.mark.parametrize("name", ["msi", "mesi", "moesi", "dragon", "update", "single", "last", "last-owner"])
@pytest.mark.parametrize("seed", range(4))
def test_cycles_are_the_kernels(name, seed) -> None:
    """Exactly, whatever messages and memory-based processors take; and the kernel's lines go wrong nowhere."""
    for made in (SINGLE, LAST, LAST_OWNER):
        register(made)
    draw, homes = random.Random(seed), [PROCESSORS, 0, 1, 2]
    work = _work(draw, name)
    costs, latency = Costs(draw.choice([1, 7, 10]), draw.choice([0, 2])), draw.choice([1, 13, 60])
    model = Model(protocol(name), PROCESSORS, False, False, in_place=True)
    slow = TablesInTime(model, homes, work, latency=lambda *_: latency, costs=costs)
    slow.run(1 << 30)
    m, watch = _by_kernel(name, homes, work, latency, costs, max(slow.done))
    assert slow.fault == ""
    assert slow.done == m.proc.reshape(m.processors, -1)[:PROCESSORS, at.PROCESSOR.done].tolist()
    assert len(slow.sent) == m.kinds.sum() > 10
    writes = sum(access[:2] == ("write", 0) for accesses in work for access in accesses)
    assert watch.found == "" and sum(map(len, watch.writes)) < writes  # it has seen some


@pytest.mark.parametrize(("spacing", "waits"), [(0, 0), (100, 91)])
def test_a_home_that_tells_two_serves_another_line_when_the_second_is_told(spacing, waits) -> None:
    """Processor 3 writes what both others have; processor 2's read of the home's other line comes 9 cycles after that
    write was turned to."""
    homes, costs, latency = [PROCESSORS, 0, 1, 2, PROCESSORS], Costs(1, spacing), 13
    read, write, other = Access("read", 0), Access("write", 0), Access("read", 4)
    first = 1 + 1 + latency + 1 + latency + 1  # a read is asked for, sent, served, and answered
    work = ((read,), (Access(PAUSE, 200), read, Access(PAUSE, 210 - first), other), (Access(PAUSE, 400), write))
    model = Model(protocol("msi"), PROCESSORS, False, False, in_place=True)
    slow = TablesInTime(model, homes, work, latency=lambda *_: latency, costs=costs)
    slow.run(1 << 30)
    m, _ = _by_kernel("msi", homes, work, latency, costs, max(slow.done))
    assert slow.done == m.proc.reshape(m.processors, -1)[:PROCESSORS, at.PROCESSOR.done].tolist()
    assert slow.done[1] == 410 + first + waits


def _replayed(made, caches=3, **network):
    """The replay of a fault, which is that of the chart, step by step."""
    found = check_protocol(made, caches, **network)
    again = replay_fault(made, found)
    assert again.fault.startswith(found.fault)
    chart = [(row.what, row.home, row.caches) for row in chart_of(made, found)]
    assert [step[1:] for step in again.steps[: len(chart)]] == chart
    cycles = [step.cycle for step in again.steps] or [0]  # none where the first state is wrong
    assert cycles == sorted(cycles) and (cycles[-1] == again.cycle or found.fault.startswith("stuck"))
    assert all(message.sent < message.arrived <= again.cycle for message in again.messages)
    return again


@pytest.mark.parametrize(("name", "old", "new", "fault"), CHANGED)
def test_a_changed_rule_goes_wrong_in_time(name, old, new, fault) -> None:
    made = protocol(name)
    again = _replayed(replace(made, cache=made.cache.replace(old, new), home=made.home.replace(old, new)))
    assert any(word in again.fault for word in fault.split("|")), again.fault


@pytest.mark.parametrize(("name", "network"), [
    ("msi", {"order": "fifo"}), ("dragon", {}), ("moesi", {"acknowledges": "combined"}), ("limited", {}),
    ("chained", {}),
])  # fmt: skip
def test_each_row_and_action_that_lacks_goes_wrong_in_time(name, network) -> None:
    faulty = [made for _, made in list(_broken(protocol(name)))[::8] if check_protocol(made, 3, **network).fault]
    assert len(faulty) > 8
    for made in faulty:
        _replayed(made, **network)


def _without(name, side, old, new=""):
    made = protocol(name)
    assert old in getattr(made, side)
    return replace(made, **{side: getattr(made, side).replace(old, new)})


def test_a_writer_who_tells_nobody_goes_wrong_by_the_machines_own_steps_too() -> None:
    again = _replayed(_without("moesi", "home", "O   GetM        WO  ask, multicast Inv", "O   GetM  WO  ask"), 2)
    assert again.fault == "a stale value can be read in S" and again.steps[-1].what == "Grant: home -> cache 2"
    wrong = "in cycle 700 processor 2 may write beside the copy of processor 1"
    assert again.cycle == 700 and again.own == f"the machine's own steps go wrong too: {wrong}"
    again = _replayed(
        _without(
            "update", "home", "V   Upd   XV  ask, multicast", "V Upd DV ask, merge, reply UpdDone\nX X X multicast"
        )
    )
    wrong = "in cycle 600 processor 2 has a copy that a write of processor 1 missed"
    assert again.cycle == 600 and again.own == f"the machine's own steps go wrong too: {wrong}"


def test_a_race_that_the_home_has_no_row_for_is_in_no_own_step() -> None:
    """Argued by hand: the word that a line is given up is overtaken by the answer to the fetch that takes it away."""
    again = _replayed(_without("msi", "home", "M   PutM-      M   ack\n"), 2)
    assert again.fault == "no row for PutM- at the home in M" and again.steps[-1].what == "PutM: cache 1 -> home"
    assert again.accesses == ("150 cycles, write, 39 cycles, give up", "100 cycles, write", "")
    assert [record[:2] for record in again.records if record[4] == 0] == [(0, 0), (0, 4096), (1, 0)]
    times = {(message.event, message.source): (message.sent, message.arrived) for message in again.messages}
    assert times["PutM", 1] == (310, 640) and times["OwnerData", 1] == (450, 490)
    # The kernel's home takes the word as that of a node that owns the line no more.
    own = (
        "the machine's own messages are the same to cycle 650; what it does there is no table's, and nothing goes wrong"
    )
    assert again.cycle == 650 and again.own == own


def test_where_the_machines_own_steps_part_from_the_tables() -> None:
    """Processor 1 reads a line and processor 2 writes it. The tables' home (3) has not listed the reader and answers
    the writer at once; the machine lists whoever it has sent the line, and tells processor 1 first."""
    again = _replayed(
        _without("msi", "home", "U   GetS       DS  ask, reply Data, add", "U GetS DS ask, reply Data"), 2
    )
    assert again.fault == "a stale value can be read in S" and again.steps[-1].what == "DataM: home -> cache 2"
    answer = again.messages[-1]
    assert [(m.event, m.source, m.to) for m in again.messages[-2:]] == [("Done", 1, 3), ("DataM", 3, 2)]
    where = f"in cycle {answer.arrived}, the replay's alone"
    part = f"the machine's own steps do not come to it: they part at a message (data) from 3 to 2, {where}"
    assert again.own == part


def test_what_never_rests_says_who_waits() -> None:
    again = _replayed(_without("msi", "home", "DS  Done       S   -", "DS  Done       DS  -"), 2)
    assert again.fault.endswith("no message is left that may arrive, home in DS")
    assert again.steps[-1][1:] == ("Done: cache 1 -> home", "DS", ("S", "I"))
    assert again.own.startswith("the machine itself refuses these tables: protocol msi: ")


def test_ways_that_no_processor_goes_and_none_at_all_are_refused() -> None:
    early = replace(protocol("msi"), cache=protocol("msi").cache + "IS read IS send GetS")
    with pytest.raises(JumpnetError, match="a step of cache 1 found while its processor waits"):
        replay_fault(early, check_protocol(early, 2))
    assert (
        _replayed(_without("msi", "cache", "SM  read      SM  hit", "SM read SM -")).steps[-1].what == "cache 1: read"
    )
    with pytest.raises(JumpnetError, match="protocol msi without a fault found"):
        replay_fault(protocol("msi"), check_protocol(protocol("msi"), 1))
