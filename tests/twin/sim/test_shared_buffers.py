"""Buffers that virtual channels share: kernel and reference do the same."""

from __future__ import annotations

from typing import Any

from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.draws import draws
from tests.twin.sim.router_draws import ROUTERS
from tests.twin.sim.test_same_events import PHASES, assert_same_as_reference

from jumpnet.jit.decorator import DISABLED
from jumpnet.sim.config import config_from
from jumpnet.topology import build

NETWORKS = [
    ("torus:4", "torus.dateline", 2),
    ("mesh:3x2", "mesh.dimension_order", 3),
    ("torus:3x3", "torus.booksim", 4),
    ("hyperx:3x3", "hyperx.ugal_booksim", 2),
    ("fly:3,n=2", "fly.destination_tag", 4),
]
drawn = st.fixed_dictionaries(
    {
        **ROUTERS,
        "load": st.sampled_from([0.2, 0.5, 1.0]),
        "packet_flits": st.sampled_from(["1", "3", "1*0.5+6*0.5"]),
        "buffer_flits": st.integers(1, 4),
        "buffer_policy": st.sampled_from(["shared", "shared", "limited", "dynamic", "shifting"]),
        "port_buffer_flits": st.sampled_from([0, 5, 6, 9]),
        "private_flits": st.integers(0, 1),
        "private_parts": st.sampled_from([0, 0, 1, 2, 3]),
        "held_flits": st.sampled_from([0, 1, 3]),
        "seed": st.integers(0, 1000),
        "routing_delay_cycles": st.integers(0, 2),
        "vc_allocation_delay_cycles": st.integers(0, 2),
        "link_cycles": st.integers(1, 3),
        "credit_delay_cycles": st.integers(0, 2),
        "stage_batches": st.booleans(),
    }
)
FULL: dict[str, Any] = {
    "load": 1.0, "packet_flits": "6", "buffer_flits": 2, "buffer_policy": "shared", "port_buffer_flits": 0,
    "private_flits": 1, "private_parts": 0, "held_flits": 0, "hold_switch": False, "input_speedup": 1,
    "internal_speedup": 1.0, "speculation": False,
}  # fmt: skip


@settings(max_examples=6 if DISABLED else draws(40), phases=PHASES)
@given(which=st.sampled_from(NETWORKS), values=drawn)
@example(which=NETWORKS[1], values=FULL)
@example(which=NETWORKS[2], values={**FULL, "private_parts": 2})
@example(which=NETWORKS[1], values={**FULL, "buffer_policy": "limited", "held_flits": 3})
@example(which=NETWORKS[2], values={**FULL, "buffer_policy": "dynamic"})
@example(which=NETWORKS[2], values={**FULL, "buffer_policy": "shifting", "speculation": True, "stage_batches": True})
@example(which=NETWORKS[1], values={**FULL, "private_flits": 0})
@example(which=NETWORKS[1], values={**FULL, "private_parts": 2, "port_buffer_flits": 5})
@example(which=NETWORKS[1], values={**FULL, "buffer_policy": "dynamic", "more_classes": [{"load": 0.5}]})
def test_kernel_equals_reference(which: tuple[str, str, int], values: dict[str, Any]) -> None:
    (spec, routing, vcs), values = which, dict(values)
    if values["hold_switch"] or values["input_speedup"] > 1 or values["internal_speedup"] > 1:
        values["speculation"] = False
    if values["buffer_policy"] != "limited":
        values["held_flits"] = 0
    if 0 < values["port_buffer_flits"] < vcs * (2 if values.get("reply_flits") else 1):
        values["port_buffer_flits"] = 0
    config = config_from({**values, "events": True, "vcs": vcs})
    assert_same_as_reference(build(spec), routing, vcs, config)
