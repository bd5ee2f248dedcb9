"""REMAKE on a few routers: times argued by hand, each destination once, no early acknowledge, and what must fail."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from tests.naive.multicast_ends import Processor
from tests.naive.multicast_routers import MulticastSimulation

from jumpnet.analysis.deadlock.multicast import multicast_dependencies, prove_multicast
from jumpnet.errors import JumpnetError
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import HANDS, Plan, bit_map_plan
from jumpnet.multicast.remaking import Remaking
from jumpnet.sim.config import preset
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.message_layout import MESSAGE_ROW
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.engine import MulticastEngine
from jumpnet.sim.multicast.messages import COMBINED, DIRECT, NO_ACK, Messages, forest
from jumpnet.topology import build

CHIP = preset("jump1")
FLITS = 13
SLOW = MulticastConfig(ack_delay_cycles=4, remake_cycles=30)
Sets = list[tuple[int, list[int]]]


def plans_of(spec: str, sets: Sets) -> list[Plan]:
    rules = chip_rules(build(spec))
    return [bit_map_plan(rules, scheme("REMAKE"), source, to) for source, to in sets]


def random_sets(spec: str, count: int, seed: int = 1) -> Sets:
    where, draw = chip_rules(build(spec)).where, random.Random(seed)
    sets: Sets = []
    for _ in range(count):
        source = draw.randrange(where.routers)
        sets.append((source, draw.sample(where.members(source, where.top).tolist(), draw.choice([1, 2, 5]))))
    return sets


def engine_of(spec: str, plans: list[Plan], kinds: list[int], ack: MulticastConfig, gap: int) -> MulticastEngine:
    """One message for each plan, `gap` cycles apart, run to the end with the laws checked on the way."""
    net, count = build(spec), len(plans)
    rows = Messages(np.arange(count) * gap, np.arange(count), np.full(count, FLITS), np.array(kinds))
    engine = MulticastEngine(net, 2, forest(net, plans), rows, CHIP.replace(events=True), ack)
    while engine.cycle < 50_000 and engine.go(25):
        engine.check()
    engine.check()
    return engine


def copies(engine: MulticastEngine) -> list[list[tuple[int, int]]]:
    """(router, cycle) of the last flit of every copy of each message that a terminal has taken."""
    found: list[list[tuple[int, int]]] = [[] for _ in engine.messages]
    for cycle, kind, message, _, _, flit, router, _ in engine.events().tolist():
        if kind == at.EVENT_ARRIVE and flit == FLITS - 1:
            found[message].append((router, cycle))
    return found


def assert_whole(engine: MulticastEngine, plans: list[Plan], sets: Sets) -> None:
    """Each destination has received once, each processor has what it makes anew, and no source knew too early."""
    done = engine.result()
    assert done.finished
    for plan, (_, to), seen, known in zip(plans, sets, copies(engine), done.acknowledged.tolist(), strict=True):
        made = plan.router[plan.local == HANDS].tolist()
        assert sorted(plan.receivers) == sorted(to), "a destination is lost, doubled, or was not named"
        assert Counter(router for router, _ in seen) == Counter(to) + Counter(made)
        assert known == -1 or known >= max(cycle for _, cycle in seen), "the source knew before the last had it"


def test_alone_every_processor_adds_its_time_and_a_start() -> None:
    """Two links of rank 1 on a PRDT, then one of rank 0: the time to each processor, its own, and on from there."""
    sets: Sets = [(0, [44])]
    (plan,) = plans_of("prdt:8", sets)
    assert plan.router[plan.local == HANDS].tolist() == [36]
    way = CHIP.zero_load_cycles(3, FLITS) + SLOW.remake_cycles + CHIP.zero_load_cycles(2, FLITS)
    one, end = CHIP.zero_load_cycles(2, 3), CHIP.zero_load_cycles(1, 3)
    for kind, known in ((NO_ACK, -1), (COMBINED, way + 2 * SLOW.ack_delay_cycles + 3 * one + 2 * end)):
        engine = engine_of("prdt:8", [plan], [kind], SLOW, 1)
        assert engine.result().last_arrival.tolist() == [way]
        assert engine.result().acknowledged.tolist() == [known]
        assert_whole(engine, [plan], sets)


def test_without_units_the_processors_count() -> None:
    """No buffer is free at the source, at the router after it, nor where the processor starts again."""
    sets: Sets = [(0, [44])]
    plans = plans_of("prdt:8", sets)
    none = MulticastConfig(ack_delay_cycles=4, remake_cycles=30, combining_entries=0)
    engine = engine_of("prdt:8", plans, [COMBINED], none, 1)
    way = CHIP.zero_load_cycles(3, FLITS) + 30 + CHIP.zero_load_cycles(2, FLITS)
    # Created at the receiver, the processor, the router between, and known at the source: 4 cycles each.
    assert engine.result().acknowledged.tolist() == [way + 4 * 4 + 3 * CHIP.zero_load_cycles(2, 3)]
    assert engine.result().fallbacks == 3


@pytest.mark.parametrize("spec", ["prdt:4", "prdt:8", "rdt:8", "rdt:16"])
@pytest.mark.parametrize("gap", [1, 200])
def test_each_destination_receives_once_and_the_source_waits_for_all(spec: str, gap: int) -> None:
    sets = random_sets(spec, 40)
    plans = plans_of(spec, sets)
    engine = engine_of(spec, plans, [COMBINED if k % 3 else NO_ACK for k in range(40)], SLOW, gap)
    assert_whole(engine, plans, sets)
    done = engine.result()
    assert done.remade == sum(int((plan.local == HANDS).sum()) for plan in plans) > 40
    assert (done.acknowledged[1::3] > done.last_arrival[1::3]).all()
    assert (done.fallbacks > 0) == (gap == 1) or spec == "rdt:16"


def test_direct_answers_come_from_destinations_only() -> None:
    net, rules = build("prdt:8"), chip_rules(build("prdt:8"))
    plan = bit_map_plan(rules, scheme("REMAKE"), 0, [45, 46, 3])
    plans = [plan, *(bit_map_plan(rules, scheme("SM"), to, [0]) for to in (45, 46, 3))]
    trees = forest(net, plans, {(45, 0): 1, (46, 0): 2, (3, 0): 3})
    rows = Messages(*(np.array([value]) for value in (0, 0, FLITS, DIRECT)))
    engine = MulticastEngine(net, 2, trees, rows, CHIP, SLOW)
    while engine.cycle < 1000 and engine.go(1):
        engine.check()
    done = engine.result()
    assert done.finished and done.acknowledged[0] > done.last_arrival[0]
    assert done.ack_link_flits == 3 * sum(len(plan.router) - 1 for plan in plans[1:])


def test_a_processor_never_adds_a_wait_between_channels() -> None:
    """It takes whatever comes, whole: the dependencies are some of those of the chip without it, so no ring closes."""
    for spec in ("prdt:8", "rdt:16"):
        rules = chip_rules(build(spec))
        anew = multicast_dependencies(Remaking(rules)).edges
        assert anew < multicast_dependencies(rules).edges
        assert prove_multicast(Remaking(rules)).deadlock_free


# What must fail: the same run with a rule broken.


def broken(monkeypatch: pytest.MonkeyPatch, what: str) -> tuple[list[Plan], Sets]:
    """Plans of a Remaking that loses a child, or that goes on by itself where it hands over too."""
    sets, fork = [(0, [45, 46, 3]), (9, [30, 60])], Remaking.fork

    def lose(self, here, stage, read=None):
        """The processor leaves the last child out of its map when there are several."""
        return fork(self, here, stage, read and (lambda rank, node: read(rank, node) & (read(rank, node) - 1 or -1)))

    def double(self, here, stage, read=None):
        """The packet also goes on to the next rank, as without a processor."""
        found = fork(self, here, stage, read)
        if found.again is None:
            return found
        more = self.rules.fork(here, found.again.stage, read)
        return found._replace(branches=(*found.branches, *more.branches))

    monkeypatch.setattr(Remaking, "fork", {"lost": lose, "doubled": double}[what])
    return plans_of("prdt:8", sets), sets


@pytest.mark.parametrize("what", ["lost", "doubled"])
def test_a_destination_lost_or_doubled_is_seen(monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    plans, sets = broken(monkeypatch, what)
    engine = engine_of("prdt:8", plans, [COMBINED] * len(plans), SLOW, 100)
    with pytest.raises(AssertionError, match="lost, doubled"):
        assert_whole(engine, plans, sets)


def test_a_processor_that_answers_before_its_subtree_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the slow twin: it then tells the source too early, and disagrees with the kernel."""
    sets: Sets = [(0, [44])]
    plans, net = plans_of("prdt:8", sets), build("prdt:8")
    rows = Messages(*(np.array([value]) for value in (0, 0, FLITS, COMBINED)))
    send_on, trees = Processor._send_on, forest(net, plans)

    def early(self, m, k, flits, t):
        send_on(self, m, k, flits, t)
        self._acknowledge(m, trees.at(k).origin, t)

    known = engine_of("prdt:8", plans, [COMBINED], SLOW, 1).result().acknowledged[0]
    for patched in (False, True):
        if patched:
            monkeypatch.setattr(Processor, "_send_on", early)
        slow = MulticastSimulation(net, 2, trees, rows, CHIP, SLOW)
        slow.run(int(known) + 50)
        assert (slow.acknowledged[0] == known) != patched
        assert (slow.acknowledged[0] > slow.last_arrival[0]) != patched


def test_the_laws_see_an_early_acknowledge_and_a_packet_not_made_anew() -> None:
    sets = random_sets("prdt:8", 5)
    engine = engine_of("prdt:8", plans_of("prdt:8", sets), [COMBINED] * 5, SLOW, 30)
    for field, change, law in (
        (MESSAGE_ROW.received, -1, "acknowledges"),
        (MESSAGE_ROW.last_arrival, 10**6, "acknowledges after receipts"),
    ):
        engine.messages[2, field] += change
        with pytest.raises(JumpnetError, match=law):
            engine.check()
        engine.messages[2, field] -= change
    engine.state.counter[COUNTER.remade] -= 1
    with pytest.raises(JumpnetError, match="nothing left over"):
        engine.check()
