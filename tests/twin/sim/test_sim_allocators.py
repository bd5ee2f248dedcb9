"""Allocators, arbiters, and who goes first in them: kernel and reference do the same."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.draws import draws
from tests.twin.sim.router_draws import ROUTERS
from tests.twin.sim.test_same_events import PHASES, assert_same_as_reference

from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.sim.config.parameters import BROUGHT, Allocator, VcAllocator
from jumpnet.sim.engine import Engine
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
    ("torus:4x4", "torus.min_adapt_booksim", 4),
]
ONCE = ("input_first", "lonely_output", "max_size", "wavefront", "rr_wavefront")
SEPARABLE = ("input_first", "output_first", "age")

drawn = st.fixed_dictionaries(
    {
        **ROUTERS,
        "load": st.sampled_from([0.2, 0.5, 1.0]),
        "packet_flits": st.sampled_from(["1", "3", "1*0.5+6*0.5"]),
        "buffer_flits": st.integers(2, 9),
        "seed": st.integers(0, 1000),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "allocator": st.sampled_from(get_args(Allocator)),
        "vc_allocator": st.sampled_from(get_args(VcAllocator)),
        "arbiter": st.sampled_from(["round_robin", "matrix"]),
        "vc_arbiter": st.sampled_from(["round_robin", "matrix"]),
        "arbiter_groups": st.sampled_from([1, 1, 2, 5]),
        "vc_arbiter_groups": st.sampled_from([1, 1, 2, 5]),
        "vc_asks_by_channel": st.booleans(),
        "priority": st.sampled_from(
            ["none", "age", "sequence", "network_age", "local_age", "hop_count", "queue_length"]
        ),
        "priority_donation": st.booleans(),
        "allocator_iterations": st.integers(1, 3),
        "vc_allocator_iterations": st.integers(1, 3),
        "selection": st.sampled_from(["round_robin", "first", "credits"]),
    }
)


SEVERAL = {"buffer_flits": 4, "allocator": "islip", "allocator_iterations": 3, "vc_allocator_iterations": 3,
           "selection": "first", "internal_speedup": 1.0, "input_speedup": 1, "hold_switch": False,
           "speculation": False}  # fmt: skip
"""Several iterations, of which the first alone moves the turns."""
SPECULATES = {**SEVERAL, "vc_allocator_iterations": 1, "speculation": True}
"""Bids of speculation are behind others of their input for the same output only."""
ONE_SLOT = {**SPECULATES, "stage_batches": True, "buffer_flits": 1, "packet_flits": "1", "load": 1.0,
            "vc_allocator": "input_first", "allocator_iterations": 1}  # fmt: skip
"""A head may get an output VC without a credit while others have one."""
AT_BOTH = {**SEVERAL, "packet_flits": "3", "load": 0.9, "allocator_iterations": 1, "vc_allocator_iterations": 1}
"""For an allocator, or arbiters, of both."""
GOES_EITHER_WAY = {**AT_BOTH, "packet_flits": "1", "speculation": True, "allocator": "input_first",
                   "vc_allocator": "output_first", "load": 1.0}  # fmt: skip
"""Heads bid at two outputs."""
TREES = {**AT_BOTH, "allocator": "input_first", "vc_allocator": "input_first", "selection": "round_robin",
         "arbiter_groups": 5, "vc_arbiter_groups": 5, "load": 1.0}  # fmt: skip
DONATES = {**AT_BOTH, "allocator": "wavefront", "vc_allocator": "input_first", "load": 1.0, "buffer_flits": 9,
           "priority_donation": True}  # fmt: skip
BY_CHANNEL = {**AT_BOTH, "vc_asks_by_channel": True, "load": 1.0}


@settings(max_examples=8 if DISABLED else draws(60), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn)
@example(which=NETWORKS[4], values={**SEVERAL, "packet_flits": "1", "load": 1.0, "vc_allocator": "output_first"})
@example(which=NETWORKS[7], values={**SEVERAL, "packet_flits": "1", "load": 1.0, "vc_allocator": "output_first"})
@example(which=NETWORKS[8], values={**SEVERAL, "packet_flits": "3", "load": 1.0, "vc_allocator": "rr_wavefront"})
@example(which=NETWORKS[4], values={**SEVERAL, "packet_flits": "3", "load": 0.5, "vc_allocator": "input_first"})
@example(which=NETWORKS[4], values={**SEVERAL, "packet_flits": "1", "load": 1.0, "vc_allocator": "pim"})
@example(which=NETWORKS[0], values={**SPECULATES, "packet_flits": "1", "load": 1.0, "vc_allocator": "output_first"})
@example(which=NETWORKS[4], values={**SPECULATES, "packet_flits": "3", "load": 0.5, "vc_allocator": "input_first"})
@example(which=NETWORKS[0], values=ONE_SLOT)
@example(which=NETWORKS[4], values=ONE_SLOT)
@example(which=NETWORKS[1], values={**AT_BOTH, "allocator": "lonely_output", "vc_allocator": "lonely_output"})
@example(which=NETWORKS[5], values={**AT_BOTH, "allocator": "max_size", "vc_allocator": "max_size"})
@example(
    which=NETWORKS[1],
    values={**AT_BOTH, "vc_allocator": "output_first", "vc_arbiter": "matrix", "selection": "round_robin"},
)
@example(
    which=NETWORKS[3],
    values={**AT_BOTH, "allocator": "input_first", "vc_allocator": "input_first", "arbiter": "matrix"},
)
@example(which=NETWORKS[1], values={**TREES, "vc_allocator": "output_first"})
@example(
    which=NETWORKS[1],
    values={**TREES, "vc_arbiter": "matrix", "input_speedup": 2, "output_speedup": 2, "arbiter_groups": 2},
)
@example(which=NETWORKS[1], values={**TREES, "arbiter": "matrix", "output_speedup": 2, "vc_asks_by_channel": True})
@example(which=NETWORKS[3], values={**DONATES, "priority": "hop_count"})
@example(which=NETWORKS[3], values={**DONATES, "priority": "network_age"})
@example(which=NETWORKS[0], values={**DONATES, "priority": "age", "packet_flits": "1"})
@example(which=NETWORKS[5], values={**BY_CHANNEL, "vc_allocator": "max_size"})
@example(which=NETWORKS[5], values={**BY_CHANNEL, "vc_allocator": "wavefront"})
@example(which=NETWORKS[3], values={**BY_CHANNEL, "vc_allocator": "input_first", "selection": "round_robin"})
@example(which=NETWORKS[6], values={**BY_CHANNEL, "vc_allocator": "pim"})
@example(which=NETWORKS[8], values=GOES_EITHER_WAY)
@example(which=NETWORKS[9], values={**GOES_EITHER_WAY, "vc_allocator": "input_first", "vc_needs_credit": True})
def test_kernel_equals_reference(which: tuple[str, str, int], values: dict[str, Any]) -> None:
    (spec, routing, vcs), values = which, dict(values)
    if values["hold_switch"] or values["input_speedup"] > 1 or values["internal_speedup"] > 1:
        values["speculation"] = False
    for key in ("allocator", "vc_allocator"):
        arbiter, iterations = key.replace("allocator", "arbiter"), f"{key}_iterations"
        only_one = key == "allocator" and values["speculation"] and values[key] not in ("islip", "pim")
        if values[key] in ONCE[1:] or (values[key] == "input_first" and key == "vc_allocator") or only_one:
            values[iterations] = 1
        if values[key] not in SEPARABLE or values[iterations] > 1:
            values |= {arbiter: "round_robin", f"{arbiter}_groups": 1}
    if values.get("vc_arbiter") == "matrix" or values.get("vc_arbiter_groups", 1) > 1 or values.get("vc_empty_first"):
        values["selection"] = "round_robin"
    if values.get("priority", "none") not in BROUGHT:
        values["priority_donation"] = False
    if values.get("reply_flits") and values.get("priority") == "sequence":
        values["priority"] = "hop_count"
    config = config_from({**values, "events": True, "vcs": vcs})
    try:
        Engine(build(spec), routing, config)
    except JumpnetError as error:
        assert "arbiter_groups" in str(error)  # which do not divide what asks there
        config = config.replace(arbiter_groups=1, vc_arbiter_groups=1)
    assert_same_as_reference(build(spec), routing, vcs, config)


@pytest.mark.parametrize("allocator", ["input_first", "output_first", "islip"])
def test_grants_of_later_iterations_move_turns_or_not(allocator: str) -> None:
    """On a network where later iterations grant something; on `NETWORKS` they hardly do."""
    values = {"load": 1.0, "packet_flits": "1", "buffer_flits": 4, "allocator": allocator, "allocator_iterations": 3}
    assert_same_as_reference(
        build("mesh:4x4"), "mesh.dimension_order", 4, config_from({**values, "events": True, "vcs": 4})
    )
