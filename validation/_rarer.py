"""What `drawn` draws from seed 3001 on besides: settings of a router that few use, and the other routing functions.

Buffers that virtual channels share, trees of arbiters, virtual channels that ask by channel first, priorities that are
given to those before, empty and full channels, all over settings that are drawn already.
"""

from __future__ import annotations

from random import Random
from typing import Any

__all__ = ["rarer"]

Settings = dict[str, Any]

FUNCTIONS = {
    "mesh": ("min_adapt", "planar_adapt", "romm", "xy_yx", "adaptive_xy_yx", "dor"),
    "torus": ("dim_order", "dim_order_bal", "min_adapt"),
    "cmesh": ("dor", "xy_yx", "dor_no_express", "xy_yx_no_express"),
    "flatfly": ("ran_min", "valiant", "ugal", "xyyx", "adaptive_xyyx", "ugal_xyyx"),
}
GIVEN = ("age", "network_age", "hop_count", "sequence")
PRIORITIES = (*GIVEN, *GIVEN, "local_age", "queue_length")
ALLOCATORS = ("wavefront", "rr_wavefront", "islip", "pim", "loa", "max_size", "select",
              "separable_input_first(matrix)", "separable_output_first(matrix)")  # fmt: skip


def _shared(rng: Random, found: Settings) -> Settings:
    vcs, each = found["num_vcs"], rng.choice((2, 3, 4, 8))
    made = {"buffer_policy": rng.choice(("shared", "limited", "dynamic", "shifting")), "vc_buf_size": each,
            "private_buf_size": rng.choice((0, 1, 1, 2)), "max_held_slots": rng.choice((-1, 3, each + 2))}  # fmt: skip
    if rng.random() < 0.4:
        made["buf_size"] = 2 * vcs + rng.randrange(vcs + 1)
    if rng.random() < 0.4:
        made["private_bufs"] = rng.choice([parts for parts in (1, 2, 3, vcs) if parts <= vcs])
    return made


def _arbiters(rng: Random, found: Settings) -> Settings:
    """Of virtual channels as many groups as a port has; of the switch of mesh, torus and cmesh one for each port."""
    name = "separable_{}_first(tree({},{}))"
    end, arbiter = rng.choice(("input", "output")), rng.choice(("round_robin", "matrix"))
    made = {"vc_allocator": name.format(end, found["num_vcs"], arbiter)}
    ports = {"mesh": 2 * found.get("n", 0) + 1, "torus": 2 * found.get("n", 0) + 1, "cmesh": 8}
    if found["topology"] in ports:
        made["sw_allocator"] = name.format(end, ports[found["topology"]], arbiter)
    return made if rng.random() < 0.5 else {"vc_allocator": made["vc_allocator"]}


def rarer(seed: int, found: Settings) -> Settings:
    """Settings that are drawn already, with some of what the others never draw."""
    rng = Random(f"rarer {seed}")
    kept = {key: value for key, value in found.items() if key not in ("buf_size", "vct", "noq", "priority")}
    if "noq" not in found and found.get("n") == 2 and rng.random() < 0.6:
        kept["routing_function"] = rng.choice(FUNCTIONS.get(found["topology"], (found["routing_function"],)))
    for key in ("vc_allocator", "sw_allocator"):
        kept |= {key: rng.choice(ALLOCATORS)} if rng.random() < 0.6 else {}
    kept |= _arbiters(rng, kept) if rng.random() < 0.35 else {}
    if rng.random() < 0.5:
        kept |= {**_shared(rng, kept), "output_speedup": 1}
    if "classes" not in kept and "use_read_write" not in kept and rng.random() < 0.5:
        kept |= {"priority": rng.choice(PRIORITIES), "vc_priority_donation": rng.choice((0, 1, 1))}
    for key in ("vc_shuffle_requests", "vc_busy_when_full", "vc_prioritize_empty"):
        kept |= {key: 1} if rng.random() < 0.35 else {}
    return kept
