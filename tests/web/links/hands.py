"""Any hand at the page: keys, clicks, drags, choices, sizes and links in the order of a seed, on any panel and network.

Many, by name, each on a page of its own, told with what goes wrong and after which deeds:

    python -m tests.web.links.hands --first 1 --seeds 40 --steps 60
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import math
import shlex
import sys
import tempfile
from contextlib import chdir, redirect_stderr, redirect_stdout
from functools import cache
from random import Random
from typing import Any

from tests.web.conftest import CHROMIUM, FLAGS, Shown

from jumpnet.cli import run_words
from jumpnet.explore.gallery import GALLERY
from jumpnet.explore.pieces import COMMITTED
from jumpnet.explore.stated import check_stated, keys_of
from jumpnet.topology import build

FOUND = """() => [...document.querySelectorAll("button,select,input,textarea")]
  .filter((each) => each.getClientRects().length && !each.disabled && each.type !== "file")"""
PRESSED = (
    "Tab",
    "Shift+Tab",
    "ArrowLeft",
    "ArrowDown",
    "ArrowRight",
    "Shift+ArrowUp",
    "Enter",
    "Escape",
    "+",
    "0",
    "Home",
)
TYPED = ("", "0", "9x", "5x5", "1e9", "torus:4x4", "<b>", "3", "0.5", "1 2 3", "1,x;2")
LINKS = (
    "net=torus:4x4&panel=simulate&simulate.cycle=50",
    "net=nothing:9",
    "net=torus:4x4&panel=deadlock",
    "eye=1_2_3_4_5",
    "net=mesh:4x4&panel=simulate&faults.links=3&load=0.3",
    "net=rdt:8&panel=multicast&multicast.to=own&multicast.receivers=3.9.30",
)
PANELS = ("network", "route", "simulate", "deadlock", "multicast", "faults", "wafer", "papers", "collectives")
SHOWN = """() => [document.title, document.querySelector("#panel h2")?.innerText,
  ...[...document.querySelectorAll("#same code")].map((each) => each.textContent)]"""
SEEN = """() => ({
  figures: [...document.querySelectorAll("#panel :is(h3, dt, dd, th, td, caption)")].map((each) => each.innerText),
  controls: [...document.querySelectorAll("#panel :is(select, input:not([type=text]):not([type=file]))")]
    .map((each) => [each.type === "checkbox" ? each.checked : each.value, each.disabled]),
  pressed: [...document.querySelectorAll("#panel [aria-pressed]")].map((each) => [each.innerText, each.ariaPressed]),
  legend: [...document.querySelectorAll("#stage .legend li")].map((each) => each.innerText),
})"""
ABOUT = """each => [each.tagName, each.type,
  each.ariaLabel || each.labels?.[0]?.innerText || each.title || each.innerText]"""
GIVEN = """(each, value) => {
  each.value = value;
  for (const kind of ["input", "change"]) each.dispatchEvent(new Event(kind, { bubbles: true }));
}"""
BUSY = """() => /One moment|Measuring load|On its way|Searching /.test(document.querySelector("#panel").innerText)"""
PATIENCE = 200  # seconds in which a page that is left alone comes to rest
MOST_ROUTERS = 300
"""Of a network whose commands are run."""


@cache
def specs() -> list[str]:
    """Networks to begin with: the gallery's of up to 1100 routers, and sizes that the page makes by rule."""
    gallery = [spec for listed in GALLERY.values() for spec in listed if build(spec).routers <= 1100]
    return [*gallery, "torus:9x5", "mesh:5x7", "hypercube:5", "rdt:24", "mesh:2", "torus:2x2", "hypercube:1"]


