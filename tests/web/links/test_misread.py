"""What a link says that is not shown is told in a line: what was found, what is expected, the nearest name."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Shown

SAID = {
    "viw=space": "viw=space found, a key of this page expected; did you mean view?",
    "constructor=5": "constructor=5 found, a key of this page expected.",  # what every object of JavaScript has
    "view=spice": "view=spice found, one of plane, folded, space expected; did you mean space?",
    "panel=simulat": "collectives expected; did you mean simulate?",
    "load=2": "load=2 found, a number from 0 to 1 expected.",
    "seed=1.5": "seed=1.5 found, a whole number from 0 to 4294967295 expected.",
    "network.distance=yes": "network.distance=yes found, true or false expected.",
    "picked=a": "picked=a found, whole numbers joined by dots expected.",
    "picked=3.99": "picked=3.99 found, routers 0 to 15 of torus:4x4 expected; picked=3 is shown.",
    "picked=3.3": "picked=3.3 found, each router once expected; picked=3 is shown.",
    "space": "space found, a key and its value as in view=space expected.",
    "routing=torus.dutao": "routing=torus.dutao found, a routing of torus:4x4 expected; did you mean torus.duato?",
    "a=1&b=2&c=3&d=4&e=5": "b=2 found, a key of this page expected. And 3 more.",
}
NOTICE = "() => document.querySelector('#refused p')?.textContent ?? ''"


def _said(it: Shown) -> str:
    return str(it.page.evaluate(NOTICE))


def test_every_word_that_is_not_shown_is_told(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4")
    assert _said(it) == ""
    for rest, words in SAID.items():
        it.go(f"net=torus:4x4&{rest}")
        it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    it.go("net=hypercube:4&panel=collectives&collectives.step=99")  # which is known once its panel has its data
    words = "collectives.step=99 found, which hypercube:4 does not have; collectives.step=4 is shown."
    it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    it.go("net=rdt:8&panel=multicast&multicast.scheme=LRPA")
    words = "multicast.scheme=LRPA found, a scheme of rdt:8 expected; did you mean LPRA?"
    it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    it.go("net=torus:4x4&view=space&picked=3&eye=1298_-839_370_0_0")
    assert _said(it) == "" and it.errors == []


def test_a_notice_stays_until_it_is_closed_or_something_else_is_opened(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=simulate&lod=0.3")
    it.page.wait_for_selector("#panel :text('Flits in the network')")
    it.page.get_by_role("button", name="Run", exact=True).click()
    it.page.wait_for_function("() => location.hash.includes('simulate.cycle')")
    assert "did you mean load?" in _said(it)
    it.page.locator("#refused").get_by_role("button", name="Close").click()
    assert _said(it) == ""
    for name in ("tab", "size"):
        it.go("net=torus:4x4&lod=0.3")
        assert "did you mean load?" in _said(it)
        if name == "tab":
            it.page.get_by_role("tab", name="Deadlock").click()
        else:
            it.page.get_by_label("Size").select_option("torus:8x8")
        it.page.wait_for_function("() => !document.querySelector('#refused')")


CURVE = "up to 60 ascending loads (above 0, at most 1) such as 0.1,0.25"
LOADS = "up to 40 ascending cycles (up to simulate.cycle), each followed by the load until then in millionths"
ELSEWHERE = {
    "traffic=tornaod": (
        "traffic tornaod found, which does not suit torus:4x4, perhaps tornado is meant; traffic is uniform now.",
        "",
    ),
    "vcs=63": ("vcs=63 found, 2, 3, 4, 5, 6, 7, 8 expected of torus.dateline; it is 2 now.", ""),
    "simulate.preset=boks": ("preset boks found, booksim, yang2001, jump1 expected; it is booksim now.", ""),
    "multicast.to=own&multicast.receivers=3.99": (
        "multicast.receivers=3.99 found, routers 0 to 15 of torus:4x4 expected; multicast.receivers=3 is shown.",
        "&multicast.to=own&multicast.receivers=3",
    ),
    "multicast.source=16": ("multicast.source=16 found, routers 0 to 15 of torus:4x4 expected; it is left out.", ""),
    "faults.links=0.9999": (
        "faults.links=0.9999 found, channels of links of torus:4x4 expected; faults.links=0 is shown.",
        "&faults.links=0",
    ),
    "network.path=0.1.16.2": (
        "network.path=0.1.16.2 found, routers 0 to 15 of torus:4x4 expected; network.path=0.1 is shown.",
        "&network.path=0.1",
    ),
    "simulate.curve=0.3,0.1": (
        f"simulate.curve=0.3,0.1 found, {CURVE} expected; simulate.curve=0.1,0.3 is shown.",
        "&simulate.curve=0.1,0.3",
    ),
    "simulate.curve=0.0,0.000000": (f"simulate.curve=0.0,0.000000 found, {CURVE} expected.", ""),
    "simulate.cycle=60&simulate.loads=50.300000.40.2": (
        f"simulate.loads=50.300000.40.2 found, {LOADS} expected; simulate.loads=50.300000 is shown.",
        "&simulate.cycle=60&simulate.loads=50.300000",
    ),
    "simulate.cycle=60&simulate.loads=50.1000001": (f"found, {LOADS} expected; it is left out.", "&simulate.cycle=60"),
    "deadlock.cycle=9999": (
        "deadlock.cycle=9999 found, which torus:4x4 does not have; deadlock.cycle=10 is shown.",
        "&deadlock.cycle=10",
    ),
}


@pytest.mark.parametrize("panel", ["network", "route", "papers"])
@pytest.mark.parametrize("rest", ELSEWHERE)
def test_it_is_told_wherever_the_page_is_opened(rest: str, panel: str, shown: Callable[..., Shown]) -> None:
    """Where another panel uses it, too; and the link becomes what would be shown."""
    opened = "" if panel == "network" else f"&panel={panel}"
    it = shown(f"net=torus:4x4{opened}&{rest}")
    words, left = ELSEWHERE[rest]
    it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    assert it.part() == f"net=torus:4x4{opened}{left}" and it.errors == []


@pytest.mark.parametrize(
    "rest",
    [
        *("vcs=3&traffic=tornado", "traffic=worst", "multicast.receivers=3", "deadlock.vc=1"),
        *("simulate.curve=0.1,0.3", "simulate.cycle=60&simulate.loads=20.300000.60.1000000"),
    ],
)
def test_nothing_is_told_of_what_there_is(rest: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&{rest}")
    it.page.wait_for_timeout(600)
    assert _said(it) == "" and it.part() == f"net=torus:4x4&{rest}" and it.errors == []


@pytest.mark.parametrize(
    ("rest", "left"),
    [
        ("faults.routers=5.3", "faults.routers=3.5"),
        ("faults.links=5", "faults.links=0"),  # from router 1 back to router 0
        ("faults.links=20.5", "faults.links=0.20"),
    ],
)
def test_nothing_is_told_of_what_is_only_written_otherwise(rest: str, left: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel=faults&{rest}")
    it.page.wait_for_selector("#panel :text('Pairs joined')")
    assert _said(it) == "" and it.part() == f"net=torus:4x4&panel=faults&{left}" and it.errors == []
    it.go("net=torus:4x4&panel=faults&faults.links=0.5")  # one link, twice
    it.page.wait_for_function("() => document.querySelector('#refused')?.innerText.includes('each link once expected')")


@pytest.mark.parametrize(
    ("rest", "words"),
    [
        ("vcs=63", "vcs=63 found, 2, 3, 4, 5, 6, 7, 8 expected of torus.dateline; it is 2 now."),
        ("simulate.preset=boks", "preset boks found, booksim, yang2001, jump1 expected; it is booksim now."),
        ("traffic=tornaod", "does not suit torus:4x4, perhaps tornado is meant; traffic is uniform now."),
        ("traffic=constructor:a=1", "traffic is uniform now."),
        ("simulate.buffer=7", "buffers of 7 flits found, 4, 8, 16, 32 expected; they are 8 now."),
        (
            "routing=torus.duato&faults.routers=5",
            "torus.duato does not go round what is broken; routing is up_down now.",
        ),
    ],
)
def test_a_run_says_what_is_another_than_was_asked_for(rest: str, words: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel=simulate&{rest}")
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    it.page.wait_for_selector("#panel :text('Flits in the network')")
    assert it.errors == []


def test_a_route_says_that_its_routing_is_another_than_was_asked_for(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=route&picked=1.2&routing=torus.duato:x=1")
    words = "torus.duato:x=1 has no run here; routing is torus.dateline now."
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    it.page.wait_for_selector("#panel :text('Came by')")
    assert words in it.page.inner_text("#panel") and it.errors == []
    it.page.get_by_label("Routing", exact=True).select_option("torus.duato")
    it.page.wait_for_function("words => !document.querySelector('#panel').innerText.includes(words)", arg=words)


FOCUSED = "document.activeElement.closest('#side, #drawing') !== null"


@pytest.mark.parametrize("key", ["Enter", "Escape"])
@pytest.mark.parametrize("at", ["net=torus:4x4&view=spade", "net=srt2d:8&panel=wafer&lod=1"])
def test_a_notice_is_closed_by_keys_and_the_focus_stays_in_the_page(
    at: str, key: str, shown: Callable[..., Shown]
) -> None:
    it = shown(at)
    it.page.locator("#refused").get_by_role("button", name="Close").focus()
    it.page.keyboard.press(key)
    it.page.wait_for_function("() => !document.querySelector('#refused')")
    it.page.wait_for_timeout(100)
    assert it.page.evaluate(FOCUSED) and it.errors == []


def test_escape_closes_a_notice_before_anything_is_let_go(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&picked=3&lod=1")
    it.page.locator("#drawing").focus()
    it.page.keyboard.press("Escape")
    assert _said(it) == "" and it.part() == "net=torus:4x4&picked=3"
    it.page.keyboard.press("Escape")
    assert it.part() == "net=torus:4x4"


def test_the_nearest_network_is_offered_where_it_is_not_shown(shown: Callable[..., Shown]) -> None:
    it, offer = shown("net=torus:4x4"), "#refused button.main"
    it.go("net=rdt:17")
    assert "rdt:17 found" in _said(it) and it.page.inner_text(offer) == "Open rdt:16, the nearest"
    it.page.locator(offer).focus()
    it.page.keyboard.press("Enter")
    it.page.wait_for_function("() => document.title.startsWith('rdt:16 ')")
    assert _said(it) == "" and it.page.evaluate(FOCUSED)
    it.go("net=rdt:17")  # nothing else could be opened
    assert "rdt:17 found" in _said(it) and it.page.locator(offer).count() == 0
    first = shown("net=rdt:17")  # which opens with the very network that is nearest
    assert "rdt:17 found" in _said(first) and first.page.locator(offer).count() == 0


@pytest.mark.parametrize("before", ["", "net=torus:4x4"])
def test_what_else_a_link_says_is_told_where_its_network_is_not_here(before: str, shown: Callable[..., Shown]) -> None:
    it = shown(before or "net=dragonfly:9&panel=simulate&load=7")
    if before:
        it.go("net=dragonfly:9&panel=simulate&load=7")
    words = "panel=simulate is left out with it. And 1 more."
    it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    assert _said(it).startswith("dragonfly:9 found, ")
    it.go("net=dragonfly:9&foo=1")
    words = "foo=1 found, a key of this page expected."
    it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    assert "left out" not in _said(it) and it.errors == []
    it.page.locator("#other-size").fill("dragonfly:9")  # which was no link
    it.page.locator("#other-size").press("Enter")
    it.page.wait_for_function("() => !document.querySelector('#refused p').textContent.includes('foo')")
    assert _said(it).startswith("dragonfly:9 found, ") and "left out" not in _said(it)


@pytest.mark.parametrize(
    ("panel", "words"),
    [
        ("route", "5 routers are picked; the packet goes from the first, 7, to the second, 2."),
        ("network", "5 routers are picked; this is of the last one."),
    ],
)
def test_routers_picked_beyond_those_that_count_are_told(panel: str, words: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:4x4&panel={panel}&picked=7.2.9.4.1")
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    it.go(f"net=torus:4x4&panel={panel}&picked=7.2")
    it.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('are picked')")
    assert it.errors == []
