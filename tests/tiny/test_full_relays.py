"""Multicasts as trees, counted acknowledges and pages that move where nodes have room for few messages, by hand."""

from __future__ import annotations

import pytest
from tests.naive.turns import hand_over, run_in_turns

from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed import machine
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.sim.config import preset
from jumpnet.sim.memory.fields import ReceiveBufferRow

CONFIG = preset("booksim", vcs=1, deadlock_cycles=9000)
BARRIER = 1 << 20
WHOLE = {"synchronisation": "free", "directory": "line", "config": CONFIG, "outstanding": 2}
KINDS = "read-request write-request write-back / tell / fetch acknowledge / owners-data / data write-back-done / done"


def _writes(holders: list[tuple[int, ...]]):
    """These nodes have line after line of node 0, which writes them one after the other, waiting for none."""
    lines = len(holders)
    rows = [(0, 32 * k, 4, False, 0) for k in range(lines)]
    rows += [(p, BARRIER, 4, True, 4) for p in range(4)]
    rows += [(p, 32 * k, 4, False, 0) for p in (1, 2, 3) for k in range(lines) if p in holders[k]]
    rows += [(p, BARRIER, 4, True, 4) for p in range(4)]
    rows += 100 * [(0, 0, 4, False, 0)]  # until nothing of this is under way
    rows += [(0, 32 * k, 4, True, 0) for k in range(lines)]
    return streams_of(Trace("made", 4, lambda: iter([block_of(*zip(*rows, strict=True))])))


def _written(lines: int | list[tuple[int, ...]], room: int, **how) -> int:
    """Cycles from the first write to the end of the last, of so many lines that 1, 2 and 3 have, or these nodes."""
    holders = lines if isinstance(lines, list) else lines * [(1, 2, 3)]
    fixed = {**WHOLE, "multicast": "full_map", "networks": KINDS, "endpoint_room": room, **how}
    run = closed_loop(_writes(holders), "mesh:4x1", **fixed)
    assert run.timing.messages["tell"] == sum(map(len, holders))
    return round(run.timing.write_stall * 4) + len(holders)


@pytest.mark.parametrize("kernels", [True, False])
@pytest.mark.parametrize("acknowledges", ["single", "counted", "combined"])
def test_a_router_keeps_the_place_of_a_copy_until_it_has_sent_on(acknowledges, kernels, monkeypatch) -> None:
    """Node 0 tells 2 and 1, and the router of node 2 tells 3, when it has had the copy for `forward` cycles.

    With one place the second line's copy waits before node 2 until the first has been sent on. Then its head has the
    output in that cycle, and its tail is there seven cycles later (as in test_full_nodes); from there on it takes as
    long as the first. All else was long over. With two places it is sent on some cycles after the first.
    """
    if not kernels:
        monkeypatch.setattr(machine, "run_cosimulated", run_in_turns)
    slow, how = 500, {"acknowledges": acknowledges}
    quick = _written(1, 1, **how)
    one = _written(1, 1, costs=Costs(forward_cycles=slow), **how)
    # a router waits before it sends a copy on, and before it sends the combined acknowledge of node 3 on
    assert one == quick + (slow - 1) * (2 if acknowledges == "combined" else 1)
    assert _written(2, 1, costs=Costs(forward_cycles=slow), **how) == one + slow + 7
    assert one < _written(2, 2, costs=Costs(forward_cycles=slow), **how) < one + 100


def test_a_processor_keeps_the_place_of_a_copy_that_its_router_has_sent_on() -> None:
    """The processors of nodes 1, 2 and 3 take so long for a copy that their routers have long sent it on.

    The second copy comes to node 2 seven cycles after its processor is through with the first, and to node 3 as much
    later than the first came there; node 3's processor is through with the first by then.
    """
    slow = Costs(handlers={"tell": 2000})
    one, two = (_written(lines, 1, costs=slow) for lines in (1, 2))
    assert two == one + 2000 + 7


def test_a_processor_keeps_the_place_where_nobody_else_decides() -> None:
    """Node 2 alone has the second line, whose copy waits before it until its processor is through with the first.

    Node 3, to which its router has long sent the first copy on, has nothing more to take.
    """
    slow = Costs(handlers={"tell": 2000})
    waiting, at_hand = (_written([(1, 2, 3), (2,)], room, costs=slow) for room in (1, 2))
    assert waiting == at_hand + 7  # as in the test above: seven cycles after the place is free


