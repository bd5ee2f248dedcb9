"""Wavefront and random allocation argued by hand: two packets that meet at one output of a ring's router."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory import layout as at
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.sim.reference.matching import largest, lonely
from jumpnet.sim.reference.parts import Arbiters
from jumpnet.topology import build
from jumpnet.traffic import PacketList


def meeting(flits: int, **settings: Any) -> str:
    """Who sends over the link from router 1 to 2, flit by flit while both have flits.

    A comes over a link, B from the terminal. Router 1 has two links and a terminal: A comes by input 1, B by input 2,
    both leave by output 0.
    """
    config = config_from({"events": True, "vcs": 2, "buffer_flits": 16, **settings})
    trace = PacketList(*(np.array(column) for column in ([0, 0], [0, 1], [2, 2], [flits, flits])))
    engine = Engine(build("torus:8"), "torus.dimension_order", config, trace)
    engine.advance(4 * flits + 100)
    rows = engine.events()
    link = rows[(rows[:, 1] == at.EVENT_SWITCH) & (rows[:, 6] == 1) & (rows[:, 7] < 2)]
    assert set(link[:, 7] // 2) == {0}
    assert len(link) == 2 * flits
    sent = "".join("AB"[source] for source in link[:, 2])
    return sent[sent.index("A") : min(sent.rindex("A"), sent.rindex("B"))]


def test_a_wavefront_favours_the_input_that_lies_before() -> None:
    """Cells on diagonals 1 (A) and 2 (B) of three. The first diagonal moves on by one a cycle: from 0 and from 1 A's is
    the next to come, from 2 B's. So A sends two flits of three."""
    assert meeting(60, allocator="wavefront").startswith("AABAABAABAABAAB" * 2)


@pytest.mark.parametrize("allocator", ["rr_wavefront", "islip"])
def test_both_are_served_in_turn_where_the_first_diagonal_goes_past_a_grant(allocator: str) -> None:
    """After A's grant on diagonal 1 the first one is 2, which is B's; after B's it is 0, from which A's comes first."""
    assert meeting(60, allocator=allocator).startswith("ABABABABABAB")


def test_a_random_choice_goes_by_the_next_input_from_anywhere() -> None:
    """The output begins at input 0, 1 or 2 alike and takes the first that asks from there on: from 0 and 1 that is A.

    Of n flits 2 n / 3 are A's, with a standard deviation of the root of 2 n / 9: 4 of them are the bar.
    """
    sent = meeting(900, allocator="pim")
    n = len(sent)
    assert n > 1000
    assert abs(sent.count("A") - 2 * n / 3) < 4 * (2 * n / 9) ** 0.5
    assert sent != meeting(900, allocator="pim", seed=2)


@pytest.mark.parametrize("vc_allocator", ["input_first", "output_first"])  # the engines on lists, and for all settings
def test_an_input_serves_its_outputs_in_turn(vc_allocator: str) -> None:
    """At router 0 packet C from its terminal and A from router 7 share the link to router 1, so that A's flits pile up
    before those of B, which comes behind A on the other channel of the same input and stays at router 0.

    After a flit of A the input's turn is B's: it goes while C has the link. Without turns A, whose output is the first,
    would be the input's choice as long as it has a flit, also in cycles in which C has the link.
    """
    config = config_from({"events": True, "vcs": 2, "buffer_flits": 16, "vc_allocator": vc_allocator})
    trace = PacketList(*(np.array(column) for column in ([0, 0, 0], [0, 7, 7], [1, 1, 0], [60, 16, 16])))
    engine = Engine(build("torus:8"), "torus.dimension_order", config, trace)
    engine.advance(250)
    rows = engine.events()
    crossed = rows[(rows[:, 1] == at.EVENT_SWITCH) & (rows[:, 6] == 0)]
    sent = "".join("C" if source == 0 else "AB"[number] for source, number in crossed[:, 2:4].tolist())
    assert (sent.count("A"), sent.count("B"), sent.count("C")) == (16, 16, 60)
    assert sent[sent.index("B") - 1 :].startswith("CBA" * 7)


def meeting_at_the_end_of_a_tree(allocator: str) -> str:
    """Who sends to terminal 0 of a butterfly: A by input 0 of the last switch, B by input 1. It has no other input or
    output but output 1: rows of ports of terminals that send, and of links that go on, are there for other switches."""
    config = config_from({"events": True, "vcs": 2, "buffer_flits": 16, "allocator": allocator})
    trace = PacketList(*(np.array(column) for column in ([0, 0], [0, 2], [0, 0], [900, 900])))
    engine = Engine(build("fly:2,n=2"), "fly.destination_tag", config, trace)
    engine.advance(4000)
    rows = engine.events()
    sent = "".join("A" if s == 0 else "B" for s in rows[(rows[:, 1] == at.EVENT_SWITCH) & (rows[:, 6] == 2), 2])
    assert sent.count("A") == sent.count("B") == 900
    return sent[2 : min(sent.rindex("A"), sent.rindex("B"))]


def test_ports_that_a_switch_lacks_do_not_count() -> None:
    """Of two inputs a random one goes first: A's half. The two diagonals take turns. Would the switch count inputs that
    it lacks (two of four), A would send three flits of four: the first one from those on."""
    sent = meeting_at_the_end_of_a_tree("pim")
    n = len(sent)
    assert n > 1000
    assert abs(sent.count("A") - n / 2) < 4 * (n / 4) ** 0.5
    assert "ABAB" * 100 in meeting_at_the_end_of_a_tree("wavefront")


