"""The page as it is looked at: at three widths and in both themes, by keyboard alone, without a request to any host."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pytest
from PIL import Image
from tests.web.conftest import Shown

WIDTHS = [(1440, 900, "light", "net=rdt:16"), (820, 1000, "dark", "net=torus:8x8&view=folded&picked=9"),
          (400, 800, "light", "net=dragonfly:2&picked=3")]  # fmt: skip
NAMELESS = """() => [...document.querySelectorAll('button, select, input, canvas[tabindex], [role=tab]')]
  .filter((e) => e.offsetParent !== null)
  .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title))
  .map((e) => e.outerHTML)"""
CONTRAST = """() => {
  const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((v) => (v /= 255) <= 0.03928
    ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const of = (element, what) => light(getComputedStyle(element)[what]);
  const pairs = [...document.querySelectorAll('h1, .note, dt, dd, footer h2, .tabs button')].map((e) => {
    const [a, b] = [of(e, 'color'), of(document.querySelector('header'), 'backgroundColor')];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
  return Math.min(...pairs); }"""


def _coarse(png: bytes, size: int) -> np.ndarray:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    return np.asarray(picture.resize((size, size), Image.Resampling.BOX), np.float64)


@pytest.mark.parametrize(("width", "height", "theme", "at"), WIDTHS)
def test_nothing_overflows_and_all_has_a_name(width, height, theme, at, shown: Callable[..., Shown]) -> None:
    it = shown(at, width, height, theme)
    page = it.page
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(CONTRAST) >= 4.5
    for part in ("#head", "#stage", "#side", "#same"):
        box = page.locator(part).bounding_box()
        assert box and box["width"] > 300 and box["height"] > 30, part
    assert it.errors == [] and it.requests == [f"{it.file.as_uri()}"]


@pytest.mark.parametrize("at", ["net=rdt:8", "net=hypercube:4&view=space&picked=3", "net=srt2d:8"])
def test_webgl_draws_what_a_saved_picture_shows(at: str, shown: Callable[..., Shown]) -> None:
    """Two ways to draw the same: the graphics card's on the page, plain lines and discs in the PNG."""
    it = shown(at, 1100, 800)
    it.page.add_style_tag(content=".tools, .legend, .told { visibility: hidden }")
    live = _coarse(it.page.locator("#stage").screenshot(), 40)
    with it.page.expect_download() as saved:
        it.page.locator("[title='Save this picture as PNG']").dispatch_event("click")
    kept = _coarse(saved.value.path().read_bytes(), 40)
    ground = live[0, 0]
    drawn = np.abs(live - ground).max(axis=2) > 6
    assert drawn.mean() > 0.1 and np.abs(live - kept).mean() < 3, "both are empty, or they differ"
    assert np.abs(live - np.roll(kept, 3, axis=0)).mean() > 2 * np.abs(live - kept).mean()  # a shift would be seen


def test_by_keyboard_alone(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4")
    page, keys = it.page, it.page.keyboard
    keys.press("Tab")
    assert page.evaluate("document.activeElement.id") == "skip"
    keys.press("Enter")
    assert page.evaluate("document.activeElement.id") == "drawing"
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        keys.press(key)
    assert page.locator("#said").text_content() == "router 5 picked"
    assert "picked=5" in it.part()
    keys.press("Escape")
    assert "picked" not in it.part()
    page.get_by_role("button", name="Space").focus()
    keys.press("Enter")
    assert "view=space" in it.part() and page.evaluate("document.activeElement.textContent") == "Space"
    page.evaluate("document.getElementById('drawing').focus()")
    order = []
    for _ in range(30):
        keys.press("Tab")
        order.append(page.evaluate("document.activeElement.getAttribute('role') ?? document.activeElement.tagName"))
    assert {"BUTTON", "SELECT", "INPUT", "tab", "CODE"} <= set(order)  # everything is reached


def test_a_link_is_what_is_shown(shown: Callable[..., Shown]) -> None:
    it = shown("net=mesh:8x8&view=space&picked=3&network.distance=true")
    page = it.page
    assert page.get_by_label("Size").input_value() == "mesh:8x8"
    assert it.part() == "net=mesh:8x8&view=space&picked=3&network.distance=true"
    assert page.locator("#same code").all_text_contents()[1:] == [
        "jumpnet metrics mesh:8x8", 'import jumpnet; jumpnet.network("mesh:8x8").metrics()',
    ]  # fmt: skip
    page.get_by_label("Family").select_option("star")
    assert it.part() == "net=star:5&view=space"
    page.go_back()
    assert it.part().startswith("net=mesh:8x8")
    it.go("net=torus:3x5")
    assert "jumpnet explore torus:3x5" in page.locator("#refused").text_content()
    assert it.errors == []


def test_motion_is_off_where_the_system_wishes(shown: Callable[..., Shown]) -> None:
    assert not shown("net=torus:4x4", reduced_motion="reduce").page.get_by_label("Motion").is_checked()
    assert shown("net=torus:4x4").page.get_by_label("Motion").is_checked()
