"""The page in a browser, for tests: Playwright and Debian's Chromium where they are; else a word, and no test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from jumpnet.explore.pieces import COMMITTED

FLAGS = (
    "--no-sandbox", "--disable-gpu", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


class Shown:
    """A page that is open: what it asked of any host, and what went wrong in it."""

    def __init__(self, page: Any, at: str, file: Path) -> None:
        self.page, self.requests, self.errors = page, [], []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda said: self.errors.append(said.text) if said.type == "error" else None)
        self.file = file
        self.go(at)

    def go(self, at: str) -> None:
        """Follow a link of the page, and wait until the network is drawn."""
        self.page.goto(f"{self.file.as_uri()}#{at}")
        self.page.wait_for_function(
            "() => document.querySelector('#drawing')?.getAttribute('aria-label')?.includes(' links')"
        )
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def part(self) -> str:
        """The link's part behind the `#`, once it stands still."""
        self.page.evaluate("() => new Promise((done) => setTimeout(done, 180))")  # behind its own timer
        return str(self.page.evaluate("location.hash")).removeprefix("#")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window."""
    if CHROMIUM is None:
        pytest.skip("no Chromium found: the page is not looked at")
    driver = pytest.importorskip("playwright.sync_api", reason="no Playwright found: the page is not looked at")
    with driver.sync_playwright() as started:
        found = started.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield found
        found.close()


@pytest.fixture
def shown(browser: Any) -> Iterator[Callable[..., Shown]]:
    """`shown(at, width=, height=, theme=)` opens the page that comes with jumpnet, or another `file`, at a link."""
    contexts: list[Any] = []

    def opened(at: str = "", width: int = 1280, height: int = 860, theme: str = "light", **more: Any) -> Shown:
        file = more.pop("file", COMMITTED)
        contexts.append(browser.new_context(viewport={"width": width, "height": height}, color_scheme=theme, **more))
        return Shown(contexts[-1].new_page(), at, file)

    yield opened
    for context in contexts:
        with suppress(Exception):
            context.close()
