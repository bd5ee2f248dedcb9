"""Keys that move what is seen: each in its own direction, between tabs, and round the edges of a wafer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.web.conftest import Shown
from tests.web.drawing.drawn import drawn

WAYS = {"ArrowRight": (-40, 0), "ArrowLeft": (40, 0), "ArrowUp": (0, 40), "ArrowDown": (0, -40)}
"""Pixels by which the drawing goes on where the eye goes the way of the arrow."""


def _places(it: Shown) -> Any:
    return drawn(it, 16, []).places


def test_the_eye_goes_where_arrows_point_and_zooms_by_both_of_its_keys(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4")
    it.page.focus("#drawing")
    before = _places(it)
    for key, way in WAYS.items():
        it.page.keyboard.press(f"Shift+{key}")
        now = _places(it)
        assert np.abs(now - before - way).max() < 0.2, key
        before = now
    wide = np.ptp(before, axis=0)
    for key, by in (("+", 1.25), ("=", 1.25), ("-", 0.8)):
        it.page.keyboard.press(key)
        now = np.ptp(_places(it), axis=0)
        assert np.allclose(now / wide, by, rtol=0.01), key
        wide = now
    it.page.keyboard.press("0")
    assert "eye" not in it.part() and it.errors == []


def test_arrow_keys_go_along_rows_and_columns_of_tabs(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4")
    it.page.get_by_role("tab", name="Network").focus()
    seen = []
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowUp"):
        it.page.keyboard.press(key)
        open_tab = it.page.locator("[role=tab][aria-selected=true]").inner_text()
        assert it.page.evaluate("document.activeElement.textContent") == open_tab
        seen.append(open_tab)
    assert seen == ["Route", "Multicast", "Compare", "Route", "Network", "Wafer"] and it.errors == []


def test_arrow_keys_go_round_the_edges_of_a_wafer(shown: Callable[..., Shown]) -> None:
    it, seen = shown("net=srt2d:8&panel=wafer&picked=0"), []
    it.page.wait_for_selector("svg.picture")
    it.page.focus("svg.picture")
    for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"):
        it.page.keyboard.press(key)
        seen.append(it.part().partition("picked=")[2].partition("&")[0])
    assert seen == ["7", "63", "56", "0"] and it.errors == []
