"""The page as it is looked at: at three widths and in both themes, by keyboard alone, without a request to any host."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from tests.web.conftest import Shown
from tests.web.drawing.drawn import DISC

from jumpnet.sim.config import PRESETS

WIDTHS = [(1440, 900, "light", "net=rdt:16"), (820, 1000, "dark", "net=torus:8x8&view=folded&picked=9"),
          (400, 800, "light", "net=dragonfly:2&picked=3")]  # fmt: skip
NAMELESS = """() => [...document.querySelectorAll('button, select, input, canvas[tabindex], [role=tab]')]
  .filter((e) => e.offsetParent !== null)
  .filter((e) => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length || e.title))
  .map((e) => e.outerHTML)"""
FRAMES = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
CONTRAST = """() => {
  const light = (text) => { const [r, g, b] = text.match(/[\\d.]+/g).slice(0, 3).map((v) => (v /= 255) <= 0.03928
    ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const of = (element, what) => light(getComputedStyle(element)[what]);
  const pairs = [...document.querySelectorAll('h1, .note, dt, dd, footer h2, .tabs button')].map((e) => {
    const [a, b] = [of(e, 'color'), of(document.querySelector('header'), 'backgroundColor')];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); });
  return Math.min(...pairs); }"""


def _coarse(png: bytes, size: int, shape: float = 0) -> np.ndarray:
    """A picture in few pixels; `shape`: height over width of the upper part that is looked at, 0 for all of it."""
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    if shape:
        picture = picture.crop((0, 0, picture.width, round(picture.width * shape)))
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


@pytest.mark.parametrize("at", ["net=rdt:8", "net=torus:4x4x4&view=space&picked=3", "net=srt2d:8"])
def test_webgl_draws_what_a_saved_picture_shows(at: str, shown: Callable[..., Shown]) -> None:
    """Two ways to draw the same: the graphics card's on the page, plain lines and discs in the PNG."""
    it = shown(at, 1100, 800)
    it.page.add_style_tag(content=".tools, .legend, .told { visibility: hidden }")
    live = _coarse(it.page.locator("#stage").screenshot(), 40)
    box = it.page.locator("#stage").bounding_box()
    assert box
    with it.page.expect_download() as saved:
        it.page.locator("[title='Save this picture as PNG']").dispatch_event("click")
    kept = _coarse(saved.value.path().read_bytes(), 40, box["height"] / box["width"])  # below it is the legend
    ground = live[0, 0]
    drawn = np.abs(live - ground).max(axis=2) > 6
    assert drawn.mean() > 0.1 and np.abs(live - kept).mean() < 1.5, "both are empty, or they differ"
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
        "jumpnet explore mesh:8x8 --at 'view=space&picked=3&network.distance=true'",
        'from jumpnet.explore.written import write_page; '
        'write_page(".", ["mesh:8x8"], at="view=space&picked=3&network.distance=true", name="mesh-8x8.html")',
    ]  # fmt: skip
    for family, first in (("star", "star:5"), ("slimfly", "slimfly:7")):  # the second one that is here
        page.get_by_label("Family").select_option(family)
        assert it.part() == f"net={first}&view=space"
        page.go_back()
    assert it.part().startswith("net=mesh:8x8")
    it.go("net=fattree:3,n=3")
    assert "jumpnet explore fattree:3,n=3" in page.locator("#refused").text_content()
    assert it.errors == []


def test_motion_is_off_where_the_system_wishes(shown: Callable[..., Shown]) -> None:
    assert not shown("net=torus:4x4", reduced_motion="reduce").page.get_by_label("Motion").is_checked()
    assert shown("net=torus:4x4").page.get_by_label("Motion").is_checked()
    page = shown("net=torus:4x4&panel=simulate&simulate.speed=7").page
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function("() => !document.querySelector('#panel .figures')?.innerText.includes('Cycle\\n0')")
    page.get_by_label("Motion").uncheck()
    before = page.inner_text("#panel .figures")
    page.wait_for_timeout(300)
    assert before == page.inner_text("#panel .figures") and "Cycle" in before


