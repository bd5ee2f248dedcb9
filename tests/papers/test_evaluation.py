"""The RDT paper's evaluation: verdicts from curves, curves that stop when saturated, loads by rank, the drawing."""

from __future__ import annotations

import importlib

import numpy as np
import pytest

from jumpnet.paper._section import Cell
from jumpnet.paper.yang2001rdt import _evaluation as evaluation
from jumpnet.paper.yang2001rdt._evaluation import Contestant, Curve, Plan, Point, compare, curves, rank_loads
from jumpnet.papers import golden
from jumpnet.plot.figure import render
from jumpnet.topology import build

SECTIONS = ("evaluation_figure_9", "evaluation_figure_10", "evaluation_figure_11")
WHO = Contestant("a", "torus:4x4", "torus.dateline")


def curve(*points):
    """A curve from (load, accepted, latency, half width, saturated)."""
    return Curve(WHO, tuple(Point(*p, {}, {}, False) for p in points))


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


def test_a_difference_says_its_numbers():
    answer, why = compare(MINE, curve((0.1, 0.1, 40.0, 1.0, False), (0.2, 0.2, 80.0, 1.0, False)), "low")
    assert Cell("below", answer, why).verdict == "differs"
    assert "50.0±1.0 against 40.0±1.0" in why


def test_curves_stop_at_saturation_and_do_not_depend_on_the_others():
    plan = Plan(4, "uniform", (0.1, 0.3, 1.0), 200, 600)
    bad = Contestant("b", "torus:8", "torus.dateline")
    steps: list[tuple[int, int]] = []
    both = curves((WHO, bad), plan, lambda done, total: steps.append((done, total)))
    assert list(both) == ["a", "b"] and steps == [(0, 2), (1, 2), (2, 2)]
    assert both["b"].points[-1].saturated and not both["b"].points[0].saturated
    assert both["a"] == curves((WHO,), plan, lambda done, total: None)["a"]
    assert both["a"].points[0].rank_mean.keys() == {0, 1}
    picture = evaluation.figure("test", "title", "source", both)
    assert len(picture.data["offered_load"]) == sum(len(c.points) for c in both.values())
    assert b"<svg" in render(picture.draw, formats=("svg",))["svg"]
    table = evaluation.point_table(both, plan)
    assert [label for label, _ in table.rows] == ["a", "b"]


def test_loads_by_rank_leave_out_channels_that_are_not_there():
    net = build("rdt:8")
    load = np.where(net.neighbor >= 0, net.class_rank[net.link_class] + 1.0, np.nan)
    mean, largest = rank_loads(net, load)
    assert mean == largest == {k: k + 1.0 for k in mean} and 0 in mean and len(mean) > 1


def test_every_claim_is_in_the_golden_file_and_every_network_in_a_figure():
    claims = golden("yang2001rdt")["claims"]
    labels = {who.label for who in (*evaluation.NETWORKS, *evaluation.ADAPTIVE, evaluation.READING)}
    for name in SECTIONS:
        section = importlib.import_module(f"jumpnet.paper.yang2001rdt.{name}")
        for claim, other, where in section.CLAIMS:
            assert claims[claim]["value"] in ("below", "above")
            assert other in labels and where in ("low", "high", "all")
        assert list(section.SHORT.loads) == sorted(section.SHORT.loads)
        assert section.FULL.ignored_clocks + section.FULL.measured_clocks == 10_000
