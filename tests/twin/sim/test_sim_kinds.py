"""Reads and writes in one queue, several classes, and priorities: kernel and reference do the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.draws import draws
from tests.twin.sim.test_same_events import PHASES, assert_same_as_reference

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.engine import Engine
from jumpnet.topology import build

NETWORKS = [
    ("torus:4", "torus.dateline", 2),
    ("torus:3x3", "torus.booksim", 2),
    ("torus:4x4", "torus.valiant", 4),
    ("torus:4x4", "torus.ugal", 4),
    ("mesh:3x2", "mesh.dimension_order", 3),
    ("dragonfly:1", "dragonfly.ugal", 3),
]

KINDS: list[dict[str, Any]] = [
    {"packet_flits": "1*0.6+4*0.4", "exchange_flits": "5,2", "exchange_vcs": "0,1,2,4", "port_vcs": 8},
    {"packet_flits": "2", "exchange_flits": "1", "exchange_vcs": "0,0", "port_vcs": 4, "reply_delay_cycles": 2},
    {"more_classes": [{"load": 0.3, "packet_flits": "3", "priority": 2}]},
    {
        "more_classes": [{"load": 0.3, "packet_flits": "3", "priority": 2}, {"load": 0.1}],
        "class_channels": "own",
        "entry_vcs": 1,
    },
    {
        "more_classes": [
            {"load": 0.2, "packet_flits": "1*0.5+4*0.5", "traffic": "random_permutation", "priority": 1},
            {"load": 0.1, "packet_flits": "1", "injection": "onoff:alpha=0.2,beta=0.3,r1=-1", "priority": 1},
        ]
    },
]

drawn = st.fixed_dictionaries(
    {
        "load": st.sampled_from([0.1, 0.3, 0.6]),
        "buffer_flits": st.integers(2, 9),
        "seed": st.integers(0, 1000),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "allocator": st.sampled_from(["input_first", "output_first", "islip", "pim", "wavefront", "rr_wavefront"]),
        "vc_allocator": st.sampled_from(["input_first", "output_first", "islip", "pim", "wavefront"]),
        "selection": st.sampled_from(["round_robin", "first"]),
        "vc_reuse": st.sampled_from(["auto", "tail", "empty"]),
        "internal_speedup": st.sampled_from([1.0, 1.0, 2.0]),
        "hold_switch": st.booleans(),
        "priority": st.sampled_from(["none", "age", "class"]),
    }
)


@settings(max_examples=12 if DISABLED else draws(80), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), kinds=st.sampled_from(KINDS), values=drawn)
def test_kernel_equals_reference(which: tuple[str, str, int], kinds: dict[str, Any], values: dict[str, Any]) -> None:
    spec, routing, vcs = which
    if "more_classes" not in kinds and values["priority"] == "class":
        values["priority"] = "none"
    if "exchange_vcs" in kinds:
        starts = [int(word) for word in kinds["exchange_vcs"].split(",")]
        kinds = {**kinds, "port_vcs": max(starts) + vcs}
    config = config_from({"packet_flits": "2", **values, **kinds, "events": True, "vcs": vcs})
    assert_same_as_reference(build(spec), routing, vcs, config)


@pytest.mark.skipif(DISABLED, reason="plain Python has one thread")
def test_reads_and_writes_are_the_same_by_two_threads() -> None:
    config = config_from({**KINDS[0], "load": 0.2, "vcs": 2, "port_vcs": 6})
    runs = [Engine(build("torus:16x16"), "torus.booksim", config, threads=n) for n in (1, 2)]
    for run in runs:
        run.advance(600)
    assert runs[0].state.counter.sum() > 0
    assert (runs[0].state.histogram == runs[1].state.histogram).all()
