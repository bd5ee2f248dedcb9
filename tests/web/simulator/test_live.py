"""Deadlocks that the page runs into, wafers of the papers, paths of links, routes round faults: held against Python."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from tests.web.conftest import Shown
from tests.web.drawing.drawn import drawn

import jumpnet
from jumpnet.analysis.paper_wafers import paper_wafers
from jumpnet.analysis.routes.paths import route
from jumpnet.explore.panels import wafer
from jumpnet.fault.degraded import degraded
from jumpnet.routings import bind
from jumpnet.sim.config.sim_config import PRESETS
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

AT = "net=torus:4x4&panel=simulate&routing=torus.dimension_order&vcs=1&load=0.9&packet=16&simulate.speed=10"


def test_a_live_deadlock_is_called_so_and_its_ring_is_drawn(shown: Callable[..., Shown]) -> None:
    it, net = shown(AT), build("torus:4x4")
    it.page.get_by_role("button", name="Run", exact=True).click()
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('a deadlock')", timeout=60_000)
    links = drawn(it, 16, ["bad"]).links["bad"]
    # On a ring of the torus each router is left once and entered once, along one dimension.
    assert len(links) >= 2 and all(b in net.neighbor[a] for a, b in links)
    assert len({a for a, _ in links}) == len({b for _, b in links}) == len(links)
    assert "a flit, in its packet's colour" in it.page.locator("#stage .legend li").all_text_contents()
    it.page.get_by_role("button", name="This load alone").click()
    cell = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//td").nth(2)
    cell.wait_for(timeout=60_000)
    settings = {"vcs": 1, "load": 0.9, "packet_flits": "16", "warmup_cycles": 1000, "measure_cycles": 3000}
    assert simulate("torus:4x4", "torus.dimension_order", **settings).deadlocked
    assert cell.text_content() == "deadlocked" and it.errors == []


SEEN = """words => [...document.querySelectorAll('#panel .note')]
  .some((each) => each.innerText.includes(words) && each.getClientRects().length)"""


def _said(it: Shown, words: str) -> None:
    """Waits until a note of the panel that is seen says so."""
    it.page.wait_for_function(SEEN, arg=words, timeout=60_000)


def test_a_deadlock_is_called_so_however_it_is_come_to(shown: Callable[..., Shown]) -> None:
    """By a link, by one cycle more, by coming back to the panel; and no longer where the run begins anew."""
    it, words = shown(AT + "&simulate.cycle=30000"), "Nothing moves any more, with flits inside: a deadlock."
    _said(it, words)
    assert "waits for the next: a deadlock" in it.page.locator("#stage .legend li").all_text_contents()
    it.page.get_by_role("button", name="One cycle").click()
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Cycle\\n30,001')")
    _said(it, words)
    it.page.get_by_role("tab", name="Network").click()
    it.page.get_by_role("tab", name="Simulate").click()
    _said(it, words)
    it.page.get_by_role("button", name="Start again").click()
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Cycle\\n0')")
    assert words not in it.page.inner_text("#panel") and it.errors == []
    assert "waits for the next: a deadlock" not in it.page.locator("#stage .legend li").all_text_contents()


HEATED = re.compile(r'stroke="(#\w+)"')


def _picture(it: Shown) -> str:
    with it.page.expect_download() as saved:
        it.page.locator("#stage > .tools [title='Save this picture as SVG']").dispatch_event("click")
    return str(saved.value.path().read_text(encoding="utf-8"))


@pytest.mark.parametrize("speed", [2, 8])
def test_heat_at_a_link_is_that_of_the_run_it_was_taken_from(speed: int, shown: Callable[..., Shown]) -> None:
    """Whatever the speed, and so however often it was looked at on the way."""
    at = f"net=torus:4x4&panel=simulate&simulate.heat=true&load=0.2&simulate.speed={speed}"
    it = shown(at + "&simulate.cycle=230")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Cycle\\n230')")
    it.page.get_by_role("button", name="Run", exact=True).click()
    it.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('Cycle\\n230')")
    it.page.wait_for_timeout(700)
    it.page.get_by_role("button", name="Pause").click()
    part = it.part()
    assert "simulate.cycle=" in part and "simulate.cycle=230" not in part
    again = shown(part)
    _said(again, "Of the packets since cycle")
    first, second = _picture(it), _picture(again)
    assert "flit" in first and len(set(HEATED.findall(first))) > 3
    assert first == second and it.errors == again.errors == []


def test_the_wafers_of_the_papers_figures(shown: Callable[..., Shown]) -> None:
    it = shown()
    for figure, made in paper_wafers().items():
        it.go(f"net=srt2d:8&panel=wafer&wafer.paper={figure}")
        it.page.wait_for_selector("svg.picture")
        said = it.page.inner_text("#panel")
        assert f"Longest wire, segments\n{made.longest_wire}" in said and "Repaired." in said
        added = made.added_segments
        assert f"link, mean\n{added.mean():.3f}\nSegments added to a link, most\n{added.max()}" in said
        crossed = "all => all.filter((each) => each.textContent.includes('defective')).map((each) => each.textContent)"
        bad = it.page.locator("svg.picture title").evaluate_all(crossed)
        there = [f"row {x}, column {y}: defective" for x, y in np.argwhere(made.configuration.bad).tolist()]
        assert sorted(bad) == sorted(there)
        assert it.page.get_by_label("Python", exact=True).inner_text().endswith(f'paper_wafers()["{figure}"]')
    curves = wafer.data()["curves"]
    assert curves["names"] == ["local", "graph", "exact", "bound"] and len(curves["parts"][0]) == len(
        curves["densities"]
    )
    assert all(below <= above for below, above in zip(curves["parts"][0], curves["parts"][3], strict=True))


def test_a_path_that_a_link_names(shown: Callable[..., Shown]) -> None:
    it, path = shown(), [0, 1, 9, 17, 16]
    it.go(f"net=torus:8x8&network.path={'.'.join(map(str, path))}.40")  # 40 is no neighbor of 16
    assert it.part() == f"net=torus:8x8&network.path={'.'.join(map(str, path))}"
    assert drawn(it, 64, ["accent"]).links["accent"] == set(pairwise(path))
    assert "--highlight '0 1 9 17 16'" in it.page.get_by_label("Command", exact=True).inner_text()


@pytest.mark.parametrize("routing", ["rdt.fault_tolerant"])
def test_a_route_of_the_family_goes_round_what_is_broken(routing: str, shown: Callable[..., Shown]) -> None:
    net, gone = build("rdt:16"), [17, 18, 33]
    it = shown(f"net=rdt:16&panel=faults&faults.routers={'.'.join(map(str, gone))}")
    it.page.get_by_role("button", name="Follow a route").click()
    assert "routing=up_down" in it.part()  # which goes round on any network
    it.page.get_by_label("Routing", exact=True).select_option(routing)
    it.go(it.part() + "&picked=16.35")
    it.page.get_by_title("Take first candidates to the end").click()
    it.page.wait_for_selector("xpath=//h3[.='So far']")
    rows = it.page.locator("xpath=//h3[.='So far']/following-sibling::*[1]//tbody/tr")
    there = [int(row.locator("td").nth(2).text_content() or -1) for row in rows.all()]
    assert f"routing={routing}" in it.part()
    assert [hop.port for hop in route(bind(routing, degraded(net, gone, [])), 16, 35)] == there


@pytest.mark.parametrize("preset", PRESETS)
def test_a_load_measured_alone_is_what_the_line_beside_it_gives(preset: str, shown: Callable[..., Shown]) -> None:
    """Whether a run goes on until all packets have arrived is the preset's to say."""
    at = f"net=fattree:2,n=4&panel=simulate&routing=up_down&vcs=4&load=0.05&seed=541&simulate.preset={preset}"
    it = shown(at)
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Flits in the network')")
    it.page.get_by_role("button", name="This load alone").click()
    cell = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//td").nth(2)
    cell.wait_for(timeout=60_000)
    start, _, line = it.page.get_by_label("Python", exact=True).inner_text().partition("; ")
    assert start == "import jumpnet" and it.errors == []
    figures = eval(line, {"jumpnet": jumpnet}).figures
    assert cell.text_content() == f"{figures['packet_latency_mean_cycles']:.2f}"
