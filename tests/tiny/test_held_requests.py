"""Messages that wait for room at a node, argued by hand: whom they hold up, and whom they must not."""

from __future__ import annotations

import numpy as np
import pytest

from jumpnet.coherence.protocol import protocols
from jumpnet.machine.closed_loop import closed_loop
from jumpnet.machine.timed.design import Costs
from jumpnet.machine.timed.networks import TABLE, WORDS, message_kinds, room_rules
from jumpnet.machine.timed.streams import streams_of
from jumpnet.machine.trace import Trace, block_of
from jumpnet.sim.config import preset

BARRIER, LINES, TELL = 1 << 20, 16, 5000
READ, WRITE = False, True
Rows = tuple[tuple[int, int, bool], ...]
APART = "{} / write-back / tell write-back-done / acknowledge fetch / owners-data / data / done"
TWO, ONE = APART.format("read-request / write-request"), APART.format("read-request write-request")


def _line(number: int, page: int = 0) -> int:
    """The address of a line of a page, which lies at the node of its number."""
    return 4096 * page + 32 * number


def _while_told(*rows: tuple[int, int, bool], then: int = 300, before: Rows = ()) -> object:
    """Node 1 has lines 0 to 16 of node 0, and node 0 has written its own line 20, of which nobody else knows.

    Then node 2 reads line 0, node 1 gives it up for one of its own, and node 0 writes the others one after the other,
    waiting for none: node 1 takes TELL cycles for each message that takes its copy away. So no more of them find room
    in their network, long before node 2 has its line, and for long after. From cycle `then` on after the barrier these
    references (processor, address, write) are made, and others before it.
    """
    meet = [(p, BARRIER, 4, True, 4) for p in range(4)]
    made = [(p, address, 4, write, 0) for p, address, write in before]
    made += [(1, _line(k), 4, READ, 0) for k in range(LINES + 1)] + [(0, _line(20), 4, WRITE, 0), *meet]
    made += [(2, _line(0), 4, READ, 0), (1, _line(0, 1), 4, READ, 0)]
    made += 100 * [(0, _line(20), 4, READ, 0)] + [(0, _line(k), 4, WRITE, 0) for k in range(1, LINES + 1)]
    waits = then - 100 - LINES
    made += [(p, _line(20, p), 4, READ, 0) for p, n in ((0, waits), (3, then)) for _ in range(n)]
    made += [(p, address, 4, write, 0) for p, address, write in rows]
    block = block_of(*zip(*made, strict=True))
    return streams_of(Trace("made", 4, lambda: iter([block])), placement="interleaved")


def _read_stall(streams, networks: str, room: int) -> int:
    """Cycles that processors have waited for reads."""
    config = preset("booksim", vcs=1, deadlock_cycles=9 * TELL)
    how = {"directory": "line", "synchronisation": "free", "caches": (4096, 1), "hints": True, "outstanding": 64}
    how["costs"] = Costs(handlers={"tell": TELL, "data": 1000})
    run = closed_loop(streams, "mesh:4x1", **how, endpoint_room=room, networks=networks, config=config)
    return round(4 * run.timing.read_stall)


@pytest.mark.parametrize("room", [1, 2])
def test_a_request_is_served_whose_line_was_given_up_before_without_room_for_the_answer(room) -> None:
    """Node 0 has node 1's word, and behind it the read of node 3, when node 2 has the line of both.

    Then it cannot answer node 1, as messages to node 1 are in the way, but node 3: as soon as where all find room.
    """
    streams = _while_told((3, _line(0), READ))
    assert _read_stall(streams, TWO, room) == _read_stall(streams, TWO, 1000)


def test_a_line_of_the_node_itself_needs_no_room_to_be_given_up() -> None:
    """Line 20 of page 4 lies at node 0 as well, and takes the place of line 20, which node 0 reads once more then."""
    streams = _while_told((0, _line(20, 4), READ), (0, _line(20), READ))
    assert _read_stall(streams, TWO, 1) == _read_stall(streams, TWO, 1000)


WITH_TELL = "read-request / write-request / write-back / tell data write-back-done / acknowledge / fetch / owners-data"


