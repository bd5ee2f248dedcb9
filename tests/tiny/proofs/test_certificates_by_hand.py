"""Certificates of a few lines, written and argued by hand: each has one fault, and all else in it holds."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.attack.files.certificates import COMPILER, reasons_in_c
from tests.naive.certificate import is_true
from tests.naive.grid_certificate import is_true_on_grid
from tools import check_certificate, check_grid_certificate, check_orbit_certificate

TOOLS = {"rings": check_certificate, "grid": check_grid_certificate, "orbit": check_orbit_certificate}
Say = Callable[[str, str], str]


@pytest.fixture(scope="module")
def why() -> Say:
    """Why both checkers of a kind refuse a text, empty where neither does; Python's alone without a C compiler."""
    in_c = {kind: reasons_in_c(Path(str(tool.__file__)).stem) for kind, tool in TOOLS.items() if COMPILER is not None}

    def say(kind: str, text: str) -> str:
        said = ""
        try:
            TOOLS[kind].check(io.BytesIO(text.encode()))
        except (check_certificate.Refused, check_grid_certificate.Refused, check_orbit_certificate.Refused) as refused:
            said = str(refused)
        if kind not in in_c:
            return said
        other = in_c[kind](text.encode())
        assert bool(said) == bool(other), (said, other)
        assert not said or said.partition(":")[0] + ":" in other  # the same line
        return said

    return say


def on_a_line(up: str, down: str, *cases: str) -> str:
    """Three routers in a line, 0 1 2: port 0 leads up, port 1 down, an escape class each; up, down: its numbers."""
    head = ["jumpnet-grid-certificate 1", "network line", "routing r", "condition escape", "vcs 1", "sides 3"]
    ports = ["port 0 0 1 2 -", "port 1 0 - 0 1", f"class 0 0 {up}", f"class 1 0 {down}"]
    rows = [line for k, case in enumerate(cases) for line in (f"case {k}", *case.split("; "))]
    return "\n".join([*head, "ports 2", f"cases {len(cases)}", *ports, *rows, "end\n"])


# Targets above, below, and the router itself, as sets of bits: 0 is 1, 1 is 2, 2 is 4.
UP, DOWN, HOME = "pairs 0 6 4 0; take 0 0 1", "pairs 0 0 1 3; take 1 0 1", "pairs 0 1 2 4"


def test_numbers_along_a_line_must_grow_with_each_hop(why: Say) -> None:
    """From 0 to 2 a packet goes by the channels up at 0 and 1: with one number for both nothing ascends."""
    assert not why("grid", on_a_line("0 1 9", "9 1 0", UP, DOWN, HOME))
    for up, down, at in (("1 1 9", "9 1 0", "port 0 vc 0 at 0"), ("0 1 9", "9 3 3", "port 1 vc 0 at 2")):
        assert f"{at} does not ascend to it" in why("grid", on_a_line(up, down, UP, DOWN, HOME))


def test_no_pair_stands_in_two_cases(why: Say) -> None:
    """From 0 to 2 in both cases up, and from 2 to 1 in none: as many pairs as there are, and all numbers ascend."""
    first, second = "pairs 0 6 0 0; take 0 0 1", "pairs 0 4 4 0; take 0 0 1"
    apart = on_a_line("0 1 9", "9 1 0", first, "pairs 0 0 4 0; take 0 0 1", DOWN, HOME)
    assert not why("grid", apart) and is_true_on_grid(apart)
    both = on_a_line("0 1 9", "9 1 0", first, second, "pairs 0 0 1 1; take 1 0 1", HOME)
    assert "pairs that are in another case" in why("grid", both) and not is_true_on_grid(both)
    fewer = on_a_line("0 1 9", "9 1 0", first, "pairs 0 0 4 0; take 0 0 1", "pairs 0 0 1 1; take 1 0 1", HOME)
    assert "8 of 9 pairs are in a case" in why("grid", fewer)


def two_routers(ways: str, rows: str = "0") -> str:
    """Two routers, a link each way, that are carried to each other: packets to the other by row 0, then at home."""
    head = ["jumpnet-orbit-certificate 1", "network two", "routing r", "condition escape", "vcs 2", "routers 2"]
    counts = ["ports 1", "sources 2", "sinks 2", "moves 1", "rows 1", "states 2"]
    body = ["links 0 1", "links 1 0", "source 0 1", "sink 0 1", "move 0 1 0", "carry 1 0", "number 0 0 0 5"]
    return "\n".join(
        [*head, *counts, *body, f"row 0 0 0 {rows}", "state 0 0 0 - x", f"state 1 0 1 + x {ways}", "end\n"]
    )


