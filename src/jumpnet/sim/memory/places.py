"""What matrix arbiters and the allocators of `router.matching` keep from cycle to cycle, and what these need in one."""

from __future__ import annotations

import numpy as np

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.bits import WORD64_BITS
from jumpnet.sim.memory.shape import Shape
from jumpnet.terms import I16

__all__ = ["MATCHINGS", "asked_numbers", "kept_places", "matches", "places_row", "vc_places"]

MATCHINGS = at.LONELY_OUTPUT, at.MAX_SIZE
"""Allocators of `router.matching`."""


def matches(s: Shape) -> bool:
    """Whether a run has one of these."""
    return s.allocator in MATCHINGS or s.vc_allocator in MATCHINGS


def vc_places(s: Shape) -> int:
    """Numbers of the switch in a router's row of `places`; those of virtual-channel allocation come after them."""
    if s.least_recent:
        return 2 * s.switch_inputs * s.switch_outputs
    return s.switch_inputs + s.switch_outputs if s.allocator in MATCHINGS else 0


def places_row(s: Shape) -> int:
    """Numbers in a router's row of `places`."""
    if s.selection == at.LEAST_RECENT:
        return vc_places(s) + 2 * s.input_lanes * s.out_vcs
    return vc_places(s) + (s.input_lanes + s.out_vcs if s.vc_allocator in MATCHINGS else 0)


def kept_places(s: Shape) -> I16:
    """(R * places_row,) before anything is served: at matrix arbiters the last goes first."""
    row = np.zeros(places_row(s), np.int16)
    for first, in_matrix, ones, others in (
        (0, s.least_recent, s.switch_inputs, s.switch_outputs),
        (vc_places(s), s.selection == at.LEAST_RECENT, s.input_lanes, s.out_vcs),
    ):
        if in_matrix:
            sides = np.tile(np.arange(others)[::-1], ones), np.tile(np.arange(ones)[::-1], others)
            row[first : first + 2 * ones * others] = np.concatenate(sides)
    return np.tile(row, s.routers)


def asked_numbers(s: Shape) -> int:
    """Numbers of `asked`: sets of outputs, what each input gets and a queue of inputs, three numbers of each output."""
    inputs, outputs = max(s.input_lanes, s.switch_inputs), max(s.out_vcs, s.switch_outputs)
    return (inputs * (2 - -outputs // WORD64_BITS) + 3 * outputs) * int(matches(s))