def one(it: Shown, chance: Random) -> str:
    """Something that a hand may do; what it was."""
    page, kind = it.page, chance.random()
    if kind < 0.55:
        return _control(it, chance)
    if kind < 0.65:
        tabs = page.get_by_role("tab")
        tab = tabs.nth(chance.randrange(tabs.count()))
        tab.dispatch_event("click")
        return f"tab {tab.text_content()}"
    if kind < 0.8:
        box = page.locator("#stage").bounding_box()
        x, y = box["x"] + chance.random() * box["width"], box["y"] + chance.random() * box["height"]
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + chance.choice((0, 90)), y)
        page.mouse.up()
        return f"mouse at {x:.0f}, {y:.0f}"
    if kind < 0.9:
        key = chance.choice(PRESSED)
        page.keyboard.press(key)
        return f"key {key}"
    if kind < 0.93:
        size = {"width": chance.choice((400, 1280)), "height": chance.choice((500, 860))}
        page.set_viewport_size(size)
        return f"window {size}"
    if kind < 0.96:
        (page.go_back if chance.random() < 0.6 else page.go_forward)()
        if page.url == "about:blank":  # it began at this page
            page.go_forward()
        return "back or forward"
    link = chance.choice(LINKS)
    page.evaluate("link => { location.hash = link; }", link)
    return f"link {link}"


def _control(it: Shown, chance: Random) -> str:
    """Any control that is seen, moved, chosen, filled or pressed."""
    found = it.page.evaluate_handle(FOUND)
    number = chance.randrange(it.page.evaluate("all => all.length", found))
    at = it.page.evaluate_handle("([all, k]) => all[k]", [found, number]).as_element()
    tag, typed, name = at.evaluate(ABOUT)
    if tag == "SELECT":
        options = at.evaluate("each => [...each.options].map(({ value, disabled }) => [value, disabled])")
        value = chance.choice([value for value, off in options if not off])
        at.evaluate(GIVEN, value)
        return f"{name} = {value}"
    if typed == "range":
        least, most, step = at.evaluate("each => [+each.min, +each.max, +each.step || 1]")
        value = f"{least + step * chance.randint(0, round((most - least) / step)):.6g}"
        at.evaluate(GIVEN, value)
        return f"{name} = {value}"
    if tag == "TEXTAREA" or typed in ("text", "number"):
        text = chance.choice(TYPED)
        at.evaluate(GIVEN, text)
        return f"{name} filled with {text!r}"
    at.dispatch_event("click")
    return f"click {name}"


def at_rest(it: Shown) -> None:
    """Whatever runs stands still, and what is measured or searched has ended or is stopped."""
    motion = it.page.get_by_label("Motion")
    if motion.is_checked():
        motion.uncheck()
    it.page.wait_for_timeout(250)
    if it.page.evaluate(BUSY):
        for stop in it.page.locator("#panel button:has-text('Stop')").all():
            if stop.is_visible():
                stop.dispatch_event("click")
    it.page.wait_for_function(f"() => !({BUSY})()", timeout=1000 * PATIENCE)
    it.page.wait_for_timeout(250)


def differences(it: Shown, other: Shown) -> list[str]:
    """What two pages show otherwise, each told."""
    told = [
        f"{a!r} and {b!r}" for a, b in zip(it.page.evaluate(SHOWN), other.page.evaluate(SHOWN), strict=True) if a != b
    ]
    seen, again = it.page.evaluate(SEEN), other.page.evaluate(SEEN)
    for name, wanted in seen.items():
        if wanted != again[name]:
            told.append(f"{name}: {_unlike(wanted, again[name])}")
    return told


def _unlike(a: list[Any], b: list[Any]) -> str:
    first = next((k for k, (one, two) in enumerate(zip(a, b, strict=False)) if one != two), min(len(a), len(b)))
    there = slice(max(0, first - 1), first + 3)
    return f"{len(a)} and {len(b)}, from the {first}th on {a[there]} and {b[there]}"


