"""Where the eye is and how far a run has come are in the link, and a link leads there again."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.web.conftest import Shown
from tests.web.drawing.drawn import drawn

import jumpnet
from jumpnet.cli import run_words
from jumpnet.sim.config import preset
from jumpnet.sim.engine import Engine
from jumpnet.topology import build

EYE = re.compile(r"(?:^|&)eye=([-\d_]+)")


def _eye(it: Shown) -> str:
    found = EYE.search(it.part())
    return found[1] if found else ""


def _places(it: Shown) -> Any:
    return drawn(it, 64, []).places


@pytest.mark.parametrize("view", ["plane", "folded", "space"])
def test_a_link_leads_to_where_the_eye_was(view: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:8x8&view={view}")
    assert _eye(it) == ""
    usual = _places(it)
    it.page.focus("#drawing")
    for key in ("+", "+", "Shift+ArrowRight", "Shift+ArrowUp", "-"):
        it.page.keyboard.press(key)
    box = it.page.locator("#drawing").bounding_box()
    assert box
    it.page.mouse.move(box["x"] + 300, box["y"] + 300)
    it.page.mouse.down()
    it.page.mouse.move(box["x"] + 340, box["y"] + 260, steps=3)
    it.page.mouse.up()
    moved, eye = _places(it), _eye(it)
    assert re.fullmatch(r"\d+(_-?\d+){4}", eye) and np.abs(moved - usual).max() > 20
    assert f"eye={eye}" in it.page.inner_text('code[aria-label="Link"]')
    assert f"eye={eye}" in it.page.inner_text('code[aria-label="Command"]')
    again = shown(it.part())
    assert np.abs(_places(again) - moved).max() < 1.5 and _eye(again) == eye
    narrow = shown(it.part(), width=900)  # a smaller window: the same place, in its middle, in the same turn
    assert _eye(narrow) == eye
    it.page.get_by_title("Show all").click()
    assert _eye(it) == "" and np.abs(_places(it) - usual).max() < 0.5
    assert it.errors == again.errors == []


def test_a_legend_of_several_lines_moves_no_eye(shown: Callable[..., Shown]) -> None:
    """On a narrow page: where the legend's height is known after the link has been followed."""
    it = shown("net=torus:8x8&panel=simulate", width=400, height=1400)
    it.page.wait_for_function("() => document.querySelectorAll('#stage .legend li').length > 3")
    it.page.get_by_title("Zoom in").click()
    moved = _places(it)
    again = shown(it.part(), width=400, height=1400)
    again.page.wait_for_function("() => document.querySelectorAll('#stage .legend li').length > 3")
    again.page.wait_for_timeout(200)
    assert np.abs(_places(again) - moved).max() < 1.5


