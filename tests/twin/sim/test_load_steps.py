"""Loads that change on the way: kernel and reference create the same packets, whatever creates them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.twin.sim.test_same_events import CYCLES, assert_same_as_reference

from jumpnet.errors import JumpnetError
from jumpnet.sim.config import config_from
from jumpnet.sim.config.traffic_class import mean_load
from jumpnet.sim.engine import Engine
from jumpnet.sim.memory.fields import TERMINAL_ROW
from jumpnet.sim.outside import Outside
from jumpnet.sim.saturation import find_saturation
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import PacketList

PHASES: dict[str, Any] = {"warmup_cycles": 10, "measure_cycles": 1000}
KINDS: dict[str, dict[str, Any]] = {
    "packets of one process": {},
    "bursts": {"injection": "onoff:alpha=0.05,beta=0.1"},
    "sources that are behind": {"load": 1.0, "load_steps": "20:0.0,40:1.0,45:0.1", "packet_flits": "6"},
    "a step at each cycle": {"load_steps": ",".join(f"{k}:{k % 3 / 4}" for k in range(1, 60))},
    "short queues": {"source_queue_packets": 2, "load": 0.9, "load_steps": "30:0.2,50:1.0,51:0.9"},
    "replies": {"reply_flits": 3},
    "reads and writes": {"packet_flits": "2", "exchange_flits": "1", "exchange_vcs": "0,0", "port_vcs": 4},
    "several classes": {"more_classes": [{"load": 0.2, "packet_flits": "3"}, {"load": 0.1}]},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_kernel_creates_what_the_reference_does(kind: str) -> None:
    settings = {"load": 0.1, "load_steps": "25:0.6,50:0.0,70:0.4", "packet_flits": "2", **PHASES, **KINDS[kind]}
    config = config_from({**settings, "events": True, "vcs": 2, "seed": 7})
    assert assert_same_as_reference(build("torus:4x4"), "torus.dateline", 2, config) > CYCLES


def _creations(load_steps: str, load: float, injection: str, until: int) -> list[list[int]]:
    """The cycles in which each source creates packets: of one flit, in a network that holds none of them up."""
    settings = {"load": load, "load_steps": load_steps, "injection": injection, "packet_flits": "1", **PHASES}
    engine = Engine(build("complete:9"), None, config_from({**settings, "seed": 3}))
    found: list[list[int]] = [[] for _ in range(9)]
    sent = np.zeros(9, np.int64)
    for _ in range(until):
        before = engine.state.terminal[:, TERMINAL_ROW.next_creation].copy()
        engine.advance(1)
        taken = engine.state.terminal[:, TERMINAL_ROW.sequence]
        for i in np.flatnonzero(taken > sent).tolist():
            found[i].append(int(before[i]))
        sent = taken.copy()
    return found


@pytest.mark.parametrize("injection", ["bernoulli", "onoff:alpha=0.3,beta=0.2"])
def test_packets_before_a_step_are_those_without_it_and_those_after_it_know_nothing_of_before(injection: str) -> None:
    steady, stepped, other = (
        _creations(steps, load, injection, 90) for steps, load in (("", 0.15), ("40:0.3", 0.15), ("40:0.3", 0.05))
    )
    for none, some, less in zip(steady, stepped, other, strict=True):
        assert [t for t in some if t < 40] == [t for t in none if t < 40]
        assert [t for t in some if t >= 40] == [t for t in less if t >= 40]
    assert steady != stepped != other and any(t >= 40 for each in stepped for t in each)


def test_sources_that_are_behind_still_create_what_was_due_before() -> None:
    """A saturated network is offered no more from cycle 200 on: all that was created until then arrives, late."""
    both = [
        simulate("torus:4x4", load=1.0, load_steps="200:0.0", warmup_cycles=0, measure_cycles=cycles, drain=False,
                 vcs=2, packet_flits="4", batch_cycles=100)
        for cycles in (201, 3000)
    ]  # fmt: skip
    arrived = int(both[1].batches[:, 0].sum())
    assert both[0].figures["packets"] < arrived / 2 and both[1].figures["packets"] == arrived
    assert abs(4 * arrived / (200 * 16) - 1) < 0.05  # one flit a cycle and terminal, for 200 cycles


def test_figures_are_of_the_window_and_batches_of_the_whole_run() -> None:
    point = simulate(
        "torus:4x4", load=0.1, load_steps="2000:0.3,3000:0.2", warmup_cycles=1500, measure_cycles=2500, vcs=4,
        packet_flits="1", drain=False, batch_cycles=500,
    )  # fmt: skip
    assert point.offered_load == pytest.approx((500 * 0.1 + 1000 * 0.3 + 1000 * 0.2) / 2500)
    assert point.accepted_load == pytest.approx(point.offered_load, rel=0.03)
    loads = point.batches[:, 4] / (500 * 16)
    assert loads == pytest.approx([0.1, 0.1, 0.1, 0.1, 0.3, 0.3, 0.2, 0.2], abs=0.015)
    assert mean_load(0.1, [(20, 0.3)], 20, 20) == 0.3 and mean_load(0.1, [], 3, 9) == 0.1


def test_batches_add_up_to_the_figures_where_no_packet_comes_after_the_window() -> None:
    point = simulate("torus:4x4", load=0.3, load_steps="900:0.0", warmup_cycles=0, measure_cycles=1000, vcs=2,
                     packet_flits="1..4", batch_cycles=100)  # fmt: skip
    packets, packet, network, flit, flits = point.batches.sum(axis=0).tolist()
    means = [packet / packets, network / packets, flit / flits]
    assert means == pytest.approx([point.row()[f"{of}_latency_mean_cycles"] for of in ("packet", "network", "flit")])
    assert packets == point.figures["packets"] and means[1] > means[2] > 0 and packet > network


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ("5", "load_steps '5' found, rising cycles with loads from 0 to 1 such as 5000:0.3,8000:0.1 expected"),
        ("0:0.3", "load_steps '0:0.3' found, rising"),
        ("50:0.3,50:0.1", "load_steps '50:0.3,50:0.1' found, rising"),
        ("50:1.1", "load_steps '50:1.1' found, rising"),
        ("50:nan", "load_steps '50:nan' found, rising"),
        ("-3:0.1", "load_steps '-3:0.1' found, rising"),
        ("1010:0.1", "load_steps at cycle 1010 found, below 1010, where measuring ends, expected"),
        (",".join(f"{k}:0.1" for k in range(1, 102)), "load_steps with 101 steps found, at most 100 expected"),
    ],
)
def test_steps_that_make_no_sense_are_refused(steps: str, said: str) -> None:
    with pytest.raises(JumpnetError) as refused:
        config_from({"load_steps": steps, **PHASES})
    assert str(refused.value).startswith(said)


def test_steps_are_refused_where_no_load_is_offered_or_the_end_is_not_known() -> None:
    steps, net = "50:0.3", build("torus:4x4")
    one = np.ones(1, np.int64)
    refused = {
        "without warmup_cycles and measure_cycles found": lambda: config_from({"load_steps": steps}),
        "none expected with a trace": lambda: simulate(
            net, load_steps=steps, trace=PacketList(one, one, 2 * one, one), **PHASES
        ),
        "none expected where the load is searched": lambda: find_saturation(net, load_steps=steps, **PHASES),
        "none expected where packets are posted": lambda: Outside(
            net, None, config_from({"load_steps": steps, **PHASES})
        ),
    }
    for said, run in refused.items():
        with pytest.raises(JumpnetError, match=said):
            run()
