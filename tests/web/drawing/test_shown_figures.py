"""Shades, arcs, bars, words and figures that a page shows beside its links: each is what Python says, one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.web.conftest import Shown
from tests.web.drawing.drawn import DISC, VALUE
from tests.web.simulator.in_node import evaluated

from jumpnet.analysis.reconfigure import array_for, reconfigure
from jumpnet.explore.panels import faults, wafer
from jumpnet.explore.panels.collectives import least_steps
from jumpnet.fault.yields import wafer_yield
from jumpnet.graph.distances import distances_from
from jumpnet.multicast import broadcast
from jumpnet.topology import build

ROUND = ("lash", "up_down")
"""Routings whose points the page has on a hypercube."""


def _says(it: Shown, words: str) -> str:
    it.page.wait_for_function("words => document.querySelector('#panel').innerText.includes(words)", arg=words)
    return str(it.page.inner_text("#panel"))


def _fills(it: Shown, routers: int) -> np.ndarray:
    """(R, 3) the colours that routers are filled with, from the saved picture."""
    with it.page.expect_download() as saved:
        it.page.locator("#stage > .tools [title='Save this picture as SVG']").dispatch_event("click")
    found = DISC.findall(saved.value.path().read_text(encoding="utf-8"))[:routers]
    return np.array([[int(fill[k : k + 2], 16) for k in (1, 3, 5)] for _, _, _, fill, _, _ in found])


def _parts(done: int) -> np.ndarray:
    """Parts at each router of a cube after so many steps of a gather."""
    schedule = broadcast("binomial")(build("hypercube:4"), 0, "one-port").backwards()
    holds = np.ones(16, int)
    for step in range(done):
        now = schedule.step == step
        sent = [(int(b), int(holds[a])) for a, b in zip(schedule.sender[now], schedule.receiver[now], strict=True)]
        holds[schedule.sender[now]] = 0
        for to, parts in sent:
            holds[to] += parts
    return holds


@pytest.mark.parametrize("done", [1, 3, 4])
def test_routers_of_a_gather_are_as_dark_as_what_they_hold(done: int, shown: Callable[..., Shown]) -> None:
    it, holds = (
        shown(f"net=hypercube:4&panel=collectives&collectives.what=gather&collectives.step={done}"),
        _parts(done),
    )
    _says(it, f"After {done} of 4 steps {holds[0]} of 16 parts are at the root")
    scale = [it.page.evaluate(VALUE, f"heat-{k}") for k in range(5)]
    steps = np.array([[int(each[k : k + 2], 16) for k in (1, 3, 5)] for each in scale])
    shares = np.where(holds > 0, np.maximum(holds / 16, 0.06), 0)  # all parts are the legend's heat-2
    expected = np.array([[np.interp(2 * share, range(5), steps[:, k]) for k in range(3)] for share in shares])
    assert np.abs(_fills(it, 16) - expected).max() <= 1
    assert len({tuple(fill) for fill in _fills(it, 16)}) == len({*holds.tolist()})


@pytest.mark.parametrize("spec", ["hypercube:4", "torus:8x8", "rdt:16", "dragonfly:2"])
def test_the_least_of_a_schedule_is_told(spec: str, shown: Callable[..., Shown]) -> None:
    root = {"torus:8x8": 36, "rdt:16": 136}.get(spec, 0)
    for model in ("one-port", "all-port"):
        it = shown(f"net={spec}&panel=collectives&collectives.model={model}")
        words = _says(it, "The schedule")
        assert f"No schedule takes fewer than\n{least_steps(build(spec), root, model)} steps\n" in words, (spec, model)
    it = shown(f"net={spec}&panel=collectives&collectives.what=all-reduce")
    assert "No schedule takes fewer" not in _says(it, "The schedule")  # that bound is of one of its halves


CROSSED = """() => {
  const names = [...document.querySelectorAll('svg.picture rect[data-router] ~ text[pointer-events]')];
  const lines = [...document.querySelectorAll('svg.picture path[style*="--hue-1"]')];
  const boxes = names.map((name) => [name.textContent, name.getBBox()]);
  return lines.flatMap((line) => {
    const long = line.getTotalLength(), found = [];
    for (let at = 0; at <= long; at += 0.02) {
      const { x, y } = line.getPointAtLength(at);
      for (const [name, box] of boxes)
        if (x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height) found.push(name);
    }
    return [...new Set(found)];
  });
}"""


def test_arcs_of_an_element_lead_to_its_neighbors(shown: Callable[..., Shown]) -> None:
    it, router = shown("net=srt2d:8&panel=wafer&wafer.density=0.1&wafer.seed=4&picked=27"), 27
    it.page.wait_for_selector("svg.picture")
    made, net = reconfigure("srt2d:8", density=0.1, seed=4), build("srt2d:8")
    at = {int(made.configuration.owner[x, y]): (y, x) for x, y in np.argwhere(made.configuration.owner >= 0).tolist()}
    lines = it.page.locator("svg.picture path[style*='--accent']").evaluate_all(
        "all => all.map((each) => each.getAttribute('d'))"
    )
    arcs = [np.array([list(map(float, point.split())) for point in line[1:].split("L")]) for line in lines]
    texts = it.page.locator("svg.picture circle + text").evaluate_all(
        "all => all.map((each) => [+each.getAttribute('x'), +each.getAttribute('y') - 0.07, +each.textContent])"
    )
    neighbors = {int(s) for s in net.neighbor[router] if s >= 0}
    assert len(arcs) == len(texts) == len(neighbors)
    for other in neighbors:
        (x, y), (u, v) = at[router], at[other]
        part = np.linspace(0, 1, 1001)[:, None]
        bent = np.array([(x + u) / 2 + 0.16 * (v - y), (y + v) / 2 - 0.16 * (u - x)])
        curve = (1 - part) ** 2 * [x, y] + 2 * part * (1 - part) * bent + part**2 * [u, v]
        own = [arc for arc in arcs if _off(arc, curve) < 0.01]
        assert len(own) == 1, other
        ends = np.abs(own[0][[0, -1]] - [[x, y], [u, v]]).max(axis=1)
        assert (ends > 0.29).all() and (ends < 0.45).all(), other  # from edge to edge of the two elements
        (number,) = [text for text in texts if _off(np.array([text[:2]]), curve) < 0.01]  # which stands on its arc
        assert number[2] == (made.segments.get((router, other)) or made.segments[other, router])


def _off(points: np.ndarray, curve: np.ndarray) -> float:
    """How far the points are from a curve, at most."""
    return float(np.hypot(*(points[:, None] - curve[None]).transpose(2, 0, 1)).min(axis=1).max())


def test_no_name_on_a_wafer_is_crossed(shown: Callable[..., Shown]) -> None:
    """By a compensation path; wires go behind elements, arcs behind names."""
    for density, method in ((0.05, "local"), (0.1, "graph"), (0.1, "exact")):
        at = f"net=srt2d:16&panel=wafer&wafer.density={density}&wafer.method={method}&picked=40"
        it = shown(at, 1280, 860)
        it.page.wait_for_selector("svg.picture text")
        crossed = it.page.evaluate(CROSSED)
        assert crossed == [] and it.errors == [], at


@pytest.mark.parametrize(("spec", "router"), [("rdt:8", 9), ("tree:2,height=4", 0), ("mesh:8x8", 3)])
def test_bars_stand_at_their_distance_and_are_as_long_as_their_count(spec: str, router: int, shown) -> None:
    it = shown(f"net={spec}&picked={router}")
    counts = np.bincount(distances_from(build(spec), router))[1:]
    bars = it.page.locator(".bars li").evaluate_all(
        "all => all.map((each) => [each.firstChild.textContent, each.lastChild.textContent, "
        "each.querySelector('i').getBoundingClientRect().width])"
    )
    assert [(int(at), int(count)) for at, count, _ in bars] == list(enumerate(counts.tolist(), 1))
    lengths = np.array([length for _, _, length in bars])
    assert np.allclose(lengths / lengths.max(), counts / counts.max(), atol=0.02), lengths


def test_yields_stand_beside_their_method(shown: Callable[..., Shown]) -> None:
    it, array = shown("net=torus:8x8&panel=wafer&wafer.density=0.1"), array_for(build("torus:8x8"))
    _says(it, "How often that works")
    rows = it.page.locator("#panel tbody tr").all()
    found = [row.locator("td").all_text_contents() for row in rows[:3]]
    expected = []
    for each in wafer.METHODS:
        made = wafer_yield(array, 0.1, wafer.WAFERS, method=each.NAME)
        band = " to ".join(f"{100 * end:.1f}" for end in made.band)
        expected.append([each.NAME, str(made.repaired), f"{band} %"])
    assert found == expected and len({row[1] for row in found}) > 1
    curves = wafer.data()["curves"]
    drawn = it.page.locator("#panel .chart").last
    lines = drawn.locator("path[stroke-width='2']").evaluate_all("all => all.map((e) => e.getAttribute('d'))")
    names = [name for name in drawn.locator("text").all_text_contents() if name in curves["names"]]
    assert names == curves["names"]
    for line, parts in zip(lines, curves["parts"], strict=True):
        heights = np.array([float(point.split()[1]) for point in line[1:].split("L")])
        assert np.allclose((138 - heights) / 114, parts, atol=1e-6)  # 0 % at 138, 100 % at 24


def test_the_chart_of_random_faults_has_the_means_of_its_seeds_and_marks_the_number_shown(
    shown: Callable[..., Shown],
) -> None:
    it, net = shown("net=hypercube:6&panel=faults&faults.seed=2&faults.kind=links&faults.count=8"), build("hypercube:6")
    it.page.wait_for_selector("#panel .chart")
    lines = it.page.locator("#panel .chart path[stroke-width='2']").evaluate_all(
        "all => all.map((each) => each.getAttribute('d'))"
    )
    at = faults.FIELDS.index("average_route")
    every = [np.array([[row[at] for row in seed] for seed in faults.points(net, name, "links")]) for name in ROUND]
    low, high = np.floor(2 * np.min(every)) / 2, np.ceil(2 * np.max(every)) / 2
    assert len(lines) == len(every) == 2
    for line, routes in zip(lines, every, strict=True):
        drawn = np.array([list(map(float, point.split())) for point in line[1:].split("L")])
        heights = 138 - 114 * (routes.mean(axis=0) - low) / (high - low)  # 138 and 24 are the ends of the axis
        assert np.allclose(drawn, np.stack([42 + 196 * np.array(faults.COUNTS) / faults.COUNTS[-1], heights], axis=1))
        assert np.ptp(routes, axis=0).max() > 0  # the seeds differ
    mark = it.page.locator("#panel .chart path[stroke-dasharray]").get_attribute("d")
    assert mark and float(mark[1:].split()[0]) == 42 + 196 * 8 / faults.COUNTS[-1]


LIVE = '{ Live } from "./src/views/run/live"'
FAKE = """
  const sent = Int32Array.of(0, 0, 0, 0);
  const sim = {
    cycle: 0, about: { settings: { load: 0.5 } }, opened: [], flow: [0.4, 0, 0.1, 0],
    linkFlits: () => sent.slice(), open() { this.opened.push(this.cycle); },
    set(name, value) { this.about.settings[name] = value; }, restart() { this.cycle = 0; sent.fill(0); },
    run(cycles) { this.cycle += cycles; this.flow.forEach((f, k) => (sent[k] += Math.round(f * cycles))); },
  };
  const live = new Live(sim, { neighbor: Int32Array.of(1, 1, 0, -1), ports: 2 });
