"""Wavefront and random allocators, and iterations of virtual-channel allocation: kernel and reference do the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.draws import draws
from tests.twin.sim.test_same_events import PHASES, assert_same_as_reference

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.topology import build

NETWORKS = [
    ("torus:4", "torus.dateline", 2),
    ("torus:3x3", "torus.booksim", 4),
    ("torus:4x4", "torus.duato", 3),
    ("mesh:3x2", "mesh.dimension_order", 2),
    ("hyperx:3x3", "hyperx.adaptive", 3),
    ("fattree:2,n=3", "fattree.nca:up=random", 2),
    ("fly:3,n=2", "fly.destination_tag", 2),
    ("mesh:3x3", "mesh.min_adapt_booksim:asks=beside", 3),
    ("torus:4x3", "torus.min_adapt_booksim:asks=beside", 4),
]
ONCE = ("input_first", "wavefront", "rr_wavefront")

drawn = st.fixed_dictionaries(
    {
        "load": st.sampled_from([0.2, 0.5, 1.0]),
        "packet_flits": st.sampled_from(["1", "3", "1*0.5+6*0.5"]),
        "buffer_flits": st.integers(2, 9),
        "seed": st.integers(0, 1000),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "allocator": st.sampled_from(["pim", "wavefront", "rr_wavefront", "islip"]),
        "vc_allocator": st.sampled_from(["pim", "wavefront", "rr_wavefront", "output_first", "input_first"]),
        "allocator_iterations": st.integers(1, 3),
        "vc_allocator_iterations": st.integers(1, 3),
        "selection": st.sampled_from(["round_robin", "first", "credits"]),
        "injection_ports": st.integers(1, 2),
        "reply_flits": st.sampled_from([0, 2]),
        "input_speedup": st.sampled_from([1, 2]),
        "internal_speedup": st.sampled_from([1.0, 1.0, 2.0]),
        "hold_switch": st.booleans(),
        "speculation": st.booleans(),
    }
)


SEVERAL = {"buffer_flits": 4, "allocator": "islip", "allocator_iterations": 3, "vc_allocator_iterations": 3,
           "selection": "first", "internal_speedup": 1.0, "input_speedup": 1, "hold_switch": False,
           "speculation": False}  # fmt: skip
"""Several iterations, of which the first alone moves the turns."""
SPECULATES = {**SEVERAL, "allocator_iterations": 1, "vc_allocator_iterations": 1, "speculation": True}
"""Bids of speculation are behind others of their input for the same output only."""


@settings(max_examples=8 if DISABLED else draws(60), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn)
@example(which=NETWORKS[4], values={**SEVERAL, "packet_flits": "1", "load": 1.0, "vc_allocator": "output_first"})
@example(which=NETWORKS[7], values={**SEVERAL, "packet_flits": "1", "load": 1.0, "vc_allocator": "output_first"})
@example(which=NETWORKS[8], values={**SEVERAL, "packet_flits": "3", "load": 1.0, "vc_allocator": "rr_wavefront"})
@example(which=NETWORKS[4], values={**SEVERAL, "packet_flits": "3", "load": 0.5, "vc_allocator": "input_first"})
@example(which=NETWORKS[0], values={**SPECULATES, "packet_flits": "1", "load": 1.0, "vc_allocator": "output_first"})
@example(which=NETWORKS[4], values={**SPECULATES, "packet_flits": "3", "load": 0.5, "vc_allocator": "input_first"})
def test_kernel_equals_reference(which: tuple[str, str, int], values: dict[str, Any]) -> None:
    (spec, routing, vcs), values = which, dict(values)
    allocators = (values["allocator"], values["vc_allocator"])
    for key, allocator in zip(("allocator_iterations", "vc_allocator_iterations"), allocators, strict=True):
        if allocator in ONCE or (key == "allocator_iterations" and values["speculation"]):
            values[key] = 1
    config_of = {**values, "events": True, "vcs": vcs}
    if "pim" in allocators or values["hold_switch"] or values["input_speedup"] > 1 or values["internal_speedup"] > 1:
        config_of["speculation"] = False
    assert_same_as_reference(build(spec), routing, vcs, config_from(config_of))


@pytest.mark.parametrize("allocator", ["input_first", "output_first", "islip"])
def test_grants_of_later_iterations_move_turns_or_not(allocator: str) -> None:
    """On a network where later iterations grant something; on `NETWORKS` they hardly do."""
    values = {"load": 1.0, "packet_flits": "1", "buffer_flits": 4, "allocator": allocator, "allocator_iterations": 3}
    assert_same_as_reference(
        build("mesh:4x4"), "mesh.dimension_order", 4, config_from({**values, "events": True, "vcs": 4})
    )