def test_acknowledges_that_a_router_counts_need_no_place_and_no_handler() -> None:
    """The home takes 2000 cycles for an acknowledge. Three of them, one after another; or the last of three."""
    slow = {"costs": Costs(handlers={"acknowledge": 2000})}
    three, last = (_written(1, 1, acknowledges=how, **slow) for how in ("single", "counted"))
    quick = _written(1, 1, acknowledges="counted")
    assert last == quick + 1990
    # node 3's acknowledge, the last, waits for the two before it
    assert 3 * 2000 < three < last + 2 * 2000


def test_a_request_that_is_sent_on_leaves_its_place_to_the_next() -> None:
    """Node 0 reads a line of its page once, node 1 others three times, so that the page goes to node 1; then node 2.

    Its first request goes to node 0, which sends it on, its second to node 1 itself, and it is then two ahead as well.
    One message at a time is under way, so that room for one is room enough.
    """
    rows, told = [(0, 0, 4, False, 0)], [(p, BARRIER, 4, True, 4) for p in range(3)]
    for p, line in ((1, 1), (1, 2), (1, 3), (2, 4), (2, 5)):
        rows += [*told, (p, 32 * line, 4, False, 0)]
    streams = streams_of(Trace("made", 3, lambda: iter([block_of(*zip(*rows, strict=True))])))
    how = {**WHOLE, "migrates": 2, "networks": "2"}
    loose = closed_loop(streams, "mesh:3x1", **how)
    tight = closed_loop(streams, "mesh:3x1", endpoint_room=1, endpoints="queued", **how)
    assert loose == tight and tight.timing.caches["moves"] == tight.timing.messages["page"] == 2
    assert tight.timing.messages["read request"] == 3 + 2 + 1


@pytest.mark.parametrize(
    "how",
    [
        {"multicast": "full_map"},
        {"multicast": "full_map", "acknowledges": "combined", "synchronisation": "message"},
        {"acknowledges": "counted", "synchronisation": "message"},
        {"migrates": 2, "outstanding": 1},
    ],
)
def test_all_places_are_free_in_the_end(how, monkeypatch) -> None:
    """Of every terminal as many as in the beginning: none is kept by anything, none is given back twice."""
    seen, run_cosimulated = [], machine.run_cosimulated

    def watched(run, network, *how):
        run_cosimulated(run, network, *how)
        run.m.count[machine.at.COUNT.horizon] = machine.at.FOREVER
        hand_over(run, network)
        seen.append((run.m, network))

    monkeypatch.setattr(machine, "run_cosimulated", watched)
    few = {**WHOLE, "endpoint_room": 3, "endpoints": "queued", "networks": "2", **how}
    closed_loop(_writes(5 * [(1, 2, 3)]), "mesh:4x1", **few)
    [(m, network)] = seen
    room = network.engine.memory.receive_buffer.reshape(-1, len(ReceiveBufferRow._fields))
    assert (room[:, ReceiveBufferRow._fields.index("spare")] == 3 - 1).all()  # and one that the output stands for
    assert (room[:, ReceiveBufferRow._fields.index("kept")] == 0).all()
    assert (m.relay[::2] < 0).all() and m.count[machine.at.COUNT.relays] == 0


def test_what_has_no_meaning_is_refused() -> None:
    how = {**WHOLE, "config": None, "multicast": "SM", "branches": "routers", "endpoint_room": 1}
    with pytest.raises(JumpnetError, match="multicasts that routers branch, which have one virtual network"):
        closed_loop(_writes([(1, 2, 3)]), "rdt:8", **how)
    for beside, kind in (({"multicast": "full_map"}, "tell"), ({"migrates": 2}, "read-request")):
        with pytest.raises(JumpnetError, match=rf"no number of networks is enough \({kind} -> {kind}\)"):
            closed_loop(_writes([(1, 2, 3)]), "mesh:4x1", networks="least", endpoint_room=1, **{**WHOLE, **beside})