"""


def _live(program: str) -> Any:
    """What a run as it is looked at says, over a simulator that counts cycles and sends so many flits on each link."""
    return evaluated(LIVE, f"({{ Live }}) => {{ {FAKE} {program} }}")


def test_heat_is_the_load_of_the_last_cycles() -> None:
    told = _live("""
      live.run(100); const first = live.heat(); sim.flow = [0, 0, 0, 0]; const later = [];
      for (let k = 0; k < 30; k++) { live.run(10); later.push(live.heat()); }
      const plain = ({ heat, heatEnds }) => [[...heat].map((v) => (Number.isNaN(v) ? null : v)), heatEnds[1]];
      return [plain(first), later.map(plain)];
    """)
    (first, scale), later = told
    assert scale == "0.5 flits a cycle" and np.allclose(first[:3], [0.8, 0, 0.2]) and first[3] is None
    loads = [heat[0] * float(end.split()[0]) for heat, end in later]
    # from cycle 0 up to 199, from 100 on at 200: those 40 flits are then 100 cycles ago
    expected = [40 / cycle if cycle < 200 else 0 for cycle in range(110, 410, 10)]
    assert np.allclose(loads, expected, rtol=1e-5) and later[-1][1] == "0.02 flits a cycle"


def test_the_scale_of_heat_is_the_least_that_holds_the_most_loaded_link() -> None:
    told = _live("""
      const ends = [];
      for (const most of [0.5, 0.51, 1, 0.02, 0.03, 0.06, 0.11, 0.21]) {
        live.restart(); sim.flow = [most, 0, 0, 0]; live.run(100); ends.push(live.heat());
      }
      return ends.map(({ heat, heatEnds }) => [heat[0], heatEnds[1]]);
    """)
    assert [float(words.split()[0]) for _, words in told] == [0.5, 1, 1, 0.02, 0.05, 0.1, 0.2, 0.5]
    assert {words.partition(" ")[2] for _, words in told[1:3]} == {"flit a cycle"}
    assert {words.partition(" ")[2] for _, words in [told[0], *told[3:]]} == {"flits a cycle"}
    assert np.allclose([heat for heat, _ in told], [1, 0.51, 1, 1, 0.6, 0.6, 0.55, 0.42])


def test_the_ring_of_a_deadlock_has_the_directions_of_its_channels() -> None:
    told = _live("""
      let still = true;
      sim.movement = () => ({ still }); sim.ring = () => [{ router: 0, port: 0 }, { router: 1, port: 0 }];
      const ring = () => [...live.ring()].map(([channel, mark]) => [channel, mark.colour, mark.arrow]);
      const stands = ring(); still = false;
      return [stands, ring()];
    """)
    assert told == [[[0, "bad", True], [2, "bad", True]], []]  # none as long as something moves


def test_heat_is_the_same_however_often_it_is_looked_at() -> None:
    """And whatever came before cycle 0."""
    same = _live("""
      sim.run = function (cycles) {
        for (let k = 0; k < cycles; k++, this.cycle++) {
          [7, 3, 2].forEach((each, c) => (sent[c] += this.cycle % each ? 0 : 1));
        }
      };
      const steps = (each) => {
        const seen = {};
        live.restart();
        for (const k of each) { live.run(k); seen[sim.cycle] = [...live.heat().heat].slice(0, 3); }
        return seen;
      };
      live.run(777);
      const [often, once, twice] = [steps(new Array(530).fill(1)), steps([530]), steps([199, 331])];
      return [often[530], once[530], twice[530], often[199], twice[199]];
    """)
    assert same[0] == same[1] == same[2] and same[3] == same[4] and max(same[0]) > 0


def test_figures_begin_anew_after_a_change_and_every_so_many_cycles() -> None:
    opened, since, before = _live("""
      live.run(300); live.setLoad(0.2); live.setLoad(0.3); live.run(1); live.run(40000);
      return [sim.opened, live.since, live.before];
    """)
    assert opened == [0, 300, 16300, 32300] and since == 32300  # the last of two changes between cycles counts
    assert before == [[300, 0.5]]
    pieces = _live("for (const k of [1, 15998, 2, 7000, 9999]) live.run(k); return [sim.opened, live.since];")
    assert pieces == [[0, 16000, 32000], 32000]  # at the same cycles, however many calls
    again = _live("live.run(500); live.setLoad(0.1); live.run(5); live.restart(); return [live.since, live.before];")
    assert again == [0, []]


def test_a_load_set_before_the_first_cycle_had_none_before_it() -> None:
    assert _live("const told = live.setLoad(0.2); return [told, live.loads, sim.about.settings.load];") == [
        False,
        [],
        0.2,
    ]
    assert _live("live.run(7); live.setLoad(0.2); return live.loads;") == [[7, 0.5]]


def test_shown_figures_begin_anew_where_the_load_changes(shown: Callable[..., Shown]) -> None:
    it = shown("net=torus:4x4&panel=simulate&load=0.2&simulate.cycle=700")
    _says(it, "Of the packets since cycle 0.")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Cycle\\n700')")
    it.page.get_by_label("Offered load").fill("0.4")
    it.page.get_by_role("button", name="One cycle").click()
    _says(it, "Of the packets since cycle 700.")
    assert it.errors == []
