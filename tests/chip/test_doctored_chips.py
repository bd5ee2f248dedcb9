"""Measures of the chip's and the territories' sections on doctored inputs: each must give the other word."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from jumpnet.chip.buffer import PacketBuffer
from jumpnet.chip.combining import ENTRIES
from jumpnet.chip.crossbar import RoundRobin
from jumpnet.chip.network import ChipNetwork
from jumpnet.chip.settings import Settings
from jumpnet.chip.walk import Visit, onward
from jumpnet.report._territories import needed_top
from jumpnet.report.nishi1997router import combining, latency, sending, structure


@pytest.mark.parametrize(("tops", "word"), [((1, 1), "lower rank"), ((1, 2), "the top rank")])
def test_one_class_of_sources_that_needs_the_top_rank_is_enough(tops: tuple[int, int], word: str) -> None:
    def address(source: int, to: list[int]) -> Any:
        return SimpleNamespace(top=tops[source > 0])

    where = SimpleNamespace(side=8, n=2, top=2, moved=lambda source, dx, dy: source, address=address)
    assert needed_top(where)[0] == word  # type: ignore[arg-type]


def test_two_drivers_of_a_line_in_a_clock_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    assert structure.shared()
    # With a bus for each direction both ends drive at once.
    monkeypatch.setattr(structure, "ChipNetwork", partial(ChipNetwork, settings=Settings(full_duplex=True)))
    assert not structure.shared()


class Miscounting(ChipNetwork):
    """Shows the count of every entry one too high between two clocks."""

    def _add(self, more: int) -> None:
        for chip in self.chips[0]:
            for entry in chip.unit.entries:
                if entry is not None:
                    entry.count += more

    def step(self) -> None:
        """A clock with the counts as they are."""
        if self.clock:
            self._add(-1)
        super().step()
        self._add(1)


def test_counts_of_a_combining_unit_that_are_wrong_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    here, asked, wrong = combining._counts()
    assert wrong == 0
    monkeypatch.setattr(combining, "ChipNetwork", Miscounting)
    assert combining._counts()[:2] == (here, asked) and combining._counts()[2] >= ENTRIES


def test_another_map_in_the_first_flit_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def doctored(wiring: Any, visit: Visit) -> Iterator[Visit]:
        for ahead in onward(wiring, visit):
            yield ahead._replace(header=ahead.header._replace(flit_1=ahead.header.flit_1 ^ 0b10))

    assert structure._map_in_use()
    monkeypatch.setattr(structure, "onward", doctored)
    assert not structure._map_in_use()


def test_the_cost_of_waiting_changes_only_where_the_intervals_part() -> None:
    low, middle, high = (-0.1, 0.0), (-0.05, 0.2), (0.1, 0.3)
    pairs = ((low, high), (high, low), (low, middle), (middle, high))
    assert [sending._trend(*pair) for pair in pairs] == ["grows", "falls", "not certain", "not certain"]


def test_a_packet_that_waits_until_the_first_is_through_is_not_inserted(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sending._inserted()
    monkeypatch.setattr(PacketBuffer, "accepts", lambda self, early: self.empty)
    assert not sending._inserted()


def test_acknowledges_that_the_chips_combine_are_not_combined_by_mbps(monkeypatch: pytest.MonkeyPatch) -> None:
    assert combining._by_mbps().value == "MBP"
    monkeypatch.setattr(combining, "Settings", lambda entries: Settings())
    assert combining._by_mbps().value == "nowhere"


def test_multicasts_that_nobody_answers_are_not_combined(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(combining, "LIMIT", 50)
    cut_short = combining._by_mbps()
    assert cut_short.value == "nowhere" and "without entries: 0" not in cut_short.detail


def test_a_sender_that_waits_for_all_others_once_more_is_not_served_in_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    assert [latency._turns(order).value for order in ([1, 2, 3, 1, 2, 3], [1, 2, 3, 2, 1])] == [
        "served in turn",
        "not in turn",
    ]
    assert latency._turns(latency._order()).value == "served in turn"
    monkeypatch.setattr(RoundRobin, "grant", lambda self, asking: min(asking))
    assert latency._turns(latency._order()).value == "not in turn"