def test_another_view_or_network_is_seen_whole_and_history_leads_back(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:8x8&eye=2000_0_0_0_0")
    assert _eye(it) == "2000_0_0_0_0"
    near = _places(it)
    it.page.get_by_role("button", name="Folded").click()
    assert _eye(it) == ""
    it.page.go_back()
    assert _eye(it) == "2000_0_0_0_0" and np.abs(_places(it) - near).max() < 0.5
    it.page.get_by_label("Size").select_option("torus:4x4")
    assert _eye(it) == ""
    for wrong in ("7", "1_2_3_4_x", "-1_0_0_0_0", "1__2_3_4"):
        it.go(f"net=torus:8x8&eye={wrong}")
        assert it.part() == "net=torus:8x8"


AT = "net=torus:8x8&panel=simulate&routing=torus.dateline&vcs=2&load=0.3&packet=3&seed=5"


def _run(loads: list[tuple[float, int]]) -> Engine:
    """The same run natively: each load until a cycle."""
    (first, until), *later = loads
    steps = ",".join(f"{since}:{load}" for (_, since), (load, _) in pairwise(loads))
    settings = {"vcs": 2, "seed": 5, "packet_flits": "3", "load": first, "load_steps": steps}
    end = later[-1][1] if later else until
    engine = Engine(
        build("torus:8x8"), "torus.dateline", preset("booksim", warmup_cycles=0, measure_cycles=end, **settings)
    )
    engine.advance(end)
    return engine


def _figures(it: Shown, cycle: int) -> str:
    it.page.wait_for_function(
        "cycle => document.querySelector('#panel .figures')?.innerText.includes(`Cycle\\n${cycle}\\n`)",
        arg=f"{cycle:,}",
    )
    it.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('On its way')")
    return str(it.page.inner_text("#panel .figures"))


def test_a_link_leads_to_the_cycle_of_a_run(shown: Callable[..., Shown]) -> None:
    it = shown(f"{AT}&simulate.cycle=2345")
    words = _figures(it, 2345)
    assert f"Flits in the network\n{_run([(0.3, 2345)]).flits_inside:,}\n" in words
    assert it.part() == f"{AT}&simulate.cycle=2345"
    assert it.page.get_by_role("button", name="Run", exact=True).count() == 1  # it has stopped there
    it.page.get_by_role("button", name="One cycle").click()
    assert "simulate.cycle=2346" in it.part()
    it.page.get_by_role("button", name="Start again").click()
    assert it.part() == AT
    it.go(f"{AT}&simulate.cycle=50")
    _figures(it, 50)
    it.page.get_by_label("Packet").fill("5")  # another run: from its beginning
    _figures(it, 0)
    assert "simulate.cycle" not in it.part() and it.errors == []


@pytest.mark.parametrize(
    ("cycle", "since", "load", "packet", "vcs"),
    [
        (2345, 0, 0.3, 3, 2),
        (16000, 0, 0.1, 1, 2),
        (16001, 16000, 0.3, 3, 2),
        (16400, 16000, 0.3, 5, 4),
        (33333, 32000, 0.25, 1, 2),
        (16300, 16000, 1, 3, 2),
    ],
)
def test_the_figures_of_a_run_on_its_way_are_those_of_its_lines(
    cycle: int, since: int, load: float, packet: int, vcs: int, shown: Callable[..., Shown]
) -> None:
    """Figures begin anew every 16,000 cycles: those before are the warm-up of the lines."""
    at = f"net=torus:8x8&panel=simulate&routing=torus.dateline&vcs={vcs}&load={load}&packet={packet}&seed=5"
    it = shown(f"{at}&simulate.cycle={cycle}")
    words = _figures(it, cycle)
    _, _, line = it.page.inner_text("code[aria-label=Python]").partition("; ")
    figures = eval(line, {"jumpnet": jumpnet}).figures
    assert f"\nAccepted load\n{figures['accepted_load']:.3f}\n" in words
    mean = figures["packet_latency_mean_cycles"]
    assert f"\nMean packet latency\n{'none yet' if np.isnan(mean) else f'{mean:.1f} cycles'}" in words
    command = it.page.inner_text("code[aria-label=Command]")
    expected = f"--set warmup_cycles={since} --set measure_cycles={cycle - since} --set drain=false"
    assert command.endswith(expected) and it.errors == []


@pytest.mark.parametrize(
    ("cycle", "loads", "first", "steps", "since"),
    [
        (2345, "1000.200000", 0.2, "1000:0.3", 1000),
        (2345, "1000.200000.1500.900000", 0.2, "1000:0.9,1500:0.3", 1500),
        (700, "700.200000", 0.2, "", 0),
        (18_000, "1500.1000000", 1, "1500:0.3", 17_500),
    ],
)
def test_a_run_whose_load_was_changed_is_that_of_its_lines(
    cycle: int, loads: str, first: float, steps: str, since: int, shown: Callable[..., Shown], capsys: Any
) -> None:
    """Its figures are of the cycles since the last change, and begin anew every 16,000 cycles from there on."""
    it = shown(f"{AT}&simulate.cycle={cycle}&simulate.loads={loads}")
    words = _figures(it, cycle)
    command = it.page.inner_text("code[aria-label=Command]")
    asked = f" --set load_steps={steps}" if steps else ""
    phases = f" --set warmup_cycles={since} --set measure_cycles={cycle - since} --set drain=false"
    assert f" --load {first} " in command and command.endswith(asked + phases)
    assert run_words([*shlex.split(command)[1:], "--json"]) == 0
    _, _, line = it.page.inner_text("code[aria-label=Python]").partition("; ")
    for figures in (json.loads(capsys.readouterr().out), eval(line, {"jumpnet": jumpnet}).figures):
        assert f"\nAccepted load\n{figures['accepted_load']:.3f}\n" in words
        assert f"\nMean packet latency\n{figures['packet_latency_mean_cycles']:.1f} cycles" in words
    assert it.errors == []


def test_a_run_round_faults_is_that_of_its_command(shown: Callable[..., Shown], capsys: Any) -> None:
    at = "net=torus:4x4&panel=simulate&routing=up_down&load=0.1&packet=3&faults.routers=5&faults.links=0"
    it = shown(f"{at}&simulate.cycle=3000&simulate.loads=1000.200000")
    words = _figures(it, 3000)
    command = it.page.inner_text("code[aria-label=Command]")
    assert " --without router=5,link=0-" in command
    assert run_words([*shlex.split(command)[1:], "--json"]) == 0
    row = json.loads(capsys.readouterr().out)
    assert f"\nAccepted load\n{row['accepted_load']:.3f}\n" in words
    assert f"\nMean packet latency\n{row['packet_latency_mean_cycles']:.1f} cycles" in words
    assert it.errors == []


@pytest.mark.parametrize("cycle", [6000, 20_000])
def test_the_lines_of_a_deadlocked_run_go_on_as_it_does(cycle: int, shown: Callable[..., Shown]) -> None:
    """A measurement would end where it sees the deadlock, after 1500 cycles."""
    it = shown(f"net=torus:8x8&panel=simulate&routing=minimal&vcs=1&load=1&seed=2&simulate.cycle={cycle}")
    words = _figures(it, cycle)
    _, _, line = it.page.inner_text("code[aria-label=Python]").partition("; ")
    figures = eval(line, {"jumpnet": jumpnet}).figures
    assert figures["deadlocked"] and f"\nAccepted load\n{figures['accepted_load']:.3f}\n" in words
    assert it.page.inner_text("code[aria-label=Command]").endswith(f"--set drain=false --set deadlock_cycles={cycle}")
    it.page.get_by_role("button", name="Start again").click()
    assert "deadlock_cycles" not in it.page.inner_text("code[aria-label=Command]") and it.errors == []


def test_a_load_for_the_cycles_to_come_is_not_that_of_those_before(shown: Callable[..., Shown]) -> None:
    it = shown(f"{AT}&simulate.cycle=700")
    words, at = _figures(it, 700), AT.replace("load=0.3", "load=0.45")
    it.page.get_by_label("Offered load").fill("0.45")
    assert it.part() == f"{at}&simulate.cycle=700&simulate.loads=700.300000"
    assert " --load 0.3 " in it.page.inner_text("code[aria-label=Command]")
    again = shown(it.part())
    assert _figures(again, 700) == words and again.part() == it.part()
    for each in (it, again):
        each.page.get_by_role("button", name="One cycle").click()
        assert f"Flits in the network\n{_run([(0.3, 700), (0.45, 701)]).flits_inside:,}\n" in _figures(each, 701)
    it.go(f"{AT}&simulate.cycle=700")
    for load in ("0.45", "0.3"):  # and back again
        it.page.get_by_label("Offered load").fill(load)
    assert it.part() == f"{AT}&simulate.cycle=700" and it.errors == again.errors == []


def test_a_run_by_hand_is_what_its_link_gives(shown: Callable[..., Shown]) -> None:
    """Run and paused, with loads that changed on the way: another page at that link has the same figures."""
    it = shown(f"{AT}&simulate.speed=8")
    run = it.page.get_by_role("button", name="Run", exact=True)
    for load in ("0.1", "0.45"):
        run.click()
        it.page.wait_for_timeout(250)
        it.page.get_by_role("button", name="Pause").click()
        it.page.get_by_label("Offered load").fill(load)
    it.page.get_by_role("button", name="One cycle").click()
    link = it.part()
    cycle = int(re.search(r"simulate\.cycle=(\d+)", link)[1])  # type: ignore[index]
    told = [int(each) for each in re.search(r"simulate\.loads=([\d.]+)", link)[1].split(".")]  # type: ignore[index]
    words = _figures(it, cycle)
    steps = [(load / 1e6, until) for until, load in zip(told[::2], told[1::2], strict=True)]
    assert steps[0][0] == 0.3 and len(steps) == 2
    assert f"Flits in the network\n{_run([*steps, (0.45, cycle)]).flits_inside:,}\n" in words
    again = shown(link)
    assert _figures(again, cycle) == words and again.part() == link
    assert it.errors == again.errors == []


def test_the_way_to_a_far_cycle_can_be_stopped_and_loads_that_make_no_sense_are_left_out(shown) -> None:
    it = shown("net=torus:16x16&panel=simulate&load=0.2&simulate.cycle=400000000")
    it.page.get_by_role("button", name="Stop").first.click()
    it.page.wait_for_function("() => !document.querySelector('#panel').innerText.includes('On its way')")
    cycle = int(re.search(r"simulate\.cycle=(\d+)", it.part())[1])  # type: ignore[index]
    assert 0 < cycle < 400_000_000
    it.go("net=torus:4x4&panel=simulate&simulate.cycle=60&simulate.loads=50.300000.40.2.70.100000.55")
    _figures(it, 60)
    assert it.part().endswith("simulate.cycle=60&simulate.loads=50.300000") and it.errors == []


def test_loads_that_changed_too_often_for_a_link_are_said_by_no_command(shown: Callable[..., Shown]) -> None:
    it = shown(AT)
    _figures(it, 0)
    for k in range(41):
        it.page.get_by_role("button", name="One cycle").click()
        it.page.get_by_label("Offered load").fill(f"{(k % 2 + 1) / 10}")
    assert "simulate.cycle" not in it.part() and "\nCycle\n41\n" in "\n" + it.page.inner_text("#panel .figures")
    assert it.page.inner_text("code[aria-label=Command]").startswith("jumpnet explore torus:8x8 --at ")
    assert "write_page(" in it.page.inner_text("code[aria-label=Python]")
    it.page.get_by_role("button", name="Start again").click()
    assert it.page.inner_text("code[aria-label=Command]").startswith("jumpnet simulate torus:8x8 ") and it.errors == []


@pytest.mark.parametrize("spec", ["torus:6x7", "mesh:5x9", "rdt:8"])
def test_an_eye_is_the_same_for_networks_that_are_there_at_once(spec: str, shown: Callable[..., Shown]) -> None:
    """Those made by rule are drawn before the page has its size; and a window of another size moves no eye."""
    it = shown(f"net={spec}&eye=1298_-839_370_0_0")
    assert _eye(it) == "1298_-839_370_0_0"
    for width, height in ((500, 700), (1280, 860)):
        it.page.set_viewport_size({"width": width, "height": height})
        it.page.wait_for_timeout(200)
        assert _eye(it) == "1298_-839_370_0_0"


@pytest.mark.parametrize("at", ["net=torus:4x4", "net=mesh:64x64", "net=torus:4x4&view=space"])
def test_the_eye_goes_no_further_than_a_link_can_say(at: str, shown: Callable[..., Shown]) -> None:
    """Whatever keys are held: the link that the page writes is one that it takes, and so does the command."""
    it = shown(at)
    for first, held in (("-", "ArrowRight"), ("+", "ArrowUp")):
        it.page.evaluate(HELD, [first, held])
        eye = _eye(it)
        assert all(len(word.strip("-")) <= 8 for word in eye.split("_"))
        again = shown(it.part())
        assert _eye(again) == eye and again.page.locator("#refused").count() == 0
        assert it.page.locator("#refused").count() == 0


HELD = """([zoom, way]) => {
  const drawing = document.querySelector('#drawing');
  const press = (key, shiftKey) => {
    drawing.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey, bubbles: true }));
  };
  for (let k = 0; k < 90; k++) press(zoom, false);
  for (let k = 0; k < 4000; k++) press(way, true);
}"""

BEYOND = {
    "1_0_0_0_0": "50_0_0_0_0",
    "0_99999999_0_0_0": "50_99999000_0_0_0",
    "1000_0_0_99999999_9999": "1000_0_0_3105_1570",
}


@pytest.mark.parametrize("eye", BEYOND)
def test_a_link_that_leads_further_is_told_so(eye: str, shown: Callable[..., Shown]) -> None:
    it = shown(f"net=torus:8x8&view=space&eye={eye}")
    words = f"eye={eye} found, numbers as the page writes them expected; eye={BEYOND[eye]} is shown."
    assert it.page.inner_text("#refused p") == words and _eye(it) == BEYOND[eye]
