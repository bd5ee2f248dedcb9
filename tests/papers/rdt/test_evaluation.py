"""The RDT paper's evaluation: verdicts from curves, kept curves, curves that stop when saturated, loads, drawing."""

from __future__ import annotations

import copy
import importlib
import json
from collections import Counter

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.papers import golden
from jumpnet.plot.figure import render
from jumpnet.report import _kept
from jumpnet.report._section import Cell
from jumpnet.report.yang2001rdt import _evaluation as evaluation
from jumpnet.report.yang2001rdt import congestion, deadlock, evaluation_figure_9
from jumpnet.report.yang2001rdt._curves import (
    ADAPTIVE,
    ALL,
    LANES,
    NETWORKS,
    READINGS,
    Contestant,
    Curve,
    Plan,
    Point,
    curves,
    from_kept,
    rank_loads,
    to_keep,
)
from jumpnet.report.yang2001rdt._evaluation import compare, degree, steadiness, whole_runs
from jumpnet.routings import bind
from jumpnet.topology import build

FIGURES = ("9", "10", "11")
KEY = "yang2001rdt"
WHO = Contestant("a", "torus:4x4", "torus.dateline")


def module(number):
    """The section of a figure."""
    return importlib.import_module(f"jumpnet.report.{KEY}.evaluation_figure_{number}")


def curve(*points):
    """A curve from (load, accepted, latency, half width, saturated)."""
    return Curve(WHO, 2, tuple(Point(*p, {}, {}, False) for p in points))


def never(done, total):
    """A progress callback that does nothing."""


MINE = curve((0.1, 0.1, 50.0, 1.0, False), (0.2, 0.2, 90.0, 5.0, False), (0.3, 0.21, 200.0, 30.0, True))


@pytest.mark.parametrize(
    ("other", "low", "high", "everywhere"),
    [
        (curve((0.1, 0.1, 60.0, 1.0, False), (0.2, 0.15, 200.0, 9.0, True)), "below", "below", "below"),
        (curve((0.1, 0.1, 60.0, 1.0, False), (0.2, 0.2, 80.0, 1.0, False), (0.3, 0.3, 90.0, 1.0, False)),
         "below", "above", "now below, now above"),
        (curve((0.1, 0.1, 51.0, 1.0, False), (0.2, 0.2, 80.0, 2.0, False), (0.3, 0.212, 90.0, 1.0, True)),
         "alike", "above", "above"),
        (curve((0.1, 0.1, 51.0, 1.0, False), (0.2, 0.2, 92.0, 2.0, False), (0.3, 0.212, 90.0, 1.0, True)),
         "alike", "alike", "alike"),
    ],
)  # fmt: skip
def test_where_a_curve_lies(other, low, high, everywhere):
    assert [compare(MINE, other, where)[0] for where in ("low", "high", "all")] == [low, high, everywhere]


def test_a_deadlock_is_not_a_saturation():
    """A curve that ends in a deadlock takes less load than another; which is faster, the loads that both take say."""
    stuck = Point(0.3, 0.11, 200.0, 30.0, True, {}, {}, True)
    other = curve((0.1, 0.1, 60.0, 1.0, False), (0.2, 0.2, 80.0, 1.0, False), (0.3, 0.3, 90.0, 1.0, False))
    slower = other._replace(points=(other.points[0]._replace(latency=40.0), *other.points[1:]))
    first = MINE.points[0]
    for end, high in ((stuck, "below"), (stuck._replace(deadlocked=False), "above")):
        mine = MINE._replace(points=(first, end))
        assert [compare(mine, against, "high")[0] for against in (other, slower)] == [high, "above"]


def test_a_difference_says_its_numbers():
    answer, why = compare(MINE, curve((0.1, 0.1, 40.0, 1.0, False), (0.2, 0.2, 80.0, 1.0, False)), "low")
    assert Cell("below", answer).verdict == "differs"
    assert "50.0±1.0 against 40.0±1.0" in why


def test_how_much_better_is_said_by_the_ratio():
    assert [degree(x, 1.0) for x in (1.2, 1.19, 1.02, 0.98, 0.9)] == [
        "much better",
        "better",
        "alike",
        "alike",
        "worse",
    ]