def foot(it: Shown) -> list[str]:
    """What is wrong with the command and the line of Python below the drawing."""
    text, python = (str(it.page.text_content(f'#same code[aria-label="{name}"]')) for name in ("Command", "Python"))
    spec = it.page.title().removesuffix(" · jumpnet")
    if "…" in text + python:
        return []  # shortened there
    ast.parse(python)
    wrong = []
    for each in text.split("; "):
        words = shlex.split(each)[1:]
        if "--at" in words:
            check_stated(words[words.index("--at") + 1], build(words[1]), keys_of(it.file.read_text(encoding="utf-8")))
        elif build(spec).routers <= MOST_ROUTERS:
            wrong += _ran(it, words)
    return wrong


def _ran(it: Shown, words: list[str]) -> list[str]:
    """A command is run: it ends well, and a simulation has the figures that are shown."""
    out, told = io.StringIO(), io.StringIO()
    with tempfile.TemporaryDirectory() as folder, chdir(folder), redirect_stdout(out), redirect_stderr(told):
        status = run_words([*words, "--json"] if words[0] == "simulate" else words)
    if status:
        return [f"{shlex.join(words)}: status {status}: {told.getvalue().strip()}"]
    shown = it.page.locator("#panel").inner_text()
    points = it.page.locator("#panel th:text-is('Offered load')").count()
    if words[0] != "simulate" or ("measure_cycles=3000" in words and not points):
        return []
    rows = map(json.loads, out.getvalue().splitlines())
    wanted = map(_point if "measure_cycles=3000" in words else _run, rows)
    return [f"{shlex.join(words)}: {each!r} is not in {shown[-700:]!r}" for each in wanted if each not in shown]


def _point(row: dict[str, Any]) -> str:
    """What the panel shows of a point of a curve."""
    return "saturated" if row.get("saturated") else f"{row['accepted_load']:.4f}"


def _run(row: dict[str, Any]) -> str:
    """What the panel shows of a run on its way."""
    latency = row["packet_latency_mean_cycles"]
    words = f"{latency:.1f} cycles" if latency and not math.isnan(latency) else "none yet"
    return f"Accepted load\n{row['accepted_load']:.3f}\nMean packet latency\n{words}"


def walk(browser: Any, seed: int, steps: int, check: int) -> list[str]:
    """What goes wrong on the way of one seed: errors, links that show something else, commands that do not do it."""
    chance = Random(seed)
    start = f"net={chance.choice(specs())}&panel={chance.choice(PANELS)}"
    context = browser.new_context(viewport={"width": 1280, "height": 860})
    context.set_default_timeout(1000 * PATIENCE)
    it, deeds, wrong = Shown(context.new_page(), start, COMMITTED), [f"link {start}"], []
    try:
        for step in range(steps):
            deeds.append(one(it, chance))
            if (step + 1) % check and step + 1 < steps:
                continue
            at_rest(it)
            part = it.part()
            other = Shown(context.new_page(), part, COMMITTED)
            at_rest(other)
            found = [*it.errors, *other.errors, *differences(it, other), *foot(it)]
            if other.part() != part:
                found.append(f"the link becomes {other.part()}")
            if found:
                wrong += [f"seed {seed}, step {step}, {part}", *(f"    {each}"[:900] for each in found)]
                wrong.append(f"    after {deeds[-check:]}")
                it.errors.clear()
            other.page.close()
            it.page.get_by_label("Motion").check()
    except Exception as error:
        at = it.page.url.partition("#")[2]
        wrong += [f"seed {seed}: {type(error).__name__} {str(error)[:600]} at {at}", f"    after {deeds[-check:]}"]
    context.close()
    return wrong


def main(words: list[str]) -> int:
    """Walks of seeds, told as they end; the status is 1 where anything went wrong."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Any hand at the page.")
    for name, value in (("first", 1), ("seeds", 30), ("steps", 60), ("check", 15)):
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args(words)
    bad = 0
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        for seed in range(asked.first, asked.first + asked.seeds):
            wrong = walk(browser, seed, asked.steps, asked.check)
            bad += bool(wrong)
            print("\n".join(wrong) or f"seed {seed}: nothing", flush=True)
        browser.close()
    print(f"{asked.seeds} walks of {asked.steps} deeds, {bad} with something wrong")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
