"""The kernel and the object-oriented reference record the same events, cycle by cycle, whatever the settings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.draws import draws

from jumpnet.jit.decorator import DISABLED
from jumpnet.networks import Network
from jumpnet.routings import DESTINATION, ENTERS, ESCAPE, KIND, NEXT_STATE, NORMAL, PORT, STATE, VC, Routing, bind
from jumpnet.sim.config import SimConfig, config_from
from jumpnet.sim.engine import Engine
from jumpnet.sim.measure.checks import check
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER
from jumpnet.sim.memory.state import State
from jumpnet.sim.reference.simulation import Simulation
from jumpnet.topology import build

CYCLES = 60 if DISABLED else 160

NETWORKS = [
    ("torus:4", "torus.dateline", 2),
    ("torus:3x3", "torus.booksim", 2),
    ("torus:4x3", "torus.booksim:middle=shared", 3),
    ("mesh:3x3", "mesh.o1turn_booksim", 3),
    ("mesh:3x2", "mesh.romm_booksim", 3),
    ("hyperx:3x3", "hyperx.valiant_booksim", 3),
    ("torus:4x4", "torus.duato", 3),
    ("torus:4x2", "torus.dimension_order", 1),
    ("mesh:3x2", "mesh.dimension_order", 2),
]


def assert_same_as_reference(
    net: Network, routing: str | Routing, vcs: int, config: SimConfig, cycles: int = CYCLES
) -> int:
    """Run both, check the laws at every cycle, compare the events and the flits' latencies; returns how many events.

    The kernel runs once cycle by cycle and once at one go, by epochs.
    """
    bound = bind(routing, net, vcs)
    engine = Engine(net, bound, config)
    for _ in range(cycles):
        engine.advance(1)
        check(engine)
    whole = Engine(net, bound, config)
    whole.advance(cycles)
    slow = Simulation(net, bound, engine.config)
    slow.run(cycles)
    fast = engine.events()
    np.testing.assert_array_equal(whole.events(), fast)
    fast = fast[fast[:, at.EVENT_ENTER] < cycles]  # an arrival is recorded when the flit wins the switch
    expected = np.array(sorted(slow.events), np.int64).reshape(-1, at.EVENT_FIELDS)
    for mine, theirs in zip(fast.tolist(), expected.tolist(), strict=False):
        assert mine == theirs
    assert len(fast) == len(expected)
    if config.queues_at_outputs:
        return len(fast)  # flits that have won may wait for their link for any time
    slow.run(engine.shape.sa + engine.shape.st + engine.shape.terminal_link)
    histograms = whole.state.histogram.reshape(engine.config.counted_classes, at.HISTOGRAMS, -1)
    for counted, latencies in zip(histograms[:, at.H_FLIT], slow.flit_latencies, strict=True):
        assert {int(k): int(counted[k]) for k in counted.nonzero()[0]} == latencies
    return len(fast)


drawn = st.fixed_dictionaries(
    {
        "load": st.sampled_from([0.05, 0.2, 0.5, 1.0]),
        "packet_flits": st.sampled_from(["1", "2", "5", "1*0.5+6*0.5", "1..4"]),
        "buffer_flits": st.integers(1, 9),
        "seed": st.integers(0, 1000),
        "routing_delay_cycles": st.integers(0, 2),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "switch_allocation_delay_cycles": st.integers(1, 2),
        "st_final_delay_cycles": st.integers(0, 2),
        "link_cycles": st.integers(1, 3),
        "terminal_link_cycles": st.integers(1, 2),
        "credit_delay_cycles": st.integers(0, 2),
        "vc_reuse": st.sampled_from(["auto", "tail", "empty"]),
        "speculation": st.booleans(),
        "allocator": st.sampled_from(["input_first", "output_first", "islip", "age"]),
        "vc_allocator": st.sampled_from(["input_first", "input_first", "output_first"]),
        "selection": st.sampled_from(["round_robin", "first", "credits"]),
        "injection_ports": st.integers(1, 2),
        "ejection_ports": st.integers(1, 2),
        "entry_vcs": st.integers(0, 2),
        "source_queue_packets": st.sampled_from([0, 0, 1, 3]),
        "reply_flits": st.sampled_from([0, 0, 1, 4]),
        "reply_delay_cycles": st.integers(0, 3),
    }
)


def _config(settings: dict[str, Any]) -> SimConfig:
    """The configuration of what was drawn; a delay of replies only where there are any."""
    replies = settings["reply_flits"] or settings.get("exchange_flits")
    return config_from({**settings, "reply_delay_cycles": settings["reply_delay_cycles"] if replies else 0})


PHASES = (Phase.explicit, Phase.reuse, Phase.generate)
"""No shrinking: one example costs a tenth of a second."""


@settings(max_examples=8 if DISABLED else draws(60), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn, iterations=st.integers(1, 3))
def test_kernel_equals_reference(which: tuple[str, str, int], values: dict[str, Any], iterations: int) -> None:
    spec, routing, vcs = which
    iterations = 1 if values["speculation"] else iterations
    config = _config({**values, "allocator_iterations": iterations, "events": True, "vcs": vcs})
    assert_same_as_reference(build(spec), routing, vcs, config)


@pytest.mark.parametrize("seed", [1, 2])
def test_requests_that_arrive_in_one_cycle_are_answered_in_order_of_lanes(seed: int) -> None:
    """A head that bids in the cycle of its virtual channel (va = 0) is no later than the bids that stood before."""
    config = config_from(
        {"load": 0.3, "packet_flits": "1", "reply_flits": 4, "reply_delay_cycles": 2, "injection_ports": 2,
         "ejection_ports": 2, "routing_delay_cycles": 0, "vc_allocation_delay_cycles": 0, "st_final_delay_cycles": 2,
         "vc_reuse": "tail", "seed": seed, "events": True, "vcs": 2}
    )  # fmt: skip
    assert assert_same_as_reference(build("torus:4x4"), "torus.booksim", 2, config, 60 if DISABLED else 120) > 1000


OTHERS = [
    ("torus:4x4", "torus.valiant"),
    ("torus:4x3", "torus.romm"),
    ("torus:4x4", "torus.ugal"),
    ("torus:4x3", "torus.valiant_booksim"),
    ("torus:2x2,double=true", "torus.valiant_booksim"),
    ("torus:4x2,double=true", "torus.booksim"),
    ("torus:4x3", "torus.min_adapt_booksim"),
    ("mesh:3x3", "mesh.min_adapt_booksim"),
    ("mesh:3x3", "mesh.valiant"),
    ("mesh:3x3", "mesh.valiant_booksim"),
    ("mesh:3x3", "mesh.o1turn"),
    ("mesh:4x3", "mesh.o1turn_adaptive"),
    ("dragonfly:1", "dragonfly.ugal"),
    ("dragonfly:2,p=1,a=3,g=4", "dragonfly.ugal_g"),
    ("dragonfly:2,p=1,a=3,g=4", "dragonfly.par"),
    ("dragonfly:1", "dragonfly.booksim"),
    ("dragonfly:1", "dragonfly.ugal_booksim"),
    ("flatfly:2,n=2,c=2", "hyperx.ugal_booksim"),
    ("flatfly:3,n=2,c=1", "hyperx.valiant_booksim"),
    ("cmesh:2x2,c=4", "mesh.dimension_order"),
    ("fattree:2,n=2", "fattree.nca:up=adaptive"),
    ("fattree:2,n=3", "fattree.nca:up=random"),
    ("fattree:2,n=3", "fattree.anca_booksim"),
    ("flatfly:2,n=2,c=2", "hyperx.dimension_order"),
    ("hyperx:3x3", "hyperx.adaptive"),
    ("fly:2,n=2", "fly.destination_tag"),
    ("kautz:2,n=2", "kautz.shift"),
    ("debruijn:2,n=3", "debruijn.shift"),
    ("random:10,d=3,seed=4", "up_down"),
]
"""Start hooks that draw or look at queues, several terminals or none at a router, links one way, escape channels."""


@settings(max_examples=6 if DISABLED else 45, phases=PHASES)
@given(which=st.sampled_from(OTHERS), values=drawn)
def test_other_networks_and_start_hooks_equal_reference(which: tuple[str, str], values: dict[str, Any]) -> None:
    spec, routing = which
    net = build(spec)
    vcs = bind(routing, net).vcs
    assert_same_as_reference(net, routing, vcs, _config({**values, "events": True, "vcs": vcs}), CYCLES // 2)


@settings(max_examples=4 if DISABLED else draws(30), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn)
def test_cut_through_equals_reference(which: tuple[str, str, int], values: dict[str, Any]) -> None:
    spec, routing, vcs = which
    changes = {"flow_control": "cut_through", "buffer_flits": max(6, values["buffer_flits"]), "events": True}
    assert_same_as_reference(build(spec), routing, vcs, _config({**values, **changes, "vcs": vcs}))


def adaptive_bubble(net, here, head, out):
    """Any shortest way on virtual channel 1; as escape on channel 0 that of `torus.bubble`, entered with a bubble."""
    escape = net.params.size * 2 + 1
    count, first = 0, -1
    for d in range(net.params.size):
        ahead = (net.coord[head[DESTINATION], d] - net.coord[here, d]) % net.params[d]
        if ahead != 0:
            port = 2 * d if 2 * ahead <= net.params[d] else 2 * d + 1
            first = port if first < 0 else first
            out[count, PORT], out[count, VC], out[count, NEXT_STATE], out[count, KIND] = port, 1, escape, NORMAL
            count += 1
    if first < 0:
        return 0
    out[count, PORT], out[count, VC], out[count, NEXT_STATE] = first, 0, 1 + first
    out[count, KIND] = ESCAPE if head[STATE] == 1 + first else ESCAPE + ENTERS
    return count + 1


ADAPTIVE_BUBBLE = Routing(name="test.adaptive_bubble", relation=adaptive_bubble, vcs=2, bubble=True)
BUBBLES = [("torus:4", "torus.bubble", 1), ("torus:5x4", "torus.bubble", 1), ("torus:4x3x2", "torus.bubble", 2),
           ("torus:4x4", ADAPTIVE_BUBBLE, 2)]  # fmt: skip


@settings(max_examples=6 if DISABLED else draws(40), phases=PHASES)
@given(
    which=st.sampled_from(BUBBLES),
    values=drawn,
    flits=st.sampled_from([1, 2, 5]),
    more=st.integers(0, 3),
    load=st.sampled_from([0.2, 0.5, 1.0, 1.0]),
)
def test_bubbles_equal_reference(
    which: tuple[str, str | Routing, int], values: dict[str, Any], flits: int, more: int, load: float
) -> None:
    spec, routing, vcs = which
    buffer = 2 * max(flits, values["reply_flits"]) + more
    bubble = {"flow_control": "cut_through", "buffer_flits": buffer, "packet_flits": str(flits), "vc_reuse": "tail"}
    config = _config({**values, **bubble, "load": load, "events": True, "vcs": vcs})
    assert_same_as_reference(build(spec), routing, vcs, config)


speedups = st.fixed_dictionaries(
    {
        "input_speedup": st.integers(1, 3),
        "output_speedup": st.integers(1, 3),
        "internal_speedup": st.sampled_from([1.0, 1.0, 1.5, 1.7, 2.0, 3.0]),
        "hold_switch": st.booleans(),
        "speculation": st.just(False),
    }
)


@pytest.mark.parametrize(
    "changes",
    [
        {"switch_allocation_delay_cycles": 0, "internal_speedup": 2.0},
        {"switch_allocation_delay_cycles": 0, "internal_speedup": 1.7},
        {"switch_allocation_delay_cycles": 0, "internal_speedup": 2.0, "terminal_link_cycles": 3, "link_cycles": 3},
        {
            "switch_allocation_delay_cycles": 2,
            "st_final_delay_cycles": 2,
            "terminal_link_cycles": 3,
            "hold_switch": True,
        },
    ],
    ids=str,
)
def test_a_lane_waits_while_its_slot_is_full(changes: dict[str, Any]) -> None:
    """A flit that may leave within the window gives no credit within it, however short or long switch allocation is."""
    for seed in (1, 2, 3):
        base = {"load": 0.6, "packet_flits": "5", "buffer_flits": 5, "vcs": 2, "events": True, "seed": seed}
        assert (
            assert_same_as_reference(build("torus:4x4"), "torus.dateline", 2, config_from({**base, **changes}), CYCLES)
            > 500
        )


@settings(max_examples=8 if DISABLED else draws(60), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn, more=speedups, room=st.integers(0, 3))
def test_speed_ups_and_held_connections_equal_reference(
    which: tuple[str, str, int], values: dict[str, Any], more: dict[str, Any], room: int
) -> None:
    spec, routing, vcs = which
    short = values["st_final_delay_cycles"] < 2 and values["switch_allocation_delay_cycles"] < 2
    queues = more["output_speedup"] > 1 or more["internal_speedup"] > 1
    buffer = {"output_buffer_flits": room if short and queues else 0}
    ports = {"ejection_ports": 1} if values["reply_flits"] else {}
    config = _config({**values, **more, **buffer, **ports, "events": True, "vcs": vcs})
    assert_same_as_reference(build(spec), routing, vcs, config, CYCLES // 2)


batched = st.fixed_dictionaries(
    {
        "stage_batches": st.just(True),
        "routing_delay_cycles": st.integers(0, 4),
        "vc_allocation_delay_cycles": st.integers(1, 3),
        "switch_allocation_delay_cycles": st.integers(1, 3),
        "st_final_delay_cycles": st.integers(1, 4),
        "ejection_ports": st.just(1),
        "speculation": st.just(False),
        "internal_speedup": st.sampled_from([1.0, 1.0, 1.0, 1.7]),
        "vc_allocator": st.sampled_from(["input_first", "islip", "wavefront"]),
    }
)


@settings(max_examples=4 if DISABLED else draws(30), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn, more=batched, changes=st.sampled_from([
    {}, {}, {"input_speedup": 2}, {"hold_switch": True, "switch_allocation_delay_cycles": 1},
    {"speculation": True, "vc_allocation_delay_cycles": 1, "switch_allocation_delay_cycles": 1}]))  # fmt: skip
def test_stages_in_batches_equal_reference(
    which: tuple[str, str, int], values: dict[str, Any], more: dict[str, Any], changes: dict[str, Any]
) -> None:
    spec, routing, vcs = which
    more = {**more, **changes, **({"internal_speedup": 1.0} if "speculation" in changes else {})}
    assert_same_as_reference(
        build(spec), routing, vcs, _config({**values, **more, "events": True, "vcs": vcs}), CYCLES // 2
    )


@settings(max_examples=4 if DISABLED else draws(24), phases=PHASES)
@given(which=st.sampled_from([*NETWORKS, ("cmesh:2x2,c=4", "mesh.dimension_order", 2)]), values=drawn,
       subnets=st.integers(2, 3), exchange=st.booleans())  # fmt: skip
def test_several_copies_of_the_network_equal_reference(
    which: tuple[str, str, int], values: dict[str, Any], subnets: int, exchange: bool
) -> None:
    spec, routing, vcs = which
    one = {"injection_ports": 1, "ejection_ports": 1, "reply_flits": 0}
    if exchange:
        one |= {"packet_flits": "1*0.5+3*0.5", "exchange_flits": "5,1", "exchange_vcs": f"0,0,{vcs},{vcs}"}
        one |= {"port_vcs": 2 * vcs, "exchange_subnets": "0,0,1,1", "entry_vcs": 0}
    config = _config({**values, **one, "subnets": subnets, "events": True, "vcs": vcs})
    assert_same_as_reference(build(spec), routing, vcs, config, CYCLES // 2)


speeds = st.sampled_from([1.0, 1.0, 1.5, 2.0])
BY_OUTPUT = [("mesh:3x2", "mesh.dimension_order", 6), ("torus:3x3", "torus.booksim", 11),
             ("torus:3x3", "torus.booksim:middle=unmarked", 9),
             ("torus:4x2", "torus.booksim", 12), ("cmesh:2x2,c=4", "mesh.dimension_order", 9)]  # fmt: skip


@settings(max_examples=4 if DISABLED else 12, phases=PHASES)
@given(which=st.sampled_from(BY_OUTPUT), values=drawn, subnets=st.sampled_from([1, 1, 2]), speed=speeds)
def test_channels_by_the_next_output_equal_reference(
    which: tuple[str, str, int], values: dict[str, Any], subnets: int, speed: float
) -> None:
    spec, routing, vcs = which
    one = {"injection_ports": 1, "ejection_ports": 1, "entry_vcs": 0, "channels_by_next_output": True}
    one |= {"subnets": subnets, "reply_flits": values["reply_flits"] if subnets == 1 else 0}
    one |= {"internal_speedup": speed, "speculation": values["speculation"] and speed == 1.0}
    assert_same_as_reference(
        build(spec), routing, vcs, _config({**values, **one, "events": True, "vcs": vcs}), CYCLES // 2
    )


@pytest.mark.parametrize("preset", ["yang2001", "jump1", "booksim"])
def test_presets_equal_reference(preset: str) -> None:
    from jumpnet.sim.config import PRESETS

    config = config_from({**PRESETS[preset], "load": 0.4, "events": True, "vcs": 2})
    assert assert_same_as_reference(build("torus:4x4"), "torus.dateline", 2, config, 2 * CYCLES) > 500


@pytest.mark.parametrize("spec, routing", [("torus:4x4", "torus.dateline"), ("mesh:3x3x3", "mesh.dimension_order")])
@pytest.mark.parametrize("packets", ["1", "5"])
def test_known_settings_change_nothing(spec: str, routing: str, packets: str) -> None:
    """Kernels compiled for the usual settings (no events among them) leave every array as the general ones do."""
    config = config_from({"load": 0.4, "packet_flits": packets, "vcs": 2})
    net = build(spec)
    plain, general = (Engine(net, routing, config.replace(events=events), sets=False) for events in (False, True))
    plain.advance(4 * CYCLES)
    general.advance(4 * CYCLES)
    assert plain.state.counter[COUNTER.ejected] > 1000 or DISABLED
    for name in set(State._fields) - {"event", "counter", "flow", "bidders"}:
        np.testing.assert_array_equal(getattr(plain.state, name), getattr(general.state, name), err_msg=name)


def test_the_twin_settles_when_a_channel_may_be_given_on() -> None:
    """With settings as they are given, `vc_reuse` "auto", both take a routing with escapes for `empty`."""
    config = config_from({"events": True, "vcs": 3, "load": 0.9, "packet_flits": "6", "buffer_flits": 3})
    net = build("torus:4x4")
    bound = bind("torus.duato", net, 3)
    engine, slow = Engine(net, bound, config), Simulation(net, bound, config)
    assert (config.vc_reuse, slow.c.vc_reuse, engine.config.vc_reuse) == ("auto", "empty", "empty")
    slow.run(CYCLES)
    engine.advance(CYCLES)
    fast = engine.events()
    fast = fast[fast[:, at.EVENT_ENTER] < CYCLES]
    np.testing.assert_array_equal(fast, np.array(sorted(slow.events), np.int64))


def _by_queues(net, here, head, out):
    """Along x, then y, on the virtual channel that STATE says."""
    d = 0 if net.coord[here, 0] != net.coord[head[DESTINATION], 0] else 1
    away = net.coord[head[DESTINATION], d] - net.coord[here, d]
    out[0] = 2 * d + (away < 0), head[STATE], head[STATE], 0
    return 0 if away == 0 else 1


def _any_used(net, head, draw, queue):
    used = 0
    for port in range(len(queue)):
        used += queue[port]
    head[STATE] = 1 if used > 0 else 0


@pytest.mark.parametrize("sees, delay, subnets", [(1, 0, 1), (2, 1, 2)])
def test_a_hook_sees_the_queues_as_they_are(sees: int, delay: int, subnets: int) -> None:
    """In cycle 0 no credit is used; in a copy of the network those of its own routers are seen."""
    settings = {"events": True, "vcs": 2, "load": 0.9, "packet_flits": "2", "seed": 1}
    config = config_from(settings | {"routing_delay_cycles": delay, "subnets": subnets})
    routing = Routing("test.by_queues", _by_queues, 2, start=_any_used, sees=lambda net: sees)
    assert assert_same_as_reference(build("mesh:2x2"), routing, 2, config, 40) > 100
