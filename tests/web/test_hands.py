"""Any hand at the page: keys, clicks, drags, choices, sizes and links in the order of a seed leave it whole."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.web.conftest import Shown

FOUND = """() => [...document.querySelectorAll("button,select,input")]
  .filter((each) => each.getClientRects().length && !each.disabled)"""
PRESSED = ("Tab", "ArrowLeft", "ArrowDown", "Enter", "Escape", "+", "0", "Home")
TYPED = ("", "0", "9x", "5x5", "1e9", "torus:4x4", "<b>")
LINKS = (
    "net=torus:4x4&panel=simulate&simulate.cycle=50",
    "net=nothing:9",
    "net=torus:4x4&panel=deadlock",
    "eye=1_2_3_4_5",
)
SHOWN = """() => [document.title, document.querySelector("#panel h2")?.innerText,
  ...[...document.querySelectorAll("#same code")].map((each) => each.textContent)]"""


def _one(it: Shown, chance: Random) -> None:
    """Something that a hand may do."""
    page, kind = it.page, chance.random()
    if kind < 0.5:
        found = page.evaluate_handle(FOUND)
        number = chance.randrange(page.evaluate("all => all.length", found))
        at = page.evaluate_handle("([all, k]) => all[k]", [found, number]).as_element()
        tag, typed = at.evaluate("each => [each.tagName, each.type]")
        if tag == "SELECT":
            at.select_option(index=chance.randrange(at.evaluate("each => each.options.length")))
        elif typed == "text":
            at.fill(chance.choice(TYPED))
            at.press("Enter")
        else:
            at.dispatch_event("click")
    elif kind < 0.7:
        box = page.locator("#stage").bounding_box()
        x, y = box["x"] + chance.random() * box["width"], box["y"] + chance.random() * box["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + chance.choice((0, 90)), y)
        page.mouse.up()
    elif kind < 0.85:
        page.keyboard.press(chance.choice(PRESSED))
    elif kind < 0.93:
        page.set_viewport_size({"width": chance.choice((400, 1280)), "height": chance.choice((500, 860))})
    else:
        page.evaluate("link => { location.hash = link; }", chance.choice(LINKS))


def test_any_hand_leaves_the_page_whole_and_its_link_says_what_is_shown(shown: Callable[..., Shown]) -> None:
    it, chance = shown("net=torus:4x4"), Random(5)
    for _ in range(40):
        _one(it, chance)
    it.page.emulate_media(reduced_motion="reduce")
    if it.page.get_by_label("Motion").is_checked():
        it.page.get_by_label("Motion").uncheck()  # whatever runs stands still
    assert it.errors == [] and all(each.startswith(("file:", "blob:", "data:")) for each in it.requests)
    said, part = it.page.evaluate(SHOWN), it.part()
    other = shown(part)
    assert other.part() == part and other.page.evaluate(SHOWN) == said and other.errors == []


def test_a_button_of_a_panel_that_has_ended_does_nothing(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=deadlock")
    play = it.page.get_by_role("button", name="Play", exact=True)
    play.wait_for()
    taken = play.element_handle()
    it.page.get_by_role("tab", name="Network").click()
    taken.dispatch_event("click")
    it.page.wait_for_timeout(1000)  # a cycle takes 0.7 s
    assert it.part() == "net=torus:4x4" and taken.text_content() == "Play" and it.errors == []
