"""What the page's views give is what Python gives: routes hop by hop, measured points, links in the report."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.web.conftest import Shown

from jumpnet.analysis.routes.paths import route
from jumpnet.cli import run_words
from jumpnet.routings import bind
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

ROUTES = [("torus:8x8", "torus.duato", 9, 44), ("rdt:8", "rdt.floating", 1, 60), ("fattree:4,n=3", "", 32, 46)]


CYCLE = "[...document.querySelectorAll('dt')].find((e) => e.textContent === 'Cycle')?.nextSibling.textContent"


def _cells(it: Shown, heading: str, column: int) -> list[str]:
    """The text of a column of the table below a heading, once it is there."""
    below = f"//h3[starts-with(., '{heading}')]/following-sibling::*[1]"
    it.page.wait_for_selector(f"xpath={below}//td", timeout=60_000)
    return it.page.locator(f"xpath={below}//tr/td[{column}]").all_text_contents()


def test_a_route_is_that_of_python(shown: Callable[..., Shown]) -> None:
    it = shown()
    for spec, routing, source, destination in ROUTES:
        net = build(spec)
        hops = route(bind(routing or net.family + ".nca", net), source, destination)
        it.go(f"net={spec}&panel=route&picked={source}.{destination}" + (f"&routing={routing}" if routing else ""))
        it.page.get_by_title("Take first candidates to the end").click()
        assert _cells(it, "So far", 3) == [str(hop.port) for hop in hops]
        assert _cells(it, "So far", 4) == [str(hop.vc) for hop in hops]
        last = it.page.locator("xpath=//dt[.='Came by']/following-sibling::*[1]").text_content()
        assert last == f"port {build(spec).far_port[hops[-1].router, hops[-1].port]}, channel {hops[-1].vc}"
        it.page.get_by_title("Take the last hop back").click()
        assert len(_cells(it, "So far", 1)) == len(hops) - 1
        assert f"route.taken={'.'.join('0' * (len(hops) - 1))}" in it.part()
    assert it.errors == []


@pytest.mark.parametrize(("spec", "routing", "more"), [("torus:4x4", "torus.dateline", {"traffic": "transpose"})])
def test_a_point_is_that_of_the_command(spec: str, routing: str, more: dict[str, str], shown, capsys) -> None:
    it = shown(f"net={spec}&panel=simulate&load=0.3&seed=5&vcs=2&routing={routing}&traffic={more['traffic']}")
    it.page.get_by_role("button", name="This load alone").click()
    it.page.wait_for_selector("xpath=//table//th[starts-with(., 'Latency')]", timeout=60_000)
    shown_there = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//td").all_text_contents()
    command = it.page.locator("#same code").nth(1).text_content()
    settings = {
        "load": 0.3,
        "seed": 5,
        "vcs": 2,
        "packet_flits": 4,
        "warmup_cycles": 1000,
        "measure_cycles": 3000,
        **more,
    }
    result = simulate(build(spec), routing, **settings)
    found = ["0.3", f"{result.accepted_load:.4f}", f"{result.packet_latency_mean_cycles:.2f}"]
    assert shown_there == found
    assert run_words([*command.split()[1:], "--json"]) == 0
    assert f'"packet_latency_mean_cycles": {result.packet_latency_mean_cycles!r}' in capsys.readouterr().out
    python = it.page.locator("#same code").nth(2).text_content()
    scope: dict[str, object] = {}
    exec(python.replace("; ", "; made = ", 1), scope)
    assert scope["made"].packet_latency_mean_cycles == result.packet_latency_mean_cycles


PRESET = "net=torus:4x4&panel=simulate&simulate.preset=jump1&simulate.buffer=8&vcs=3&load=0.2&packet=7"
BUBBLE = "net=torus:4x4&panel=simulate&routing=torus.bubble&load=0.15&packet=5"


@pytest.mark.parametrize("at", [PRESET, BUBBLE])
def test_presets_and_buffers_are_those_of_the_command(at: str, shown: Callable[..., Shown], capsys: Any) -> None:
    it = shown(at)
    it.page.get_by_role("button", name="This load alone").click()
    it.page.wait_for_selector("xpath=//table//th[starts-with(., 'Latency')]", timeout=60_000)
    latency = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//td").all_text_contents()[2]
    command, python = (it.page.locator("#same code").nth(k).text_content() or "" for k in (1, 2))
    assert run_words([*command.split()[1:], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["packet_latency_mean_cycles"]
    assert f"{found:.2f}" == latency
    assert ("buffer_flits=8" in command) == ("jump1" in command) and ("buffer_flits=32" in command) == (at == BUBBLE)
    scope: dict[str, Any] = {}
    exec(python.replace("; ", "; made = ", 1), scope)
    assert scope["made"].packet_latency_mean_cycles == found and it.errors == []


def test_where_no_packet_arrives_there_is_no_latency(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=simulate&load=0")
    it.page.wait_for_selector("#panel :text('Flits in the network')")
    it.page.get_by_role("button", name="This load alone").click()
    assert "A curve has loads above 0." in it.page.inner_text("#panel")
    it.go("net=torus:4x4&panel=simulate&load=0.000001")
    it.page.get_by_role("button", name="This load alone").click()
    it.page.wait_for_selector("xpath=//table//th[starts-with(., 'Latency')]", timeout=60_000)
    there = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//td").all_text_contents()
    assert there == ["0.000001", "0.0000", "none"] and "NaN" not in it.page.inner_text("#panel") and it.errors == []


def test_what_a_link_asks_and_the_page_has_not_is_mended_and_said(shown: Callable[..., Shown]) -> None:
    it = shown("net=mesh:8x8&panel=simulate&routing=mesh.odd_even&vcs=9&traffic=bad_dragonfly")
    it.page.wait_for_function(f"() => {CYCLE} === '0'")
    part = it.part()
    assert "routing=mesh.odd_even" in part and "vcs=" not in part and "traffic=" not in part
    it.page.evaluate("location.hash = '#net=fattree:3,n=3&panel=faults'")
    it.page.wait_for_selector("#refused")
    assert it.part().startswith("net=mesh:8x8") and it.page.title() == "mesh:8x8 · jumpnet"
    for spec in ("torus:16x16x16", "torus:4x4"):  # the slow one is asked for first
        it.page.evaluate(f"location.hash = '#net={spec}'")
    it.page.wait_for_function("() => document.title.startsWith('torus:4x4 ')")
    it.page.wait_for_timeout(400)
    assert it.page.title() == "torus:4x4 · jumpnet" and it.part() == "net=torus:4x4" and it.errors == []


def test_it_runs_while_it_is_looked_at_and_stands_still_when_asked(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8&panel=simulate&load=0.4&simulate.speed=7")
    page = it.page
    cycle = f"Number({CYCLE})"
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_function(f"() => {cycle} > 40", timeout=60_000)
    page.get_by_label("Motion").uncheck()
    page.wait_for_timeout(100)
    before = page.evaluate(cycle)
    page.wait_for_timeout(300)
    assert page.evaluate(cycle) == before
    page.get_by_role("button", name="One cycle").click()
    assert page.evaluate(cycle) == before + 1 and it.errors == []


def test_a_press_that_promises_packets_runs_and_a_link_stands(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8", reduced_motion="no-preference")
    page, cycle = it.page, f"Number({CYCLE})"
    page.get_by_role("button", name="See packets move").press("Enter")
    page.wait_for_function(f"() => {cycle} > 20", timeout=60_000)
    page.get_by_role("tab", name="Network").click()
    before = int(it.part().partition("simulate.cycle=")[2].partition("&")[0])
    page.get_by_role("button", name="See packets move").click()  # on from where it was left
    page.wait_for_function(f"() => {cycle} > {before}", timeout=60_000)
    assert it.errors == []
    linked = shown("net=torus:8x8&panel=simulate", reduced_motion="no-preference")
    still = shown("net=torus:8x8", reduced_motion="reduce")
    still.page.get_by_role("button", name="See packets move").click()
    for one in (linked, still):
        one.page.wait_for_function(f"() => {cycle} === 0", timeout=60_000)
        one.page.wait_for_timeout(500)
        assert one.page.evaluate(cycle) == 0
        assert one.page.get_by_role("button", name="Run", exact=True).is_enabled()


def test_a_curve_ends_where_the_network_is_saturated(shown: Callable[..., Shown]) -> None:
    it = shown("net=mesh:4x4&panel=simulate&traffic=hotspot&packet=8&vcs=1&routing=mesh.dimension_order")
    it.page.get_by_role("button", name="Measure the curve").click()
    it.page.wait_for_selector("xpath=//td[.='saturated']", timeout=60_000)
    it.page.wait_for_selector("#panel button:has-text('Stop')", state="hidden")
    latencies = it.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//tr/td[3]").all_text_contents()
    assert "saturated" not in latencies[:-1] and len(latencies) < 19
    with it.page.expect_download() as saved:
        it.page.get_by_title("Save this curve as SVG").dispatch_event("click")
    assert saved.value.path().read_text(encoding="utf-8").count("<circle") == len(latencies) - 1 > 0
