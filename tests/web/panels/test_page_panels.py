"""The further panels in a browser: each shows what its link says, is led by hand and by keys, and says it elsewhere."""

from __future__ import annotations

import ast
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jumpnet.cli import run_words
from jumpnet.fault.degraded import degraded
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build

Open = Callable[..., Any]
AT = {
    "deadlock": "net=torus:4x4&panel=deadlock",
    "multicast": "net=rdt:8&panel=multicast",
    "faults": "net=torus:8x8&panel=faults",
    "wafer": "net=srt2d:8&panel=wafer",
    "papers": "net=rdt:8&panel=papers&papers.group=64",
    "collectives": "net=hypercube:4&panel=collectives",
}


def _side(one: Any, words: str) -> None:
    """Wait until the side column says so."""
    one.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)


def _told(one: Any, name: str) -> str:
    return str(one.page.inner_text(f'code[aria-label="{name}"]'))


def test_the_command_and_the_python_give_the_same(shown: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    one, given = shown(AT["deadlock"]), {}
    for panel in ("multicast", "faults", "wafer", "collectives"):
        one.go(AT[panel] + ("&faults.routers=3.5&faults.links=0.9" if panel == "faults" else ""))
        one.page.wait_for_function("() => document.querySelector('#panel dl, #panel .verdict')")
        _side(one, {"faults": "Average distance"}.get(panel, ""))
        assert run_words(shlex.split(_told(one, "Command"), comments=True)[1:]) == 0
        *lines, last = ast.parse(_told(one, "Python")).body
        assert isinstance(last, ast.Expr)
        names: dict[str, Any] = {}
        exec(compile(ast.Module(lines, []), "page", "exec"), names)
        given[panel] = eval(compile(ast.Expression(last.value), "page", "eval"), names), one.page.inner_text("#panel")
    tree, words = given["multicast"]
    assert f"Routers that receive\n{len(tree.receivers)}\n" in words
    left, words = given["faults"]
    mean = float(left.average_distance)
    assert f"\n{mean:.4f} (was 4.0635)" in words
    wafer, words = given["wafer"]
    assert f"Longest wire, segments\n{wafer.longest_wire}\n" in words and (tmp_path / "wafer.svg").stat().st_size > 1000
    schedule, words = given["collectives"]
    assert f"Steps\n{schedule.steps}\n" in words


def test_narrow_and_dark_no_panel_is_wider_than_the_page(shown: Open) -> None:
    one = shown(AT["deadlock"], width=400, height=800, theme="dark")
    for at in AT.values():
        one.go(at)
        one.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('One moment')")
        one.page.wait_for_timeout(50)
        assert one.page.evaluate("document.documentElement.scrollWidth") <= 400, at
    assert not one.errors and all(url.startswith(("file:", "blob:")) for url in one.requests)


def test_a_deadlock_fills_its_ring_step_by_step(shown: Open) -> None:
    one = shown(AT["deadlock"], reduced_motion="reduce")
    _side(one, "Can deadlock.")
    assert one.page.is_disabled("text=Play")
    one.page.focus("#panel input[type=range]")
    for _ in range(5):
        one.page.keyboard.press("ArrowRight")
    _side(one, "holds 0 → 1; waits for 1 → 2")
    assert "deadlock.cycle=5" in one.part()
    assert _told(one, "Command") == (
        "jumpnet prove torus:4x4 --routing torus.dimension_order --vcs 1 --explain --replay"
    )
    one.page.click("text=A routing without")
    _side(one, "Free of deadlock. torus.dateline, 2 virtual channels.")
    assert "--routing torus.dateline" in _told(one, "Command")
    _side(one, "a packet only ever waits for a hotter channel")
    one.go("net=mesh:4x4&panel=deadlock&deadlock.show=cure")  # where escape channels alone are in order
    _side(one, "a packet can always ask for one hotter than those that it holds")
    one.go("net=graph:petersen&panel=deadlock")
    _side(one, "Free of deadlock. lash:paths=balanced, 2 virtual channels.")


def test_a_deadlock_plays_to_its_end_and_stops(shown: Open) -> None:
    one = shown(f"{AT['deadlock']}&deadlock.cycle=8", reduced_motion="no-preference")
    start = one.page.locator("#panel .player .main")
    start.click()
    assert start.inner_text() == "Pause"
    one.page.wait_for_function("() => document.querySelector('#panel .player .main').innerText === 'Play'")
    assert "deadlock.cycle=10" in one.part()


def test_a_press_that_promises_a_deadlock_plays_it_and_a_link_does_not(shown: Open) -> None:
    one = shown("net=torus:4x4&deadlock.show=cure", reduced_motion="no-preference")
    one.page.get_by_role("button", name="Watch a deadlock").press("Enter")
    start = one.page.locator("#panel .player .main")
    start.filter(has_text="Pause").wait_for()
    start.filter(has_text="Play").wait_for()
    assert "deadlock.cycle=10" in one.part()
    one.page.get_by_role("tab", name="Network").click()
    one.page.get_by_role("tab", name="Deadlock").click()
    _side(one, "Can deadlock.")
    assert start.inner_text() == "Play"
    still = shown("net=torus:4x4", reduced_motion="reduce")
    still.page.get_by_role("button", name="Watch a deadlock").click()
    _side(still, "Can deadlock.")
    assert still.page.is_disabled("text=Play") and still.part() == AT["deadlock"]
    without = shown("net=graph:petersen", reduced_motion="no-preference")
    without.page.get_by_role("button", name="Watch a deadlock").click()
    without.page.click("#panel button >> text=torus:4x4")
    _side(without, "Can deadlock.")
    without.page.wait_for_timeout(1000)
    assert without.part() == AT["deadlock"], "a network that was chosen afterwards is no press that promises movement"


def test_a_multicast_under_each_scheme(shown: Open) -> None:
    one = shown(f"{AT['multicast']}&multicast.to=anywhere")
    _side(one, "Routers that receive")
    one.page.click("#panel table >> text=LPRA")
    _side(one, "Maps on the source's path, broadcast elsewhere.")
    assert "multicast.scheme=LPRA" in one.part()
    assert "jumpnet multicast rdt:8 --scheme LPRA --source 36 --to" in _told(one, "Command")
    one.go("net=torus:8x8&panel=multicast")
    one.page.click("#panel button >> text=rdt:16")
    _side(one, "Routers that receive")


def test_a_multicast_to_routers_of_ones_own(shown: Open) -> None:
    one = shown(
        "net=rdt:16&panel=multicast&multicast.to=own&multicast.source=17&multicast.receivers=3.200.77&multicast.scheme=LARP"
    )
    _side(one, "Asked for\n3\n")
    where = territories("rdt:16")
    tree = multicast_tree(where, scheme("LARP"), 17, [3, 77, 200])
    words = one.page.inner_text("#panel")
    assert f"Routers that receive\n{len(tree.receivers)}\n" in words and f"Hops over links\n{len(tree.hops)}\n" in words
    assert f"Steps\n{tree.steps}\n" in words and f"rank\xa0{tree.address.top}\n" in words
    reached = [len(where.members(17, rank)) for rank in range(where.top + 1)]
    assert "Territories: " + ", ".join(f"rank {k} reaches {n}" for k, n in enumerate(reached)) in words
    one.page.focus("#drawing")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        one.page.keyboard.press(key)
    _side(one, "Asked for\n4\n")
    one.page.click("text=Move the source")
    one.page.focus("#drawing")
    for key in ("ArrowDown", "Enter"):
        one.page.keyboard.press(key)
    assert "multicast.source=17" not in one.part() and "--source 17" not in _told(one, "Command")
    assert not one.errors


def test_faults_by_hand_by_keyboard_and_at_random(shown: Open) -> None:
    one = shown(AT["faults"])
    _side(one, "Average distance")
    one.page.focus("#drawing")
    for key in ("ArrowRight", "ArrowRight", "Enter"):
        one.page.keyboard.press(key)
    _side(one, "Broken\n1 router\n")
    assert "faults.routers=" in one.part()
    one.page.click("text=Mend all")
    _side(one, "Broken\nnothing")
    one.go("net=torus:8x8&panel=faults&faults.kind=links&faults.seed=2&faults.count=8")
    _side(one, "Broken\n8 links")
    _side(one, "4.1171 (was 4.0635)")
    mean = one.page.inner_text("#panel table:last-of-type tbody tr:first-child td:nth-child(3)")
    assert mean == "4.117"  # of lash, which takes shortest paths: what the page has searched itself


def test_what_is_left_is_followed_and_simulated(shown: Open) -> None:
    one = shown("net=mesh:4x4&panel=faults&faults.routers=5&faults.links=0")
    one.page.click("#panel button:has-text('Follow a route')")
    one.page.click("text=Two far apart")
    one.page.get_by_title("Take first candidates to the end").click()
    _side(one, "Arrived after")
    *lines, last = ast.parse(_told(one, "Python")).body
    names: dict[str, Any] = {}
    exec(compile(ast.Module(lines, []), "page", "exec"), names)
    assert isinstance(last, ast.Expr)
    hops = eval(compile(ast.Expression(last.value), "page", "eval"), names)
    assert f"Arrived after {len(hops)} hops" in one.page.inner_text("#panel")
    one.page.click("#tab-simulate")
    _side(one, "Without 1 router and 1 link.")
    one.page.get_by_role("button", name="This load alone").click()
    one.page.wait_for_selector("xpath=//table//th[starts-with(., 'Latency')]", timeout=60_000)
    cells = one.page.locator("xpath=//th[starts-with(., 'Latency')]/ancestor::table//td").all_text_contents()
    left = degraded(build("mesh:4x4"), routers=[5], links=[(0, 0)])
    result = simulate(left, "up_down", load=0.1, packet_flits="4", warmup_cycles=1000, measure_cycles=3000)
    assert cells == ["0.1", f"{result.accepted_load:.4f}", f"{result.packet_latency_mean_cycles:.2f}"]
    one.page.get_by_label("Routing").select_option("lash")
    one.page.wait_for_function("() => document.querySelector('#same').innerText.includes('lash')")
    assert 'left, "lash"' in _told(one, "Python") and ", vcs=" in _told(one, "Python")
    one.page.get_by_label("Routing").select_option("dfsssp")  # which needs two channels here
    one.page.wait_for_function("() => document.querySelector('#same').innerText.includes('vcs=2')")
    assert one.page.get_by_role("button", name="Run", exact=True).is_enabled()
    one.page.click("#panel button:has-text('Mend all')")
    one.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('Without 1 router')")
    assert not one.errors


def test_a_corner_that_is_cut_off(shown: Open) -> None:
    one = shown("net=mesh:4x4&panel=faults&faults.routers=1.4")  # both neighbors of router 0
    _side(one, "13 routers (1 cut off)")
    _side(one, "Pieces\n2")
    _side(one, "85.7 %")  # of 14 routers' pairs those of 13
    one.page.click("text=Show links")
    one.page.focus("#drawing")
    for key in ("ArrowRight", "ArrowRight", "ArrowRight", "Enter"):
        one.page.keyboard.press(key)
    one.page.click("#panel button:has-text('Break') >> nth=1")
    _side(one, "Broken\n2 routers and 1 link\n")
    for gone, joined in (("1.2.3", "none"), ("0.3", "0.0 %")):  # one router of four, and two apart
        one.go(f"net=torus:2x2&panel=faults&faults.routers={gone}")
        _side(one, f"Pairs joined\n{joined}\nDiameter, hops\nnone (was 2)\nAverage distance, hops\nnone (was 1.3333)")
    assert one.errors == []


def test_a_wafer_is_drawn_and_the_network_on_it(shown: Open) -> None:
    one = shown(f"{AT['wafer']}&wafer.density=0.1&wafer.seed=4")
    _side(one, "Repaired. 8 faults in the core")
    assert one.page.locator("#stage svg.picture rect title").count() == 100
    one.page.focus("svg.picture")
    for _ in range(2):
        one.page.keyboard.press("ArrowRight")
    assert "picked=1&" in one.part()
    assert one.page.inner_text("#said").startswith("element 0,1; segments to ")
    one.page.keyboard.press("Escape")
    assert "picked" not in one.part() and one.errors == []
    one.page.click("text=links by length of wire")
    one.page.wait_for_selector("#stage svg.picture", state="detached")
    assert "wafer.links=true" in one.part()
    one.go("net=srt2d:16&panel=wafer&wafer.method=exact")
    _side(one, "Not repaired.")


def test_networks_side_by_side_in_any_order(shown: Open) -> None:
    one = shown(AT["papers"])
    one.page.wait_for_selector("#stage .compared table")
    first = one.page.inner_text("#stage tbody tr:first-child th")
    one.page.select_option("#panel select", "average")
    one.page.wait_for_function(
        "first => document.querySelector('#stage tbody tr:first-child th').innerText !== first", arg=first
    )
    assert (first, one.page.inner_text("#stage tbody tr:first-child th")) == ("rdt:8", "random:64")
    one.page.click("#stage figure >> text=srt2d:8")
    assert one.part() == "net=srt2d:8"


def test_collectives_inform_everybody(shown: Open) -> None:
    one = shown(f"{AT['collectives']}&collectives.what=all-reduce&collectives.step=4")
    _side(one, "After 4 of 8 steps 16 of 16 parts are at the root.")
    one.page.click("[aria-label='To the end']")
    _side(one, "After 8 of 8 steps 16 of 16 routers have it.")
    assert "--broadcast binomial --collective all-reduce --source 0 --model one-port" in _told(one, "Command")
    one.go("net=hypercube:6&panel=collectives&collectives.what=gather&collectives.step=1")
    _side(one, "After 1 of 6 steps 2 of 64 parts are at the root.")
    one.go("net=hypercube:6&panel=collectives&collectives.what=gather")
    _side(one, "After 0 of 6 steps 1 of 64 parts are at the root.")
