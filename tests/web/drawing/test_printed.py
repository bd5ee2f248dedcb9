"""A printed page has the picture, the figures and what gives them, black on white."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Shown

LIGHT_INK = "rgb(0, 0, 0)"


@pytest.mark.parametrize(
    "at",
    [
        "net=torus:4x4&panel=simulate&simulate.cycle=50",
        "net=srt2d:8&panel=wafer",
        "net=rdt:8&panel=papers&papers.group=64",
    ],
)
def test_on_paper(at: str, shown: Callable[..., Shown]) -> None:
    it = shown(at, theme="dark")
    page = it.page
    page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('One moment')")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).color") == LIGHT_INK
    ground = page.evaluate("getComputedStyle(document.querySelector('#stage')).backgroundColor")
    assert ground == "rgb(255, 255, 255)"
    for hidden in (".tabs", ".tools", ".panel .control", ".panel .row", "footer .button", "header select"):
        assert not any(each.is_visible() for each in page.locator(hidden).all()), hidden
    command = page.locator('code[aria-label="Command"]')
    assert command.is_visible() and command.inner_text().startswith("jumpnet ")
    figures = page.locator(".facts, table").all()
    assert any(each.is_visible() for each in figures)
    picture = ".printed svg" if "simulate" in at else ".cover svg" if "wafer" in at else ".multiples canvas"
    assert page.locator(picture).first.is_visible()
    if "simulate" in at:
        assert 'fill="#ffffff"' in page.locator(picture).first.inner_html()
        assert page.locator(".printed figcaption").inner_text() == "Drawing of torus:4x4: 16 routers, 32 links"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen", color_scheme="dark")
    assert page.locator(".printed").count() == 0 and page.locator(".tabs").is_visible()
    assert page.evaluate("document.documentElement.dataset.theme ?? ''") == "" and it.errors == []


def test_the_browser_tells_of_printing(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4")
    it.page.evaluate(
        """() => {
          window.seen = 0;
          const stage = document.querySelector("#stage");
          const look = () => (window.seen += stage.querySelectorAll(".printed svg").length);
          new MutationObserver(look).observe(stage, { childList: true });
        }"""
    )
    assert it.page.pdf()[:5] == b"%PDF-"
    assert it.page.evaluate("window.seen") == 1 and it.page.locator(".printed").count() == 0
