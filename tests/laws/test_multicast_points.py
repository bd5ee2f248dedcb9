"""Points with multicasts: the same ones however they are sent, gains with a sign, verdicts, and one-line errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import preset
from jumpnet.sim.multicast.simulate import compare, simulate_multicasts
from jumpnet.sim.multicast.trees import Trees
from jumpnet.topology import build

SHORT: dict[str, Any] = {
    "warmup_cycles": 300,
    "measure_cycles": 3000,
    "packet_flits": "4",
    "flow_control": "cut_through",
}


def test_two_ways_of_sending_have_the_same_multicasts_and_packets() -> None:
    common: dict[str, Any] = {**SHORT, "load": 0.02, "multicast_share": 0.4, "destinations": 5}
    one = simulate_multicasts("torus:4x4", acknowledge="combined", **common)
    many = simulate_multicasts("torus:4x4", acknowledge="direct", repeated=True, **common)
    for kind in ("packet", "multicast", "acknowledge"):
        assert len(one.times[kind]) > 50
        assert (one.times[kind][:, :2] == many.times[kind][:, :2]).all()
    share = one.multicasts / (one.multicasts + one.packets)
    assert abs(share - 0.4) < 0.06
    assert abs(one.accepted_load / (0.02 * (0.4 * 5 + 0.6)) - 1) < 0.1


def test_gains_by_way_on_the_router_chip() -> None:
    """Eight destinations near the source: branching beats eight packets, combined answers win under load."""
    found = {
        way: (result, gains)
        for way, result, gains in compare(
            "prdt:8", name="jump1", multicast="chip", scheme="full", sigma=1.0, packet_flits="13", load=0.03,
            warmup_cycles=400, measure_cycles=4000)
    }  # fmt: skip
    branching, gains = found["branching"]
    assert gains["multicast_gain"] - gains["multicast_gain_half_width"] > 1.2
    assert branching.link_flits_per_multicast < found["repeated"][0].link_flits_per_multicast
    assert (
        found["direct"][1] == {} and branching.acknowledge_latency_p50_cycles > branching.multicast_latency_p50_cycles
    )
    times = branching.times["multicast"]
    assert branching.multicast_latency_mean_cycles == pytest.approx(np.mean(times[:, 2] - times[:, 1]))


def test_alone_a_multicast_takes_the_time_of_its_deepest_path() -> None:
    """Load so low that multicasts do not meet: the least latency of a destination h hops away."""
    point = simulate_multicasts("mesh:3x1", load=0.002, destinations=2, measure_cycles=8000, warmup_cycles=0,
                                packet_flits="4", flow_control="cut_through")  # fmt: skip
    config = preset("booksim", packet_flits="4")
    allowed = {config.zero_load_cycles(hops + 1, 4) for hops in (1, 2)}
    times = point.times["multicast"]
    gaps = np.diff(times[:, 1], prepend=-99, append=1 << 20) > 30
    alone = times[gaps[1:] & gaps[:-1]]
    assert len(alone) > 8 and set((alone[:, 2] - alone[:, 1]).tolist()) == allowed


@pytest.mark.parametrize("name", ["LPRA", "LARP", "REMAKE"])
def test_answers_and_packets_to_one_destination_reach_nobody_else(name: str) -> None:
    """Whatever the scheme of the multicasts: an answer is counted once, the last after the last receiver."""
    trees = Trees(build("prdt:8"), "chip", scheme_name=name)
    number = trees.number(0, [3, 35], answered=True)
    answers = [k for k in range(len(trees.plans)) if k != number]
    assert len(answers) == len(trees.receivers(number)) - (0 in trees.receivers(number))
    assert all(trees.receivers(k) == [0] for k in answers)
    assert trees.receivers(trees.number(9, [60], alone=True)) == [60]
    point = simulate_multicasts("prdt:8", name="jump1", multicast="chip", scheme=name, acknowledge="direct", load=0.008,
                                destinations=3, packet_flits="9", warmup_cycles=0, measure_cycles=4000)  # fmt: skip
    arrived, known = point.times["multicast"], point.times["acknowledge"]
    assert len(arrived) > 50 and (known[:, 2] > arrived[:, 2]).all()


def test_maps_made_anew_save_receivers_and_cost_time() -> None:
    """The same multicasts: nobody else receives, and each waits for the processors on its way."""
    common: dict[str, Any] = {
        "name": "jump1", "multicast": "chip", "acknowledge": "combined", "load": 0.01, "sigma": 1.0, "destinations": 5,
        "packet_flits": "9", "warmup_cycles": 0, "measure_cycles": 4000,
    }  # fmt: skip
    single, quick, slow = (
        simulate_multicasts("rdt:8", **common, **more)
        for more in ({"scheme": "SM"}, {"scheme": "REMAKE"}, {"scheme": "REMAKE", "remake_cycles": 60})
    )
    assert quick.receivers_per_multicast == slow.receivers_per_multicast == 5 < single.receivers_per_multicast
    assert single.remade_per_multicast == 0 < slow.remade_per_multicast
    assert slow.link_flits_per_multicast < single.link_flits_per_multicast
    means = [point.multicast_latency_mean_cycles for point in (single, quick, slow)]
    assert means[0] < means[1] < means[2] - 30


def test_a_run_ends_by_precision_or_says_that_it_is_saturated() -> None:
    common: dict[str, Any] = {"packet_flits": "4", "flow_control": "cut_through", "destinations": 4,
                              "acknowledge": "direct", "precision": 0.05, "batch_cycles": 200}  # fmt: skip
    calm = simulate_multicasts("torus:4x4", load=0.02, multicast_share=0.5, **common)
    assert calm.converged and calm.drained and not calm.saturated
    for kind in ("packet", "multicast", "acknowledge"):
        mean, half = (calm.figures[f"{kind}_latency_{what}_cycles"] for what in ("mean", "half_width"))
        assert 0 < half <= 0.06 * mean
    busy = simulate_multicasts("torus:4x4", load=0.5, max_cycles=4000, **common)
    assert busy.saturated and not busy.converged and busy.source_lag > 0.02


def test_small_buffers_let_multicasts_deadlock_and_the_run_says_so() -> None:
    point = simulate_multicasts(
        "torus:4x4", load=0.4, packet_flits="16", buffer_flits=4, destinations=8, max_cycles=8000
    )
    assert point.deadlocked and point.saturated and len(point.deadlock) > 1


@pytest.mark.parametrize(
    ("spec", "settings", "message"),
    [
        ("torus:4x4", {"destinations": 16}, "16 destinations found, fewer than the 16 terminals"),
        ("torus:4x4", {"multicast": "chip"}, "a network of family rdt or prdt"),
        ("torus:4x4", {"multicast": "pathes"}, "'pathes' found, paths or chip"),
        ("torus:4x4", {"destinatons": 3}, "did you mean 'destinations'"),
        ("torus:4x4", {"sigma": 1.0}, "rdt or prdt"),
        ("prdt:8", {"sigma": 99.0}, "sigma 0.1 to 8"),
        ("torus:4x4", {"load": 0.0, "max_cycles": 50, "warmup_cycles": 10}, "no packet in 50 cycles"),
        ("torus:4x4", {"load": 1.0, "packet_flits": "1*0.5", "injection": "nothing"}, "injection process"),
        ("fattree:2,n=2", {"acknowledge": "combined", "destinations": 2}, "a terminal at each router"),
        ("torus:4x4", {"reply_flits": 3}, "reply_flits 3 found, none expected with multicasts"),
        ("mesh:4x4", {"routing": "mesh.west_first"}, "tree_routing names another one"),
        (
            "torus:4x4",
            {"name": "jump1", "packet_flits": "4..17"},
            r"packet_flits 4..17 found, at most 16 \(buffer_flits",
        ),
    ],
)
def test_bad_settings_are_one_line(spec: str, settings: dict[str, Any], message: str) -> None:
    given = {"routing": "fattree.nca:up=destination"} if spec.startswith("fattree") else {}
    with pytest.raises(JumpnetError, match=message):
        simulate_multicasts(spec, **{**given, **settings})


def test_longer_packets_than_buffers_may_wait_for_empty_ones_where_nothing_branches() -> None:
    long: dict[str, Any] = {"name": "jump1", "packet_flits": "17", "load": 0.01, "destinations": 2, "max_cycles": 4000}
    assert simulate_multicasts("mesh:3x3", **long, repeated=True).multicasts > 3
    alone = simulate_multicasts("mesh:3x3", **long, multicast_share=0.0)
    assert alone.packets > 3 and "accepted_load" in repr(alone)
    assert simulate_multicasts("mesh:3x3", **long, buffer_flits=17).multicasts > 3
