"""What `drawn` draws from seed 2001 on: `min_adapt` and `valiant` on meshes and tori, over the settings of a grid.

The four take turns. Of each setting all values come equally often, in an order of its own: a grid of all of them would
have some ten million points.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

__all__ = ["of_grid"]

Settings = dict[str, Any]

KINDS: tuple[Settings, ...] = (
    {"topology": "mesh", "routing_function": "min_adapt"},
    {"topology": "torus", "routing_function": "min_adapt"},
    {"topology": "mesh", "routing_function": "valiant"},
    {"topology": "torus", "routing_function": "valiant"},
)
SIDES = {
    "mesh": ((4, 2), (8, 2), (3, 3), (5, 2), (16, 1), (2, 4)),
    "torus": ((4, 2), (8, 2), (3, 3), (5, 2), (16, 1), (4, 3)),
}
CHANNELS = {
    ("mesh", "min_adapt"): (2, 3, 4, 5, 8),
    ("torus", "min_adapt"): (2, 4, 5, 6, 8),
    ("mesh", "valiant"): (2, 4, 6, 8),
    ("torus", "valiant"): (4, 5, 6, 7, 8),
}
ALLOCATORS = ("separable_input_first", "separable_output_first", "islip", "pim", "select", "wavefront", "rr_wavefront")
THAT_RUN = {"min_adapt": ("separable_input_first", "islip", "pim"), "valiant": ALLOCATORS}
"""Allocators of virtual channels with which the function is no other than BookSim's."""
ANY: dict[str, tuple[Any, ...]] = {
    "packet_size": (1, 5, 16),
    "vc_buf_size": (2, 4, 8, 16),
    "wait_for_tail_credit": (0, 1),
    "routing_delay": (1, 0, 2),
    "credit_delay": (0, 2),
    "sw_allocator": ALLOCATORS,
    "traffic": ("uniform", "tornado", "neighbor", "uniform", "randperm", "diagonal", "asymmetric"),
}


def _in_turn(name: str, values: Sequence[Any], place: int) -> Any:
    """One of the values: each comes once in every so many places, in an order that changes.

    >>> sorted(_in_turn("x", "abc", place) for place in range(3, 6))
    ['a', 'b', 'c']
    """
    several, which = divmod(place, len(values))
    return Random(f"{name} {several}").sample(list(values), len(values))[which]


def of_grid(number: int) -> Settings:
    """The settings of a point.

    >>> [of_grid(n)["routing_function"] for n in range(4)]
    ['min_adapt', 'min_adapt', 'valiant', 'valiant']
    """
    place, kind = divmod(number, len(KINDS))
    found = dict(KINDS[kind])
    topology, function = found["topology"], found["routing_function"]
    values = {
        "sides": SIDES[topology],
        "num_vcs": CHANNELS[topology, function],
        "vc_allocator": THAT_RUN[function],
        **ANY,
    }
    found |= {key: _in_turn(f"{topology} {function} {key}", several, place) for key, several in values.items()}
    k, n = found.pop("sides")
    usual = {"use_noc_latency": 0, "injection_rate_uses_flits": 1, "latency_thres": 1e9}
    return {**found, "k": k, "n": n, **usual}
