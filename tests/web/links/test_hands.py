"""Any hand at the page: keys, clicks, drags, choices, sizes and links in the order of a seed leave it whole."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from tests.web.conftest import Shown
from tests.web.links.hands import at_rest, differences, foot, one


@pytest.mark.parametrize(("start", "seed"), [("torus:4x4", 5), ("rdt:8&panel=multicast", 6)])
def test_any_hand_leaves_the_page_whole_and_its_link_says_what_is_shown(start: str, seed: int, shown) -> None:
    """More, from any network and panel: `python -m tests.web.links.hands`."""
    it, chance = shown(f"net={start}"), Random(seed)
    deeds = [one(it, chance) for _ in range(40)]
    at_rest(it)
    assert it.errors == [] and all(each.startswith(("file:", "blob:", "data:")) for each in it.requests), deeds
    part = it.part()
    other = shown(part)
    at_rest(other)
    assert other.part() == part and differences(it, other) == foot(it) == other.errors == [], deeds


def test_a_button_of_a_panel_that_has_ended_does_nothing(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=deadlock")
    play = it.page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    taken = play.element_handle()
    it.page.get_by_role("tab", name="Network").click()
    taken.dispatch_event("click")
    it.page.wait_for_timeout(1000)  # a cycle takes 0.7 s
    assert it.part() == "net=torus:4x4" and taken.text_content() == "Play" and it.errors == []
