"""Proofs that fail are run into: the simulator's own watch finds the ring that the proof's packets close."""

from __future__ import annotations

import numpy as np
import pytest
from tests.tiny.proofs.ring_routing import round_or_back

from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.jit.random import below, draw63, stream_key
from jumpnet.networks import from_links
from jumpnet.replay import deadlock as deadlock_replay
from jumpnet.replay.deadlock import Replay, replay_deadlock
from jumpnet.replay.drawn_packets import nearby, with_draws
from jumpnet.routings import NORMAL, BoundRouting, Routing, bind
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList


def _is_a_cycle_of_dependencies(bound: BoundRouting, found: Replay) -> bool:
    net, (indptr, indices) = bound.network, dependencies(bound).rows
    ring = [(r * net.ports + p) * bound.vcs + v for r, p, v in found.ring]
    return len(ring) > 1 and all(
        there in indices[indptr[here] : indptr[here + 1]] for here, there in zip(ring, ring[1:] + ring[:1], strict=True)
    )


def test_a_ring_fills_when_all_enter_at_once() -> None:
    """Five packets of a ring, two hops each, all into the same cycle: each gets its first channel, none its second."""
    bound = bind("torus.dimension_order", build("torus:5x5"))
    found = replay_deadlock(prove(bound))
    assert (found.how, found.tries, found.same) == ("timed", 1, True)
    assert found.packets is not None and found.config is not None
    assert found.packets.cycle.tolist() == [0] * 5 and sorted(found.packets.source.tolist()) == [0, 1, 2, 3, 4]
    assert ((found.packets.destination - found.packets.source) % 5 == 2).all()
    assert (found.packets.flits > 2 * found.config.buffer_flits).all()  # longer than what lies between source and head
    assert {r for r, _, _ in found.ring} == {0, 1, 2, 3, 4} and _is_a_cycle_of_dependencies(bound, found)
    again = simulate(bound.network, "torus.dimension_order", found.config, trace=found.packets)
    assert again.deadlock is not None and set(again.deadlock) == set(found.ring)


def test_fewer_channels_than_needed_are_run_all_the_same() -> None:
    """The simulator refuses a dragonfly with one class, so the replay is the only way to see what it is for."""
    bound = bind("dragonfly.minimal", build("dragonfly:2"), 1)
    with pytest.raises(JumpnetError, match="at least 2 expected"):
        simulate(bound.network, bound)
    found = replay_deadlock(prove(bound))
    assert found.how == "timed" and found.same and _is_a_cycle_of_dependencies(bound, found)


def test_packets_with_a_choice_find_the_other_way_shut() -> None:
    """Four packets to opposite corners of a square have two ways each: another packet lies on the other one."""
    bound = bind("mesh.duato", build("mesh:3x3"), 1)
    found = replay_deadlock(prove(bound))
    assert found.packets is not None and found.same and _is_a_cycle_of_dependencies(bound, found)
    first = found.packets.cycle == found.packets.cycle.min()
    assert first.sum() == 4 and (~first).sum() == 4
    assert found.packets.flits[first].min() > found.packets.flits[~first].max()
    one = [np.abs(bound.network.coord[s] - bound.network.coord[d]).sum() for s, d in zip(
        found.packets.source[first], found.packets.destination[first], strict=True)]  # fmt: skip
    assert one == [1] * 4


@pytest.mark.parametrize(
    ("spec", "name", "vcs"),
    [("dragonfly:2", "dragonfly.valiant", 2), ("torus:5x5", "torus.valiant", 2), ("dragonfly:2", "dragonfly.ugal", 2)],
)
def test_packets_by_a_middle_router_draw_it(spec: str, name: str, vcs: int) -> None:
    """Only by chance would all packets draw their middle routers at once: that the first runs end in the proof's own
    ring shows that the packets before them were as many as it takes. Where queues decide, one of them was filled."""
    bound = bind(name, build(spec), vcs)
    found = replay_deadlock(prove(bound))
    assert found.how == "timed" and found.tries <= 3 and found.same and _is_a_cycle_of_dependencies(bound, found)
    assert found.packets is not None and (found.packets.flits == 1).sum() > 0