def test_a_channel_is_an_escape_to_all_or_to_none(why: Say) -> None:
    """A packet may take virtual channel 1 besides its escape on channel 0, or that one itself as if it were none."""
    assert not why("orbit", two_routers("0 e 0")) and not why("orbit", two_routers("0 e 0 0 1 0"))
    assert "an escape is none, too" in why("orbit", two_routers("0 e 0 0 0 0"))
    assert "an escape without a number" in why("orbit", two_routers("0 e 0", rows="1"))


def round_a_ring(orders: str, begins: int, *body: str, plus: str = "- - - -", packets: bool = True) -> str:
    """Three routers in a ring, all packets one way round it: channels 0, 1 and 2 lead on by virtual channel 0.

    Channel 3 leads from 2 to 0 by virtual channel 1, and no packet takes it. orders: numbers of the channels. begins:
    kind of the way by which packets begin, 2 where they leave room for one more. body: dependencies.
    """
    links = [f"link {r} 0 {(r + 1) % 3} 1" for r in range(3)]
    marks = zip(((0, 0), (1, 0), (2, 0), (2, 1)), orders.split(), plus.split(), strict=True)
    channels = [f"channel {c} {r} 0 {vc} {order} {mark}" for c, ((r, vc), order, mark) in enumerate(marks)]
    states = []
    for to in range(3):  # of each section packets on their way, the one at home, and those that begin
        on = [f"state {r} {r} - on" + (f" {r} 0 {(r + 1) % 3}" if r != to else "") for r in range(3)]
        new = [r for r in range(3) if r != to]
        states += [f"to {to}", *on, *(f"state {3 + k} {r} + new {r} {begins} {(r + 1) % 3}" for k, r in enumerate(new))]
    many = sum(len(line.split()) - 2 for line in body)
    counts = ["sources 3", "sinks 3", "links 3", "channels 4", f"dependencies {many}", f"states {15 * packets}"]
    head = ["jumpnet-certificate 1", "network ring", "routing r", "condition rings", "vcs 2", "routers 3", *counts]
    told = [*links, *channels, *body, *(states if packets else [])]
    return "\n".join([*head, "source 0 1 2", "sink 0 1 2", *told, "end\n"])


RING = "wants 0 1", "wants 1 2", "wants 2 0"
FAULTS = {
    "an edge that does not close is none of the ring": ("7 7 8 9", 2, RING, "2 to 0 does not ascend"),
    "the edge that closes it is left out": ("7 7 7 9", 2, RING[:2], "may want"),
    "packets begin without room for one more": ("7 7 7 9", 0, RING, "which has no +"),
    "a channel goes on to two of a number": (
        "7 7 7 7",
        2,
        ("wants 0 1", "wants 1 2 3", RING[2]),
        "1 to 3 is no step",
    ),
    "two of a number go on to a channel": ("7 7 7 7", 2, (*RING, "wants 3 0"), "3 to 0 is no step in a ring"),
    "one from outside comes in without room": ("7 7 7 3", 2, (*RING, "wants 3 0"), "ring at 0 entered without bubble"),
    "a step of the ring leaves room": ("7 7 7 9", 2, (*RING[:2], "enters 2 0"), "2 to 0 does not ascend"),
    "channels of a step do not meet": ("7 7 7 9", 2, ("wants 0 2", *RING[1:]), "2 does not begin where 0 ends"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_what_a_ring_is(fault: str, why: Say) -> None:
    """All packets go round to the right, so each channel waits for the next; it is safe as they leave room first."""
    for good in (
        round_a_ring("7 7 7 9", 2, *RING),
        round_a_ring("7 7 7 3", 2, *RING, "enters 3 0"),  # one that comes in from outside, and leaves room
        round_a_ring("7 7 7 9", 2, "wants 0 1", "wants 1 2 3", "wants 2 0"),  # one by which the ring is left
    ):
        assert not why("rings", good) and is_true(good)
    orders, begins, body, said = FAULTS[fault]
    assert said in why("rings", round_a_ring(orders, begins, *body))


def test_packets_that_begin_in_a_ring_without_room_are_seen_without_states_too(why: Say) -> None:
    good, spoilt = (round_a_ring("7 7 7 9", 2, *RING, plus=f"{mark} - - -", packets=False) for mark in "-+")
    assert not why("rings", good) and is_true(good)
    assert "ring at 0 entered without bubble" in why("rings", spoilt) and not is_true(spoilt)


def test_a_ring_of_one_channel_is_one(why: Say) -> None:
    """A link from a router to itself: a packet in it waits for itself, and moves, as it left room for one more."""
    head = ["jumpnet-certificate 1", "network loop", "routing r", "condition rings", "vcs 1", "routers 1", "sources 1"]
    head += ["sinks 1", "links 1", "channels 1", "dependencies 1", "states 0", "source 0", "sink 0", "link 0 0 0 1"]
    for mark, accepted in (("-", True), ("+", False)):
        text = "\n".join([*head, f"channel 0 0 0 0 4 {mark}", "wants 0 0", "end\n"])
        assert bool(why("rings", text)) != accepted and is_true(text) == accepted
