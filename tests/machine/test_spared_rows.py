"""Rows that a table may lack without a fault: reads while a request waits, shortcuts and choices of the home.

Of all other rows `test_each_row_and_action_is_needed` shows that a table without one has a fault. These say what a
processor or a home may do, and nothing that it must: each is met, and here is what sees that it is gone.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from jumpnet.coherence.check import Checked, check_protocol
from jumpnet.coherence.protocol import Protocol, protocol, protocols

CACHES = 3
SHIPPED = dict(protocols())
READS = [
    ("chained", "SM"), ("dragon", "CW"), ("dragon", "MW"), ("limited", "SM"), ("limited_update", "SW"), ("mesi", "SM"),
    ("mixed", "SW"), ("moesi", "OM"), ("moesi", "SM"), ("msi", "SM"), ("update", "SW"),
]  # fmt: skip
CHOICES = [
    ("moesi", "S", "GetS+"), ("dragon", "S", "Upd+"), ("dragon", "O", "Upd+"),
    ("mixed", "U", "switch"), ("mixed", "S", "switch"), ("mixed", "V", "switch"),
]  # fmt: skip


def _lines(made: Protocol, side: str) -> dict[tuple[str, str], str]:
    lines = filter(str.strip, getattr(made, side).splitlines())
    return {(line.split()[0], line.split()[1]): line for line in lines}


def _of(made: Protocol, **sides: dict[tuple[str, str], str]) -> Protocol:
    return replace(made, **{side: "\n".join(lines.values()) for side, lines in sides.items()})


def _without(made: Protocol, side: str, state: str, event: str) -> Protocol:
    lines = _lines(made, side)
    del lines[state, event]
    return _of(made, **{side: lines})


def _seen(found: Checked) -> tuple[int, tuple[str, ...]]:
    assert found.fault == ""
    return found.states, found.unused


def _waits_as_if_it_had_a_copy(made: Protocol, state: str) -> Protocol:
    """A mistake: a writer without a copy waits where one with a copy does, and gets the answers of both there."""
    lines = _lines(made, "cache")
    first = next(iter(lines))[0]
    waiting = lines[first, "write"].split()[2]
    lines[first, "write"] = lines[first, "write"].replace(f" {waiting} ", f" {state} ", 1)
    for (of, event), line in list(lines.items()):
        if of == waiting and (state, event) not in lines:
            lines[state, event] = line.replace(waiting, state, 1)
    return _of(made, cache=lines)


def test_these_are_all_there_are() -> None:
    reads = {
        (name, row.state)
        for name, made in SHIPPED.items()
        for row in made.cache_rows.values()
        if row.event == "read" and ("hit", "") in row.actions and row.state not in made.stable
    }
    assert sorted(reads) == READS
    switches = {(name, *key) for name, made in SHIPPED.items() for key in made.home_rows if key[1] == "switch"}
    sole = {(name, *key) for name, made in SHIPPED.items() for key in made.home_rows if key[1].endswith("+")}
    assert switches | sole == {*CHOICES}


@pytest.mark.parametrize(("name", "state"), READS)
def test_a_read_while_a_request_waits_is_met_and_checked(name: str, state: str) -> None:
    """Where the waiting copy is none, a table with the row is wrong, and one without it right."""
    made = protocol(name)
    assert check_protocol(_without(made, "cache", state, "read"), CACHES).fault == ""
    wrong = _waits_as_if_it_had_a_copy(made, state)
    assert "stale" in check_protocol(wrong, CACHES).fault
    right = _without(wrong, "cache", state, "read")
    assert check_protocol(right, CACHES).fault == ""


@pytest.mark.parametrize(("name", "state", "event"), CHOICES)
def test_a_shortcut_or_choice_of_the_home_changes_what_is_reached(name: str, state: str, event: str) -> None:
    made = protocol(name)
    assert _seen(check_protocol(_without(made, "home", state, event), CACHES)) != _seen(check_protocol(made, CACHES))