@pytest.mark.parametrize("settings", [{"arbiter": "matrix"}, {"allocator": "output_first", "arbiter": "matrix"}])
def test_arbiters_serve_in_turn_who_asks_all_the_time(settings: dict[str, Any]) -> None:
    """Two that ask are served in turn, as who was served least recently goes first."""
    assert meeting(60, **settings).startswith("ABABABABABAB")


def test_a_matrix_arbiter_serves_the_last_first_and_the_others_by_when_they_were_served() -> None:
    arbiters = Arbiters(1, 3)
    served = []
    for asking in ([0, 1, 2], [0, 1, 2], [0, 2], [0, 1], [1, 2], [0, 1, 2]):
        first = min(asking, key=lambda one: arbiters.place(0, one))
        arbiters.serve(0, first)
        served.append(first)
    assert served == [2, 1, 0, 1, 2, 0]


@pytest.mark.parametrize(("kind", "expected"), [("round_robin", "021202"), ("matrix", "212021")])
def test_a_tree_serves_its_groups_before_what_is_in_them(kind: str, expected: str) -> None:
    """0 and 1 are a group, 2 of another: a group that asks all the time gets half, and in it each gets half of that."""
    tree, served = Arbiters(1, 4, kind, 2), ""
    for _ in range(6):
        first = min((0, 1, 2), key=lambda one: tree.place(0, one))
        tree.serve(0, first)
        served += str(first)
    assert served == expected


def test_a_tree_of_one_group_or_of_single_ones_is_its_arbiter() -> None:
    plain = meeting(60)
    assert meeting(60, arbiter_groups=3) == meeting(60, vc_arbiter_groups=2, vc_asks_by_channel=True) == plain


def test_a_lonely_output_is_asked_for_and_most_inputs_are_matched() -> None:
    """Inputs 0 and 1 both ask for output 0, input 1 for output 1 too, which nobody else does: each gets one."""
    asked = {0: [0], 1: [0, 1]}
    assert lonely(asked, [0, 0], [0, 0]) == {0: 0, 1: 1}
    # Of a longer chain, lonely outputs leave out one that a path finds: 3 asks for the output of 2, which has another.
    chain = {0: [0, 1], 1: [1, 2], 2: [2, 3], 3: [0]}
    assert len(largest(chain, 4, 0)) == 4


@pytest.mark.parametrize("allocator", ["lonely_output", "max_size"])
def test_turns_that_go_on_by_one_favour_the_input_that_lies_before(allocator: str) -> None:
    """The turn of the output, or the first input, goes on by one of three inputs with each flit: from 0 and from 1 A's
    is the next that asks, from 2 B's."""
    assert meeting(60, allocator=allocator).startswith("AABAABAABAABAAB" * 2)


def test_what_goes_first_by_what_a_router_sees() -> None:
    """A's flits enter the network in the cycles in which B's do, and come to router 1 later. By the age in the network
    they go first until those of B are as old, then in turn; by the hops, of which A has one, all of A goes first; by
    the age in the router and by the queue both go in turn, as a flit that waits is older, and its queue longer."""
    assert meeting(40, priority="hop_count") == "A" * 39
    assert meeting(40, priority="network_age").startswith("AAAAABABABABAB")
    assert meeting(40, priority="local_age").startswith("ABABABABABAB")
    assert meeting(40, priority="queue_length").startswith("ABABABABABAB")


@pytest.mark.parametrize("vc_allocator", ["wavefront", "rr_wavefront", "pim", "lonely_output", "max_size"])
def test_a_packet_alone_takes_no_longer(vc_allocator: str) -> None:
    config = config_from({"load": 0.0001, "vcs": 2, "allocator": vc_allocator, "vc_allocator": vc_allocator})
    trace = PacketList(*(np.array([n]) for n in (0, 0, 3, 16)))
    engine = Engine(build("torus:8"), "torus.dimension_order", config.replace(events=True), trace)
    engine.advance(100)
    assert engine.events()[-1, 0] == config.zero_load_cycles(4, 16)


def test_what_does_not_go_together_is_refused() -> None:
    with pytest.raises(JumpnetError, match="allocator_iterations 2 with allocator wavefront found, one iteration"):
        config_from({"allocator": "wavefront", "allocator_iterations": 2})
    with pytest.raises(JumpnetError, match="vc_allocator_iterations 2 with vc_allocator input_first found"):
        config_from({"vc_allocator_iterations": 2})
    with pytest.raises(JumpnetError, match="arbiter matrix with allocator islip found, a separable one"):
        config_from({"allocator": "islip", "arbiter": "matrix"})
    with pytest.raises(JumpnetError, match="vc_arbiter_groups 2 with vc_allocator pim found, a separable one"):
        config_from({"vc_allocator": "pim", "vc_arbiter_groups": 2})
    with pytest.raises(JumpnetError, match="arbiter_groups 2 found, a divisor of 3 and of 3 expected"):
        meeting(1, arbiter_groups=2)
    with pytest.raises(JumpnetError, match="arbiter_groups 2 on fly found, 1 expected where routers differ"):
        Engine(build("fly:2,n=2"), "fly.destination_tag", config_from({"arbiter_groups": 2}))
    with pytest.raises(JumpnetError, match="vc_empty_first True with selection first found, selection round_robin"):
        config_from({"vc_empty_first": True, "selection": "first"})
    with pytest.raises(JumpnetError, match="speculation with several allocator_iterations found, one expected but"):
        config_from({"allocator": "output_first", "allocator_iterations": 2, "speculation": True})
    with pytest.raises(JumpnetError, match="priority sequence with several kinds of packets found"):
        config_from({"priority": "sequence", "reply_flits": 1})
    with pytest.raises(JumpnetError, match="allocator pim found, a separable one expected with multicasts"):
        simulate_multicasts("torus:4x4", allocator="pim")
