"""A latency curve is in the link: opened again it is measured again, and command and Python give its figures."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable

import pytest
from tests.web.conftest import Shown

import jumpnet
from jumpnet.cli import run_words

TABLE = "xpath=//th[starts-with(., 'Latency')]/ancestor::table"
Open = Callable[..., Shown]


def _cells(it: Shown) -> list[list[str]]:
    """The points beside the curve, once nothing is measured any more."""
    it.page.wait_for_selector(TABLE, timeout=60_000)
    it.page.get_by_text("Measuring load").wait_for(state="hidden", timeout=120_000)
    rows = it.page.locator(f"{TABLE}//tbody/tr").all()
    return [row.locator("td").all_text_contents() for row in rows]


def _told(it: Shown, name: str) -> str:
    return str(it.page.inner_text(f'code[aria-label="{name}"]'))


def _row(load: float, accepted: float, latency: float, saturated: bool, deadlocked: bool) -> list[str]:
    words = "deadlocked" if deadlocked else "saturated" if saturated else f"{latency:.2f}"
    return [f"{load:g}", f"{accepted:.4f}", words]


def _by_command(command: str, capsys: pytest.CaptureFixture[str]) -> list[list[str]]:
    capsys.readouterr()
    assert run_words([*shlex.split(command)[1:], "--json"]) == 0
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    names = ("accepted_load", "packet_latency_mean_cycles", "saturated", "deadlocked")
    return [_row(row.get("load", row["offered_load"]), *(row[name] for name in names)) for row in rows]


def _by_python(line: str) -> list[list[str]]:
    start, _, call = line.partition("; ")
    assert start == "import jumpnet"
    found = eval(call, {"jumpnet": jumpnet})
    points = found if hasattr(found, "__iter__") else [found]
    return [
        _row(p.figures["offered_load"], p.accepted_load, p.packet_latency_mean_cycles, p.saturated, p.deadlocked)
        for p in points
    ]


@pytest.mark.parametrize(
    ("at", "count"),
    [
        ("net=torus:4x4&panel=simulate&seed=7&packet=3&simulate.curve=0.1,0.35,0.6,0.9,1", 5),
        ("net=torus:4x4&panel=simulate&routing=torus.dimension_order&vcs=1&packet=16&simulate.curve=0.2,0.9", 2),
        ("net=rdt:4&panel=simulate&traffic=transpose&simulate.preset=jump1&simulate.curve=0.05,0.123456", 2),
        ("net=hypercube:4&panel=simulate&vcs=3&simulate.curve=0.4", 1),
    ],
)
def test_a_link_to_a_curve_its_command_and_its_python_give_the_same(
    at: str, count: int, shown: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    it = shown(at)
    cells = _cells(it)
    assert 1 <= len(cells) <= count and it.errors == []
    assert _by_command(_told(it, "Command"), capsys) == cells
    assert _by_python(_told(it, "Python")) == cells
    loads = ",".join(cell[0] for cell in cells)
    assert f"simulate.curve={loads}" in it.part()  # up to the first that saturates, where it ends
    again = shown(it.part())
    assert _cells(again) == cells and again.part() == it.part()


def test_a_curve_that_was_measured_by_hand_is_in_the_link(shown: Open, capsys: pytest.CaptureFixture[str]) -> None:
    it = shown("net=mesh:4x4&panel=simulate&traffic=transpose&load=0.07")
    it.page.wait_for_selector("#panel :text('Flits in the network')")
    it.page.get_by_role("button", name="This load alone").click()
    assert [row[0] for row in _cells(it)] == ["0.07"] and it.part().endswith("&simulate.curve=0.07")
    it.page.get_by_role("button", name="Measure the curve").click()
    cells = _cells(it)
    assert [row[0] for row in cells][:3] == ["0.05", "0.07", "0.1"] and cells[-1][2] == "saturated"
    assert _by_command(_told(it, "Command"), capsys) == cells
    it.page.get_by_label("Offered load").fill("1")
    it.page.get_by_role("button", name="This load alone").click()  # beyond the end of the curve
    assert "a load of 1 is beyond" in it.page.inner_text("#panel") and _cells(it) == cells
    it.page.get_by_role("tab", name="Network").click()
    it.page.get_by_role("tab", name="Simulate").click()
    assert _cells(it) == cells  # as it was left
    it.page.get_by_label("Packet length").press("ArrowRight")  # another run
    it.page.wait_for_selector("#panel :text('Each point is 1000 cycles')")
    assert "simulate.curve" not in it.part() and it.errors == []


def test_a_curve_that_a_link_asks_for_can_be_stopped(shown: Open) -> None:
    loads = ",".join(f"0.{k:03}".rstrip("0") for k in range(1, 60))
    it = shown(f"net=torus:16x16&panel=simulate&simulate.curve={loads}")
    it.page.wait_for_selector(f"{TABLE}//tbody/tr", timeout=60_000)
    it.page.get_by_role("button", name="Stop", exact=True).click()
    cells = _cells(it)
    assert 1 <= len(cells) < 59
    assert it.part().endswith(f"&simulate.curve={','.join(row[0] for row in cells)}")
    it.page.wait_for_timeout(500)
    assert _cells(it) == cells and it.errors == []
    it.page.get_by_role("button", name="Clear").click()
    assert "simulate.curve" not in it.part() and it.page.locator(TABLE).count() == 0


def test_a_curve_beside_a_run_on_its_way_has_both(shown: Open, capsys: pytest.CaptureFixture[str]) -> None:
    it = shown("net=torus:4x4&panel=simulate&load=0.2&simulate.cycle=300&simulate.curve=0.1,0.3")
    cells = _cells(it)
    one, two = _told(it, "Command").split("; ")
    assert "measure_cycles=300" in one and _by_command(two, capsys) == cells
    _, first, second = _told(it, "Python").split("; ")
    assert "measure_cycles=300" in first and _by_python(f"import jumpnet; {second}") == cells


def test_a_curve_round_faults_is_that_of_its_lines(shown: Open, capsys: pytest.CaptureFixture[str]) -> None:
    it = shown("net=mesh:4x4&panel=simulate&routing=up_down&faults.links=0&simulate.curve=0.05,0.1,0.2")
    cells = _cells(it)
    *lines, last = _told(it, "Python").split("; ")
    names: dict[str, object] = {}
    exec("\n".join(lines), names)
    points = eval(last, names)
    assert len(cells) == len(points) >= 2
    for cell, p in zip(cells, points, strict=True):
        latency = p.packet_latency_mean_cycles
        assert cell == _row(p.figures["offered_load"], p.accepted_load, latency, p.saturated, p.deadlocked)
    assert " --without link=0-" in _told(it, "Command") and _by_command(_told(it, "Command"), capsys) == cells


def test_loads_that_a_curve_cannot_have_are_told(shown: Open) -> None:
    it = shown("net=torus:4x4&panel=simulate&simulate.curve=0.3,2")
    words = "simulate.curve=0.3,2 found, up to 60 ascending loads (above 0, at most 1) such as 0.1,0.25 expected."
    it.page.wait_for_function("words => document.querySelector('#refused')?.innerText.includes(words)", arg=words)
    assert "simulate.curve" not in it.part()
    it.go("net=torus:4x4&panel=simulate&simulate.curve=0.3,0.1,0.3")
    assert it.part().endswith("simulate.curve=0.1,0.3") and it.errors == []


def test_loads_of_a_curve_may_be_spelled_as_a_command_has_them(shown: Open) -> None:
    it = shown("net=torus:4x4&simulate.curve=.05,0.10,1.0")
    it.page.wait_for_timeout(600)
    assert it.part().endswith("simulate.curve=0.05,0.1,1")
    assert it.page.locator("#refused").count() == 0 and it.errors == []


def test_only_who_asks_for_a_curve_is_led_to_it(shown: Callable[..., Shown]) -> None:
    """A link opens at the controls."""
    it = shown("net=torus:4x4&panel=simulate&load=0.2&simulate.curve=0.1", height=700)
    it.page.wait_for_selector("#panel td:text-is('0.1')", timeout=60_000)
    it.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    scrolled = "document.querySelector('#panel').scrollTop"
    assert it.page.evaluate(scrolled) == 0
    it.page.get_by_role("button", name="This load alone").dispatch_event("click")
    it.page.wait_for_function(f"() => {scrolled} > 0", timeout=60_000)
    assert it.errors == []
