"""Studies of multicasts: presets, axes and loads as for simulations, and the figures of `simulate_multicasts`."""

from __future__ import annotations

import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.study.plan import read_plan
from jumpnet.study.point import evaluate, resolve
from jumpnet.study.settings import PRESETS, settings

STUDY = """
[[sweep]]
kind = "multicast"
preset = "jump1"
network = "torus:4x4"
destinations = [2, 4]
acknowledge = "direct"
packet_flits = "4"
warmup_cycles = 300
measure_cycles = 1000
load = [0.01, 0.02]
"""


def test_points_of_a_study_are_those_of_the_simulator(tmp_path) -> None:
    (tmp_path / "mc.toml").write_text(STUDY)
    curves = read_plan(tmp_path / "mc.toml", settings(), PRESETS).curves
    points = [resolve(curve.point, load) for curve in curves for load in curve.loads]  # type: ignore[union-attr]
    assert [(p["destinations"], p["load"]) for p in points] == [(2, 0.01), (2, 0.02), (4, 0.01), (4, 0.02)]
    found = evaluate(points[3])["result"]
    same = simulate_multicasts(
        "torus:4x4", name="jump1", destinations=4, acknowledge="direct", packet_flits="4", load=0.02,
        warmup_cycles=300, measure_cycles=1000)  # fmt: skip
    assert found["trees"] == same.routing and found["load"] == 0.02
    for key in ("multicast_latency_mean_cycles", "acknowledge_latency_p99_cycles", "multicasts", "cycles"):
        assert found[key] == same.figures[key]
    assert evaluate(points[3])["result"] == found


def test_what_could_not_run_is_refused_before_it_starts() -> None:
    for changes, message in (
        ({"destinations": 16}, "fewer than the 16 terminals"),
        ({"multicast": "chip"}, "rdt or prdt"),
        ({"reply_flits": 3}, "reply_flits 3 found"),
        ({"vc_reuse": "empty", "packet_flits": "17"}, "packet_flits 17 found, at most 8"),
        ({"network": "rdt:8"}, "a choice at router .*tree_routing names another one"),
        ({"network": "mesh:4x4", "routing": "mesh.west_first"}, "a choice at router .*tree_routing"),
    ):
        with pytest.raises(JumpnetError, match=message):
            resolve({"kind": "multicast", "network": "torus:4x4", **changes}, 0.1)
