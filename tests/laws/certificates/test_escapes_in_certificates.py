"""Duato's condition in hand-made certificates, where one step of the checkers alone finds what is lacking."""

from __future__ import annotations

import pytest
from tests.attack.files.certificates import COMPILER, Check, accepted, compiled
from tests.naive.certificate import extended, listed

SIDE = 70
"""Links of a long row: more escape channels than a word of the checker in C has bits."""


@pytest.fixture(scope="module")
def both() -> Check:
    """Whether the checkers accept a file; they must agree."""
    in_c = compiled() if COMPILER else accepted

    def checked(data: bytes) -> bool:
        assert in_c(data) == accepted(data)
        return accepted(data)

    return checked


def _in_a_row(side: int, numbers: list[str], wants: set[tuple[int, int]], sections: list[list[str]]) -> bytes:
    """Packets from router 0 on one-way links 0, 1, ..., side; link r has channels 2r and 2r + 1, of these numbers."""
    states = [line for section in sections for line in section]
    sinks = [section[0].removeprefix("to ") for section in sections]
    counts = {"sources": 1, "sinks": len(sinks), "links": side, "channels": 2 * side, "dependencies": len(wants)}
    counts["states"] = sum(line.startswith("state") for line in states)
    head = ["jumpnet-certificate 1", "network n", "routing r", "condition escape", "vcs 2", f"routers {side + 1}"]
    head += [*(f"{name} {many}" for name, many in counts.items()), "source 0", f"sink {' '.join(sinks)}"]
    links = [f"link {r} 0 {r + 1} 1" for r in range(side)]
    channels = [f"channel {c} {c // 2} 0 {c % 2} {number} -" for c, number in enumerate(numbers)]
    dependencies = [f"wants {held} {wanted}" for held, wanted in sorted(wants)]
    return "\n".join([*head, *links, *channels, *dependencies, *states, "end\n"]).encode()


def _along(side: int, normal: bool, wants: set[tuple[int, int]]) -> bytes:
    """Packets to the last router on channels 2r, escapes, or also 2r + 1 where `normal`; the states stand so that what
    a packet meets later comes to the first of them by one more sweep for each link."""
    ways = [f"{2 * r} 1 {r + 1}" + f" {2 * r + 1} 0 {r + 1}" * normal for r in range(side)]
    states = [f"state {r} {r} {'-' if r else '+'} x {way}" for r, way in enumerate(ways)]
    numbers = [str(c // 2) if c % 2 == 0 else "-" for c in range(2 * side)]
    return _in_a_row(side, numbers, wants, [[f"to {side}", *states, f"state {side} {side} - x"]])


def test_escapes_far_ahead_are_found_by_many_sweeps_and_in_every_word(both: Check) -> None:
    every = {(2 * a, 2 * b) for b in range(SIDE) for a in range(b)}
    good = _along(SIDE, True, every)
    assert both(good) and extended(listed(good.decode())) == every
    for held, wanted in ((0, 2), (0, 4), (0, 6), (0, 63), (0, 64), (0, 69), (62, 69), (64, 65), (66, 69), (68, 69)):
        assert not both(_along(SIDE, True, every - {(2 * held, 2 * wanted)})), (held, wanted)


def test_what_lies_behind_an_escape_is_not_asked_for(both: Check) -> None:
    for side in (3, SIDE):
        direct = {(2 * r, 2 * r + 2) for r in range(side - 1)}
        good = _along(side, False, direct)
        assert both(good) and extended(listed(good.decode())) == direct
        for lacking in sorted(direct)[:: side // 3]:
            assert not both(_along(side, False, direct - {lacking}))


def test_a_channel_is_an_escape_to_a_packet_that_takes_it_as_a_normal_way(both: Check) -> None:
    """Channel 0 is an escape to packets to router 1 alone; those to router 2 take it too, and their escape is 1."""
    to_one = ["to 1", "state 0 0 + x 0 1 1", "state 1 1 - x"]
    to_two = ["to 2", "state 0 0 + x 0 0 1 1 1 1", "state 1 1 - x 2 1 2", "state 2 2 - x"]
    wants = {(0, 2), (1, 2)}
    good = _in_a_row(2, ["0", "0", "1", "-"], wants, [to_one, to_two])
    assert both(good) and extended(listed(good.decode())) == wants
    for lacking in wants:
        assert not both(_in_a_row(2, ["0", "0", "1", "-"], wants - {lacking}, [to_one, to_two]))
