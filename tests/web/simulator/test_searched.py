"""Tables of large networks are found beside the page: counts of channels, words while it lasts, a way to stop it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.web.conftest import Shown

from jumpnet.routings import bind
from jumpnet.topology import build


@pytest.mark.parametrize(("spec", "routing"), [("torus:18x18", "lash"), ("rdt:32", "lash"), ("torus:32x32", "nue")])
def test_channels_are_those_of_python(spec: str, routing: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net={spec}&panel=simulate&routing={routing}")
    it.page.wait_for_selector("#panel :text('Flits in the network')", timeout=120_000)
    slider = it.page.get_by_label("Virtual channels")
    slider.focus()
    slider.press("Home")
    least = bind(routing, build(spec)).vcs
    assert slider.get_attribute("aria-valuetext") == str(least)
    assert it.errors == []


def test_a_search_is_told_and_can_be_stopped(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:45x45&panel=route&picked=3.2000&routing=dfsssp")  # some 20 seconds of CPU
    it.page.wait_for_selector("#panel :text('Searching the tables of dfsssp on torus:45x45')", timeout=60_000)
    it.page.get_by_role("button", name="Stop", exact=True).click()
    it.page.wait_for_selector("#panel :text('dfsssp on torus:45x45: stopped')")
    assert it.page.locator("progress:visible").count() == 0
    it.page.get_by_label("Routing").select_option("torus.dateline")
    it.page.wait_for_selector("#panel h3:has-text('At router')")
    it.go("net=torus:45x45&panel=simulate&routing=dfsssp")
    it.page.wait_for_selector("#panel :text('Searching')", timeout=60_000)
    it.page.get_by_role("button", name="Stop", exact=True).first.click()
    it.page.wait_for_selector("#panel :text('dfsssp on torus:45x45: stopped')")
    it.page.get_by_label("Packet length").press("ArrowRight")
    it.page.wait_for_selector("#panel :text('Searching')", timeout=60_000)
    assert "stopped" not in it.page.inner_text("#panel") and it.errors == []  # it is searched again


COUNT = """() => {
  const Plain = Worker;
  window.working = 0;
  window.Worker = class extends Plain {
    constructor(at) { super(at); working++; }
    terminate() { super.terminate(); working--; }
  };
}"""
LONG = "() => document.querySelector('#panel').innerText.includes('Searching the tables of dfsssp on torus:45x45')"


@pytest.mark.parametrize("way", ["routing", "network", "panel", "packet"])
def test_a_search_ends_at_once_where_nobody_waits_for_it(way: str, shown: Callable[..., Shown]) -> None:
    """Some 20 seconds of CPU, in a thread that must not be there any more."""
    it = shown("net=torus:4x4")
    it.page.evaluate(COUNT)
    it.page.evaluate("location.hash = 'net=torus:45x45&panel=simulate&routing=dfsssp'")
    it.page.wait_for_function(LONG, timeout=60_000)
    assert it.page.evaluate("working") == 1
    if way == "routing":
        it.page.get_by_label("Routing").select_option("torus.dateline")
        it.page.wait_for_selector("#panel :text('Flits in the network')")
    elif way == "network":
        it.page.get_by_label("Size").select_option("torus:8x8")
        it.page.wait_for_selector("#panel :text('Flits in the network')")
    elif way == "panel":
        it.page.get_by_role("tab", name="Network").click()
    else:
        it.page.get_by_label("Packet length").press("ArrowRight")  # the same search goes on
        it.page.wait_for_timeout(300)
        assert it.page.evaluate("working") == 1
        it.page.get_by_role("tab", name="Route").click()  # and is begun anew there
        it.page.wait_for_function(LONG, timeout=60_000)
        assert it.page.evaluate("working") == 1
        it.page.get_by_role("tab", name="Network").click()
    assert it.page.evaluate("working") == 0 and it.page.locator("progress:visible").count() == 0
    it.page.evaluate("location.hash = 'net=torus:45x45&panel=route&picked=3.2000&routing=dfsssp'")
    it.page.wait_for_function(LONG, timeout=60_000)  # it can be begun anew
    it.page.get_by_label("Routing").select_option("torus.dateline")
    it.page.wait_for_selector("#panel h3:has-text('At router')")
    assert it.page.evaluate("working") == 0 and it.errors == []


HELD_BACK = """() => {
  const Plain = Worker;
  window.threads = 0;
  window.Worker = class extends Plain {
    constructor(at) { super(at); threads++; }
    postMessage(work) { window.release = () => super.postMessage(work); }
  };
}"""
"""Searches begin when the test says so: a fast machine would be done before the setting is changed."""


def test_settings_changed_meanwhile_begin_no_search_anew(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:24x24&panel=simulate&routing=torus.dateline")
    it.page.wait_for_selector("#panel :text('Flits in the network')", timeout=60_000)
    it.page.evaluate(HELD_BACK)
    it.page.get_by_label("Traffic").select_option("worst:routing=torus.dateline")
    it.page.wait_for_selector("#panel :text('Searching the worst traffic for torus.dateline')", timeout=60_000)
    it.page.get_by_label("Packet length").press("ArrowRight")
    it.page.evaluate("release()")
    it.page.wait_for_selector("#panel :text('Flits in the network')", timeout=60_000)
    assert "&packet=" in it.part() and it.page.evaluate("threads") == 1 and it.errors == []