def test_a_short_run_is_steady_where_it_is_the_whole_one():
    whole = Point(0.1, 0.1, 50.0, 1.0, False, {}, {}, False)
    assert steadiness(whole._replace(latency=51.5), whole) == "steady"
    assert steadiness(whole._replace(latency=52.5), whole) == "unsteady"
    assert steadiness(whole._replace(accepted=0.104), whole) == "unsteady"
    assert steadiness(whole._replace(saturated=True), whole) == "unsteady"
    assert steadiness(whole, None) == "unsteady"


def test_curves_stop_at_saturation_and_do_not_depend_on_the_others():
    plan = Plan(4, "uniform", (0.1, 0.3, 1.0), 200, 600)
    bad = Contestant("b", "torus:8", "torus.dateline", 4)
    steps: list[tuple[int, int]] = []
    both = curves((WHO, bad), plan, lambda done, total: steps.append((done, total)))
    assert list(both) == ["a", "b"] and steps == [(0, 2), (1, 2), (2, 2)]
    assert [c.vcs for c in both.values()] == [2, 4]
    assert both["b"].points[-1].saturated and not both["b"].points[0].saturated
    assert both["a"] == curves((WHO,), plan, never)["a"]
    assert both["a"].points[0].rank_mean.keys() == {0, 1}
    picture = evaluation.figure("test", "title", "source", both)
    assert len(picture.data["offered_load"]) == sum(len(c.points) for c in both.values())
    assert b"<svg" in render(picture.draw, formats=("svg",))["svg"]
    table = evaluation.point_table(both, plan)
    assert [label for label, _ in table.rows] == ["a", "b"]


def test_curves_are_kept_to_six_digits_and_only_for_the_same_runs():
    plan = Plan(4, "uniform", (0.1, 0.3), 200, 600)
    found = curves((WHO,), plan, never)
    data = json.loads(json.dumps(to_keep(plan, found)))
    back = from_kept(data, plan, (WHO,))
    assert to_keep(plan, back) == to_keep(plan, found)
    assert back["a"].throughput == pytest.approx(found["a"].throughput, abs=1e-6)
    for other_plan, others in ((plan._replace(loads=(0.1,)), (WHO,)), (plan, (WHO._replace(vcs=3),))):
        with pytest.raises(JumpnetError, match="other runs found"):
            from_kept(data, other_plan, others)


def test_loads_by_rank_leave_out_channels_that_are_not_there():
    net = build("rdt:8")
    load = np.where(net.neighbor >= 0, net.class_rank[net.link_class] + 1.0, np.nan)
    mean, largest = rank_loads(net, load)
    assert mean == largest == {k: k + 1.0 for k in mean} and 0 in mean and len(mean) > 1


@pytest.mark.parametrize("number", FIGURES)
def test_every_claim_and_network_of_a_figure_is_there(number):
    claims, section = golden(KEY)["claims"], module(number)
    labels = {who.label for who in NETWORKS}
    for claim, other, where in section.CLAIMS:
        assert claims[claim]["value"] in ("below", "above")
        assert other in labels and where in ("low", "high", "all")
    for claim, other in section.MUCH:
        assert claims[claim]["value"] == "much better" and other in labels
    assert list(section.SHORT.loads) == sorted(section.SHORT.loads) and set(section.SHORT.loads) <= set(
        section.FULL.loads
    )
    assert section.FULL.ignored_clocks + section.FULL.measured_clocks == 10_000
    assert set(READINGS) == set(golden(KEY)["readings"]["base_moves"]["options"])


def test_the_paper_s_networks_have_its_channels_and_the_adaptive_ones_an_equal_rival():
    for number in FIGURES:
        section = module(number)
        found = whole_runs(f"evaluation_figure_{number}", section.FULL, section.SHORT, never, False).curves
        assert [found[who.label].vcs for who in NETWORKS] == [3, 2, 2, 2, 2]
        assert {found[who.label].vcs for who in (*ADAPTIVE, LANES)} == {4}


@pytest.mark.parametrize("number", FIGURES)
def test_verdicts_follow_from_the_kept_runs(number):
    section = module(number)
    whole = whole_runs(f"evaluation_figure_{number}", section.FULL, section.SHORT, never, False)
    assert "Committed results" in whole.said
    table = evaluation._claim_table(golden(KEY), section.CLAIMS, whole.curves)
    assert all(cell.reading and cell.claim for _, cells in table.rows for cell in cells)
    verdicts = [cell.verdict for _, cells in table.rows for cell in cells]
    # Every network exchanged for one that is slower and takes less: the verdicts must notice.
    slow = {
        label: c._replace(
            points=tuple(p._replace(latency=9 * p.latency, accepted=p.accepted / 9) for p in c.points)
        ) if label in {who.label for who in READINGS.values()} else c
        for label, c in whole.curves.items()
    }  # fmt: skip
    changed = evaluation._claim_table(golden(KEY), section.CLAIMS, slow)
    assert {cell.computed for _, cells in changed.rows for cell in cells} == {"above"}
    assert [cell.verdict for _, cells in changed.rows for cell in cells] != verdicts


