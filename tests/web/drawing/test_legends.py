"""Legends and figures say what is drawn, and in which unit: keys of what is not seen are left out."""

from __future__ import annotations

from collections.abc import Callable

from tests.web.conftest import Shown

from jumpnet.analysis.reconfigure import reconfigure
from jumpnet.topology import build

HELD = "held by a packet, in its colour"


def _legend(it: Shown, at: str, words: str) -> list[str]:
    it.go(at)
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    return list(it.page.locator("#stage .legend li").all_text_contents())


def test_the_key_of_held_channels_stands_as_long_as_one_is_seen(shown: Callable[..., Shown]) -> None:
    it, at = shown(), "net=torus:4x4&panel=deadlock&deadlock.cycle"
    assert HELD not in _legend(it, f"{at}=0", "asks for its first channel")
    assert HELD in _legend(it, f"{at}=3", "holds 0 → 1")
    assert HELD not in _legend(it, f"{at}=10", "16 flits stay for ever")  # the ring covers all of them
    assert HELD in _legend(it, f"{at}=10&deadlock.ring=false", "16 flits stay for ever")


def test_what_is_broken_is_in_the_key_of_a_route(shown: Callable[..., Shown]) -> None:
    it, at = shown(), "net=torus:8x8&panel=route&routing=up_down"
    assert "broken" not in _legend(it, f"{at}&picked=0.19", "At router")
    assert "broken" in _legend(it, f"{at}&picked=0.19&faults.links=0", "At router")
    assert "broken" in _legend(it, f"{at}&faults.routers=5", "Pick two routers")


def test_kinds_of_links_that_share_a_letter_alone_have_names(shown: Callable[..., Shown]) -> None:
    assert _legend(shown(), "net=cmesh:8x8", "Average distance") == ["x", "y", "express"]


def test_a_wafer_has_its_own_key_as_long_as_it_is_drawn(shown: Callable[..., Shown]) -> None:
    it, made = shown("net=srt2d:8&panel=wafer"), reconfigure("srt2d:8", density=0.05, seed=1)
    it.page.wait_for_selector("svg.picture")
    key, wires = it.page.locator("#panel .key"), it.page.get_by_label("Wires and switches")
    assert "ground of the core" in key.inner_text() and wires.is_enabled()
    area = made.configuration.bad.size / build("srt2d:8").routers
    assert f"Elements for each one needed\n{area:.4f}\n" in it.page.inner_text("#panel")
    it.page.click("text=links by length of wire")
    it.page.wait_for_selector("svg.picture", state="detached")
    assert not key.is_visible() and wires.is_disabled()
    assert "Click an element" not in it.page.inner_text("#panel")
    it.page.click("text=links by length of wire")
    it.page.wait_for_selector("svg.picture")
    assert key.is_visible() and wires.is_enabled() and it.errors == []


def test_compared_figures_have_units_and_their_bars_an_axis(shown: Callable[..., Shown]) -> None:
    it = shown("net=rdt:8&panel=papers&papers.group=4096")
    it.page.wait_for_selector("#stage .compared table")
    assert it.page.inner_text("#stage h2") == "4,096 routers"
    heads = it.page.locator("#stage thead th").all_text_contents()
    assert {"Diameter, hops", "Average distance, hops", "Bisection, links"} < set(heads)
    ends = it.page.locator("#stage .ends").all_text_contents()
    assert len(ends) == 8 and set(ends) == {"1 hop64 hops"}  # those of the largest diameter, 64x64's
