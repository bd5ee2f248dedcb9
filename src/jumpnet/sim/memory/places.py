"""What arbiters and the allocators of `router.matching` keep from cycle to cycle, and what these need in one."""

from __future__ import annotations

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD64_BITS
from jumpnet.networks import Network
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.shape import ALIKE, Shape
from jumpnet.terms import I16, NO_ROUTER

__all__ = ["MATCHINGS", "asked_numbers", "kept_places", "matches", "places_row", "require_groups", "vc_places"]

MATCHINGS = at.LONELY_OUTPUT, at.MAX_SIZE
"""Allocators of `router.matching`."""


def matches(s: Shape) -> bool:
    """Whether a run has one of these."""
    return s.allocator in MATCHINGS or s.vc_allocator in MATCHINGS


def vc_places(s: Shape) -> int:
    """Numbers of the switch in a router's row of `places`; those of virtual-channel allocation come after them."""
    if s.by_place:
        return 2 * s.switch_inputs * s.switch_outputs
    return s.switch_inputs + s.switch_outputs if s.allocator in MATCHINGS else 0


def places_row(s: Shape) -> int:
    """Numbers in a router's row of `places`."""
    if s.selection == at.BY_PLACE:
        return vc_places(s) + 2 * s.input_lanes * s.out_vcs
    return vc_places(s) + (s.input_lanes + s.out_vcs if s.vc_allocator in MATCHINGS else 0)


def kept_places(s: Shape) -> I16:
    """(R * places_row,) before anything is served: at a matrix the last goes first."""
    row = np.zeros(places_row(s), np.int16)
    for first, kept, in_turn, ones, others in (
        (0, s.by_place, s.arbiter_in_turn, s.switch_inputs, s.switch_outputs),
        (vc_places(s), s.selection == at.BY_PLACE, s.vc_arbiter_in_turn, s.input_lanes, s.out_vcs),
    ):
        if kept:
            step = 1 if in_turn else -1
            sides = np.tile(np.arange(others)[::step], ones), np.tile(np.arange(ones)[::step], others)
            row[first : first + 2 * ones * others] = np.concatenate(sides)
    return np.tile(row, s.routers)


def require_groups(net: Network, s: Shape) -> None:
    """Raise JumpnetError for trees of arbiters whose groups would not be of one size, in every router."""
    for name, groups, sides in (
        ("arbiter_groups", s.arbiter_groups, (s.switch_inputs, s.switch_outputs)),
        ("vc_arbiter_groups", s.vc_arbiter_groups, (s.input_lanes, s.out_vcs)),
    ):
        if sides[0] % groups or sides[1] % groups:
            raise JumpnetError(f"{name} {groups} found, a divisor of {sides[0]} and of {sides[1]} expected")
        there = net.neighbor != NO_ROUTER
        inputs = np.bincount(net.neighbor[there], minlength=net.routers) + net.terminals * s.injection_ports
        outputs = there.sum(axis=1) + net.sinks * s.ejection_ports
        lacks = (inputs < s.inputs).any() or (outputs < s.outputs).any()
        if groups > 1 and net.family not in ALIKE and lacks:
            raise JumpnetError(f"{name} {groups} on {net.family} found, 1 expected where routers differ in their ports")


def asked_numbers(s: Shape) -> int:
    """Numbers of `asked`: sets of outputs, what each input gets and a queue of inputs, three numbers of each output."""
    inputs, outputs = max(s.input_lanes, s.switch_inputs), max(s.out_vcs, s.switch_outputs)
    return (inputs * (2 - -outputs // WORD64_BITS) + 3 * outputs) * int(matches(s))