def test_kept_runs_of_other_settings_are_refused(monkeypatch, tmp_path):
    found = _kept.kept(KEY, "evaluation_figure_9")
    assert found is not None
    data = copy.deepcopy(dict(found.data))
    data["plan"]["measured_clocks"] = 900
    _kept.write_kept(tmp_path, KEY, "evaluation_figure_9", "0", data)
    monkeypatch.setattr(_kept, "golden_folder", lambda: tmp_path)
    with pytest.raises(JumpnetError, match="other runs found"):
        whole_runs("evaluation_figure_9", evaluation_figure_9.FULL, evaluation_figure_9.SHORT, never, False)


def test_without_kept_runs_the_text_says_that_they_are_short(monkeypatch, tmp_path):
    monkeypatch.setattr(_kept, "golden_folder", lambda: tmp_path)
    made = {who.label: curve((0.1, 0.1, 50.0, 1.0, False)) for who in ALL}
    monkeypatch.setattr(evaluation, "simulated", lambda contestants, plan, progress: made)
    plan = Plan(4, "uniform", (0.1,), 10, 20)
    whole = whole_runs("evaluation_figure_9", plan._replace(measured_clocks=9000), plan, never, False)
    assert whole.plan == plan and "No whole run is kept" in whole.said
    assert "30 clocks a point" in evaluation.run_text(whole)


def test_a_routing_s_part_of_hops_on_upper_ranks_is_weighted_by_channels():
    point = Point(0.1, 0.1, 1.0, 0.1, False, {0: 0.5, 1: 1.0, 2: 0.5}, {}, False)
    assert evaluation_figure_9.RankLoads(point, {0: 4, 1: 2, 2: 4}).share == pytest.approx(4 / 6)


def test_the_default_reading_reproduces_the_most():
    """`base_moves` over all sections that show it: as many cells for each option, most equal for the default."""
    data, tables = golden(KEY), []
    for number in FIGURES:
        section = module(number)
        found = whole_runs(f"evaluation_figure_{number}", section.FULL, section.SHORT, never, False).curves
        tables += [evaluation._claim_table(data, section.CLAIMS, found)]
        tables += [evaluation._much_table(data, section.MUCH, found)]
        if number == "9":
            tables.append(section._ranks(data, found))
        if number == "10":
            tables.append(section._distances(data))
    answers = deadlock.Answers(False)
    tables += [deadlock._alpha(data, answers, never), deadlock._orders(data)]
    tables += congestion.section(data, never).tables
    shown: Counter[str] = Counter()
    equal: Counter[str] = Counter()
    for cell in (cell for table in tables for _, cells in table.rows for cell in cells if cell and cell.printed):
        if cell.reading:
            shown[cell.reading] += 1
            equal[cell.reading] += cell.verdict in ("equal", "rounded")
    reading = data["readings"]["base_moves"]
    assert set(shown) == {f"base_moves:{option}" for option in reading["options"]}
    assert len(set(shown.values())) == 1
    assert equal.most_common(1)[0][0] == f"base_moves:{reading['default']}" and len(set(equal.values())) == 2
    assert bind("rdt.deadlock_free", build("rdt:8")).options["moves"] == reading["default"]


def test_a_full_run_gives_what_is_to_be_kept(monkeypatch):
    section = module("11")
    found = whole_runs("evaluation_figure_11", section.FULL, section.SHORT, never, False).curves
    asked = []

    def simulated(contestants, plan, progress):
        asked.append((tuple(contestants), plan))
        return {who.label: found[who.label] for who in contestants}

    monkeypatch.setattr(evaluation, "simulated", simulated)
    made = section.section(golden(KEY), never, True)
    assert asked == [(ALL, section.FULL), (NETWORKS, section.SHORT)]
    assert from_kept(json.loads(json.dumps(made.kept)), section.FULL, ALL) == found
    assert "Run in full now." in made.text
    assert not section.section(golden(KEY), never, False).kept