def test_what_a_reader_has_zoomed_stays_and_the_frame_does_not_jump(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8")
    page = it.page
    page.add_style_tag(content=".tools, .legend, .told { visibility: hidden }")
    page.get_by_title("Zoom in").dispatch_event("click")
    stage = page.locator("#stage")
    before, box = stage.screenshot(), stage.bounding_box()
    for panel in ("Faults", "Collectives", "Route", "Network"):
        page.get_by_role("tab", name=panel).click()
        page.wait_for_timeout(60)
        assert stage.bounding_box() == box, panel
    assert np.abs(_coarse(before, 60) - _coarse(stage.screenshot(), 60)).mean() < 0.2
    page.set_viewport_size({"width": 1280, "height": 700})
    page.wait_for_timeout(100)
    lower = _coarse(stage.screenshot(), 60)
    page.get_by_title("Show all").dispatch_event("click")
    page.wait_for_timeout(60)
    assert np.abs(lower - _coarse(stage.screenshot(), 60)).mean() > 2  # still larger than all of it


def test_a_window_that_shrinks_by_single_pixels_shows_what_one_of_its_last_size_does(
    shown: Callable[..., Shown],
) -> None:
    it, pictures = shown("net=torus:8x8", height=800), []
    for height in range(799, 779, -1):
        it.page.set_viewport_size({"width": 1280, "height": height})
        it.page.evaluate(FRAMES)
    for page in (it.page, shown("net=torus:8x8", height=780).page):
        with page.expect_download() as got:
            page.get_by_title("Save this picture as SVG").click()
        pictures.append(Path(got.value.path()).read_text(encoding="utf-8"))
    assert pictures[0] == pictures[1] and it.errors == []


def test_what_is_near_follows_the_hand_that_turns(shown: Callable[..., Shown]) -> None:
    it, discs = shown("net=hypercube:3&view=space"), []
    for step in range(2):
        if step:
            it.page.mouse.move(300, 300)
            it.page.mouse.down()
            it.page.mouse.move(306, 306)
            it.page.mouse.up()
        with it.page.expect_download() as saved:
            it.page.locator("#stage > .tools [title='Save this picture as SVG']").dispatch_event("click")
        discs.append(np.array([each[:3] for each in DISC.findall(saved.value.path().read_text("utf-8"))], float))
    near = discs[0][discs[0][:, 2].argmax(), :2]
    ways = discs[1][:, :2] - near
    assert len(discs[0]) == len(discs[1]) == 8 and (ways[np.hypot(*ways.T).argmin()] > 0.5).all()


def test_a_picture_has_its_legend_and_the_colours_of_its_theme(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.1", theme="dark")
    page = it.page
    page.wait_for_selector("text=offered next, to escape")
    page.get_by_label("Theme").select_option("light")
    colours = page.locator("#stage .legend li i").evaluate_all("all => all.map((each) => each.style.background)")
    accent = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent').trim()")
    assert colours[-3] == f"rgb({', '.join(str(int(accent[k : k + 2], 16)) for k in (1, 3, 5))})"
    with page.expect_download() as saved:
        page.locator("[title='Save this picture as SVG']").dispatch_event("click")
    assert saved.value.suggested_filename == "torus-8x8-route.svg"
    text = saved.value.path().read_text(encoding="utf-8")
    words = page.locator("#stage .legend li").all_text_contents()
    assert len(words) == 4 and all(f">{each}</text>" in text for each in words) and accent in text


def test_a_phone_can_scroll_past_the_drawing(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8", 320, 640, has_touch=True)
    page = it.page
    for at in ("net=torus:8x8", "net=rdt:8&panel=multicast", "net=rdt:8&panel=papers&papers.group=64"):
        it.go(at)
        page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('One moment')")
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, at
    assert page.evaluate("getComputedStyle(document.getElementById('drawing')).touchAction") == "pan-y"
    it.go("net=fattree:3,n=3")
    box = page.locator("#refused").bounding_box()
    assert box["x"] >= 12 and box["x"] + box["width"] <= 308
    it.go("net=torus:8x8")
    page.mouse.move(160, 300)
    page.mouse.wheel(0, 200)
    page.wait_for_function("() => scrollY > 50")


ENDS = """() => [...document.querySelectorAll("#panel table")].flatMap((table) =>
  [...table.querySelectorAll("thead th")].map((head, k) => [head, table.querySelectorAll("tbody tr")[0].children[k]])
    .filter(([, cell]) => cell.className === "number")
    .map((pair) => pair.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return range.getBoundingClientRect().right;
    })))"""


def test_heads_of_numbers_end_where_their_numbers_do(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8&panel=route&routing=torus.duato&picked=9.44&route.taken=1.0")
    it.page.wait_for_selector("text=candidates, in order")
    ends = np.array(it.page.evaluate(ENDS))
    assert ends.shape == (5, 2) and np.abs(ends[:, 0] - ends[:, 1]).max() < 1


OUTLINED = """() => {
  const each = document.activeElement, at = each.getBoundingClientRect();
  const around = document.querySelector("#panel").getBoundingClientRect();
  const { outlineStyle, outlineWidth, outlineOffset } = getComputedStyle(each);
  const wide = parseFloat(outlineWidth) + parseFloat(outlineOffset);
  return each.closest("#panel") === null ? null : [outlineStyle, at.left - wide >= around.left,
    at.right + wide <= around.right, at.top - wide >= around.top, at.bottom + wide <= around.bottom];
}"""


def test_the_outline_of_the_focus_is_seen_whole(shown: Callable[..., Shown]) -> None:
    it, seen = shown("net=torus:8x8&panel=faults", height=700), []
    it.page.wait_for_selector("#panel table")
    it.page.get_by_role("tab", name="Faults").focus()
    for _ in range(20):
        it.page.keyboard.press("Tab")
        seen.append(it.page.evaluate(OUTLINED))
    inside = [each for each in seen if each is not None]
    assert len(inside) > 6 and seen[-1] is None and all(each == ["solid", True, True, True, True] for each in inside)


def test_each_preset_is_told_in_a_line(shown: Callable[..., Shown]) -> None:
    it, told = shown(), set()
    for preset in PRESETS:
        it.go(f"net=torus:4x4&panel=simulate&simulate.preset={preset}")
        it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Flits in the network')")
        line = it.page.locator("#panel .control", has_text="Preset").locator("xpath=following-sibling::*[1]")
        told.add(line.inner_text())
    assert len(told) == len(PRESETS) and "" not in told


KEYS_ON = [  # a control that makes its panel anew when it is pressed
    ("net=star:5&panel=wafer", "button:has-text('srt2d:8')"),
    ("net=star:5&panel=multicast", "button:has-text('rdt:8')"),
    ("net=rdt:8&panel=multicast", "td button:has-text('LPRA')"),
    ("net=torus:4x4&panel=deadlock&deadlock.show=cure", "button:has-text('Back to the deadlock')"),
    ("net=torus:8x8&panel=faults&faults.routers=3.5", "button:has-text('Mend all')"),
    ("net=torus:8x8&panel=faults&faults.tool=links&picked=9", "td button >> nth=1"),
    ("net=rdt:8&panel=papers&papers.group=64", "figure button:has-text('srt2d:8')"),
    ("net=torus:4x4&panel=simulate&faults.links=0", "button:has-text('Mend all')"),
    ("net=torus:4x4&panel=route&picked=0.5&faults.links=60", "button:has-text('Mend all')"),
    (
        "net=torus:4x4&panel=simulate&traffic=permutation:to=" + "-".join(["x"] * 15 + ["0"]),
        "button:has-text('Start anew')",
    ),
]


@pytest.mark.parametrize(("at", "control"), KEYS_ON)
def test_the_focus_stays_near_what_was_pressed(at: str, control: str, shown: Callable[..., Shown]) -> None:
    it = shown(at)
    host = "#stage" if "figure" in control else "#panel"
    it.page.wait_for_selector(f"{host} {control}")
    for _ in range(2 if "nth" in control else 1):  # a link is broken, then mended by the same key
        it.page.locator(f"{host} {control}").first.focus()
        it.page.evaluate("document.activeElement.classList.add('pressed')")
        it.page.keyboard.press("Enter")
        it.page.wait_for_selector(".pressed:not(:disabled)", state="detached")  # which some are once a run is made
        it.page.wait_for_timeout(100)
        assert it.page.evaluate("document.activeElement.closest('#side') !== null"), at
    if "nth" in control:
        assert it.page.evaluate("document.activeElement.title").startswith("Break the link")


PICTURES = [
    ("net=srt2d:8&panel=wafer", ".staged .tools"),
    ("net=rdt:8&panel=papers&papers.group=64", ".multiples figcaption"),
    ("net=torus:8x8&panel=faults&faults.seed=1&faults.count=8", ".charted .tools"),
    ("net=srt2d:8&panel=wafer&wafer.wires=false", ".charted .tools"),
]


def test_wafers_sketches_and_curves_are_kept_as_png(shown: Callable[..., Shown]) -> None:
    it = shown("net=srt2d:8&panel=wafer")
    page = it.page
    end = "all => Math.max(...all.map((each) => each.getBoundingClientRect().right))"
    ends = [page.locator(each).evaluate_all(end) for each in ("#panel .segments", "#panel .facts")]
    assert 0 < ends[0] <= ends[1]  # no row of buttons leaves the panel's edge
    for at, tools in PICTURES:
        it.go(at)
        page.wait_for_selector(f"{tools} button:has-text('PNG')")
        page.wait_for_timeout(100)
        pictures = []
        for kind in ("PNG", "SVG"):
            with page.expect_download() as saved:
                page.locator(f"{tools} button:has-text('{kind}')").first.dispatch_event("click")
            assert re.fullmatch(r"[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*\.(?:svg|png)", saved.value.suggested_filename), at
            pictures.append(saved.value.path().read_bytes())
        found = Image.open(io.BytesIO(pictures[0])).convert("RGB")
        assert min(found.size) > 300 and len(found.getcolors(1 << 24)) > 20, at
        assert b"var(--" not in pictures[1] and pictures[1].lstrip().startswith(b"<svg xmlns"), at
        if tools == ".charted .tools":  # what the values are stands at their axis, in the file too
            assert re.search(rb">(?:mean route, hops|repaired, %)</text>", pictures[1]), at
        left = "all => Math.min(0, ...all.map((text) => text.getBBox().x))"
        assert page.locator("#panel .chart text").evaluate_all(left) > -1, at  # no word is cut off
    it.go("net=torus:4x4&panel=simulate&load=0.2")
    page.get_by_role("button", name="This load alone").click()
    page.wait_for_selector(".curve canvas", timeout=60_000)
    before = page.evaluate("document.querySelector('.curve canvas').toDataURL()")
    page.get_by_label("Theme").select_option("dark")
    page.wait_for_function("before => document.querySelector('.curve canvas').toDataURL() !== before", arg=before)
    with page.expect_download() as saved:
        page.get_by_title("Save this curve as PNG").dispatch_event("click")
    found = Image.open(io.BytesIO(saved.value.path().read_bytes()))
    assert found.getpixel((1, 1))[:3] == (20, 24, 30) and found.width > 700
    with page.expect_download() as saved:
        page.get_by_title("Save this curve as SVG").dispatch_event("click")
    text = saved.value.path().read_text(encoding="utf-8")
    assert text.count("<circle") == 1 and 'fill="#14181e"' in text and "NaN" not in text
    foot = float(text.partition("V")[2].partition('"')[0]) - 6  # a tick reaches so far below the axis
    zero = [each for each in text.split("<text ") if 'text-anchor="end"' in each and ">0<" in each]
    assert abs(float(zero[0].partition(' y="')[2].partition('"')[0]) - 12.5 / 3 - foot) < 0.1


def test_a_drawing_comes_back_when_the_browser_takes_its_graphics_away(shown: Callable[..., Shown]) -> None:
    """Without WebGL it is drawn as where there is none, and with it again as before."""
    it = shown("net=rdt:8")
    coloured = """name => {
      const canvas = document.querySelector(name), copy = document.createElement("canvas");
      [copy.width, copy.height] = [canvas.width, canvas.height];
      const on = copy.getContext("2d");
      return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
        on.drawImage(canvas, 0, 0);
        done(on.getImageData(0, 0, copy.width, copy.height).data.filter((v, k) => k % 4 === 3 && v > 0).length);
      })));
    }"""
    before = it.page.evaluate(coloured, "#drawing")
    it.page.evaluate("""() => {
      window.lost = document.querySelector("canvas.bulk").getContext("webgl2").getExtension("WEBGL_lose_context");
      lost.loseContext();
    }""")
    it.page.wait_for_timeout(200)
    without = it.page.evaluate(coloured, "#drawing")
    assert without > before + 5_000
    it.page.evaluate("() => lost.restoreContext()")
    it.page.wait_for_timeout(300)
    assert it.page.evaluate(coloured, "#drawing") == before
    picture = Image.open(io.BytesIO(it.page.locator("#stage").screenshot())).convert("RGB")
    assert len(picture.getcolors(1 << 24)) > 300
    assert it.errors == []


@pytest.mark.parametrize("panel", ["network", "simulate", "papers"])
def test_no_two_elements_have_one_id(panel: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=rdt:8&panel={panel}")
    ids = it.page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids)) > 5
    described = it.page.locator("#drawing").get_attribute("aria-describedby")
    assert "Arrow keys go from router to router" in str(it.page.locator(f"#{described}").text_content())


def test_on_a_phone_all_parts_begin_on_one_line(shown: Callable[..., Shown]) -> None:
    it = shown("net=rdt:8", width=400)
    parts = ["header h1", "#panel h2", "footer h2", "footer .name"]
    assert {it.page.evaluate(f"document.querySelector('{part}').getBoundingClientRect().left") for part in parts} == {
        12
    }