@pytest.mark.parametrize("room", [1, 2])
@pytest.mark.parametrize("before", [(), ((3, _line(50), WRITE),)])
def test_what_the_home_itself_asked_for_needs_no_room_for_an_answer(before, room) -> None:
    """Node 0 reads a line of its own, from memory or from node 3 that has written it, while lines could not be sent.

    So do the acknowledges of its writes wait for nothing, or node 1 could send no more of them at last: under `held`
    and with room for one or two the machine stood still.
    """
    alone, rows = _while_told(before=before), ((0, _line(50), READ),)
    streams, networks = _while_told(*rows, before=before), f"{WITH_TELL} / done"
    waited = _read_stall(streams, networks, room) - _read_stall(alone, networks, room)
    assert waited == _read_stall(streams, networks, 1000) - _read_stall(alone, networks, 1000) < TELL


ASKED = {"read-request": "data", "write-request": "data", "acknowledge": "data", "lock": "grant"}
WRITTEN_BACK = {"write-back": "write-back-done", "owners-data": "data"}


@pytest.mark.parametrize(
    ("name", "answers"), [("msi", {**ASKED, **WRITTEN_BACK}), ("update", ASKED), ("limited_update", ASKED)]
)
def test_a_home_that_asked_itself_sends_all_but_answers(name, answers) -> None:
    """So an unlock is answered by another's grant, and under few pointers the last acknowledge by what others hear."""
    kinds = message_kinds(protocols()[name], by_message=True)
    found = room_rules(kinds, tuple((kind,) for kind in kinds.names), "held", np.zeros(len(WORDS), np.int64))
    sent = [{(a, kinds.names[k]) for a, bits in zip(WORDS, found[needs].tolist(), strict=True)
             for k in range(len(kinds.names)) if bits >> k & 1} for needs in ("needs", "needs_own")]  # fmt: skip
    assert sent[0] - sent[1] == set(answers.items()) and sent[1] < sent[0] == kinds.sends


def test_a_request_to_another_home_needs_room_for_itself_alone() -> None:
    """Processor 0 reads a line of node 2, while its node could not ask an owner for a line of its own."""
    networks = "read-request / write-request / write-back / tell write-back-done fetch / acknowledge / owners-data"
    streams, networks = _while_told((0, _line(0, 2), READ)), f"{networks} / data / done"
    assert _read_stall(streams, networks, 1) == _read_stall(streams, networks, 1000)


@pytest.mark.parametrize(("rows", "room"), [([(0, _line(30), READ)], 1),
                                            ([(3, _line(40), WRITE), (3, _line(41), READ)], 2)])  # fmt: skip
def test_messages_of_one_network_are_turned_to_in_order_of_arrival(rows, room) -> None:
    """A write that may take copies away waits, and so does a read behind it, of the node's own processor or of another.

    Where writes have a network of their own the read does not wait: no longer than where there is room for all, and
    where node 3 has the line that it writes before the one that it reads.
    """
    streams = _while_told(*rows)
    at_once = _read_stall(streams, TWO, room)
    assert at_once <= _read_stall(streams, TWO, 1000) == _read_stall(streams, ONE, 1000)
    assert _read_stall(streams, ONE, room) > at_once + TELL


def test_what_a_router_counts_waits_for_nothing() -> None:
    """Neither acknowledges nor arrivals at a barrier, which nobody has asked for."""
    last = {("barrier", "release"), ("acknowledge", "data")}
    for endpoints in ("held", "reserved"):
        one_by_one, counted = (
            message_kinds(protocols()["update"], by_message=True, parts=parts).waits(endpoints)
            for parts in ((), ("counted",))
        )
        assert one_by_one & last == last - ({("acknowledge", "data")} if endpoints == "reserved" else set())
        assert counted & last == set()


def test_every_kind_has_a_row() -> None:
    words = [kind.word for kind in TABLE]
    assert sorted(words) == sorted(WORDS)
    assert {word for kind in TABLE for word in (*kind.sends.split(), kind.like)} <= {*words, ""}


def test_what_the_machines_messages_send() -> None:
    """A home fetches a line from its owner, or tells those listed; all is answered, as a line that is given up is."""
    assert message_kinds(protocols()["msi"], by_message=False).sends == {
        ("read-request", "data"), ("read-request", "fetch"), ("fetch", "owners-data"), ("owners-data", "data"),
        ("write-request", "data"), ("write-request", "tell"), ("tell", "acknowledge"), ("acknowledge", "data"),
        ("data", "done"), ("write-back", "write-back-done"),
    }  # fmt: skip