def test_packets_before_others_are_those_that_the_draws_want() -> None:
    """Whatever is drawn will do: none. Else the numbers of the packets at their sources are those with these draws."""
    two = PacketList(np.array([5, 0]), *(np.array(row, np.int32) for row in ([3, 3], [1, 2], [9, 9])))
    near = np.zeros(4, np.int64)
    any_draw = with_draws(two, np.array([-1, -1]), 7, 1, near)
    assert any_draw is not None and [column.tolist() for column in any_draw] == [column.tolist() for column in two]
    made = with_draws(two, np.array([4, 2]), 7, 1, near)
    assert made is not None
    first = len(made.cycle) - 2
    assert made.flits.tolist() == [1] * first + [9, 9] and (np.diff(made.cycle[:first]) == 1).all()
    drawn = [int(below(draw63(stream_key(1, 2 * 3 + 1), 4 * number + 2), 7)) for number in range(first + 2)]
    assert drawn[-2:] == [2, 4] and [2, 4] not in [drawn[k : k + 2] for k in range(first)]  # in order of creation
    assert with_draws(two, np.array([7, 7]), 7, 1, near) is None


def test_packets_before_others_go_where_terminals_receive() -> None:
    """Four leaves with two terminals each below switches that have none, whichever are numbered first."""
    ends = np.array([[leaf, switch] for leaf in range(4) for switch in (4, 5)])
    for last in (False, True):
        some = np.array([2, 2, 2, 2, 0, 0] if last else [0, 0, 2, 2, 2, 2])
        net = from_links("t", "t", 6, ends if last else (ends + 2) % 6, terminals=some, sinks=some)
        to = nearby(net)
        assert len(to) == 8 and (to >= 0).all() and (to < 8).all() and (to // 2 != np.arange(8) // 2).all()


def test_free_of_deadlock_is_refused_in_one_line() -> None:
    with pytest.raises(
        JumpnetError, match=r"^torus.dateline on torus:5 is free of deadlock: there is none to run into$"
    ):
        replay_deadlock(prove(bind("torus.dateline", build("torus:5"))))


def test_where_there_is_no_knot_long_packets_deadlock_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """The packets of the cycle can go the other way, and do, as long as each lies in one buffer; packets over several
    channels can shut the ways of all, which the proof leaves open."""
    monkeypatch.setattr(deadlock_replay, "TIMED", 12)
    monkeypatch.setattr(deadlock_replay, "REPEATED", 2)
    routing = Routing("ring.round", round_or_back(NORMAL), vcs=2, adaptive=True)
    proof = prove(routing.bind(build("torus:4")))
    found = replay_deadlock(proof)
    assert (proof.verdict, found.waiting.kind, found.how, found.tries) == ("unproved", "cycle", "traffic", 15)
    assert found.config is not None and found.config.vc_reuse == "empty"
    run = simulate("torus:4", routing, found.config, max_cycles=4000)
    assert run.deadlock is not None
    assert simulate("torus:4", routing, found.config, max_cycles=4000, packet_flits="2").deadlock is None
    monkeypatch.setattr(deadlock_replay, "HEAVY", ())
    assert (replay_deadlock(proof).how, replay_deadlock(proof).tries) == (None, 14)


def test_what_is_not_found_is_not_made_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a run nothing is found, and the number of runs says so; uniform traffic alone finds another ring."""
    proof = prove(bind("torus.dimension_order", build("torus:6x6")))
    for name in ("TIMED", "REPEATED"):
        monkeypatch.setattr(deadlock_replay, name, 0)
    heavy = replay_deadlock(proof)
    assert (heavy.how, heavy.packets) == ("traffic", None) and _is_a_cycle_of_dependencies(heavy.bound, heavy)
    monkeypatch.setattr(deadlock_replay, "HEAVY", ())
    none = replay_deadlock(proof)
    assert (none.how, none.tries, none.ring, none.config) == (None, 0, (), None)


def test_repeated_packets_are_thinned_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many packets those are left without which there would be no deadlock: none of them can be spared."""
    monkeypatch.setattr(deadlock_replay, "TIMED", 0)
    found = replay_deadlock(prove(bind("torus.dimension_order", build("torus:4"))))
    assert found.how == "repeated" and found.packets is not None and found.config is not None
    left = len(found.packets.cycle)
    assert 4 <= left <= 8
    for k in range(left):
        fewer = type(found.packets)(*(np.delete(column, k) for column in found.packets))
        assert simulate("torus:4", "torus.dimension_order", found.config, trace=fewer).deadlock is None
