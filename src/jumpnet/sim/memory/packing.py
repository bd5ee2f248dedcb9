"""Whether a run's routers can be kept as bit sets, and where the sets lie then (see `sets.pipeline`).

They can in runs with the settings of `run_kinds.ALIKE_IN_SETS` whose routers have few enough lanes, and short delays:
most runs of most networks.
"""

from __future__ import annotations

from itertools import accumulate
from typing import NamedTuple

from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, IN_PORT, STATE
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import OUT_VC_ROW
from jumpnet.sim.memory.shape import Shape
from jumpnet.terms import I32, I64

__all__ = [
    "MOST_PLACES", "NOT_PACKED", "Packing",
    "lane_sets", "packing_in", "packing_of", "route_numbers", "row_places", "set_numbers", "shared_out", "vc_bits",
]  # fmt: skip

MOST_ROUTERS = 10_000
"""At 16,384, where memory is what a run waits for, it does not pay (decision 0040)."""
NARROW_LANES = 31
"""Members of a set in an int32; with more lanes, up to `layout.WORD_LANES`, sets are int64."""
MOST_ROUTES = 1 << 20
"""Numbers of the longest table of kept routes: 256 routers, or 114 with five ports that the relation distinguishes."""
TOGETHER_OUT_VCS = 16
"""Most output VCs of a router where heads get theirs together: what is done for each of them, for all heads at once, is
more than it saves where there are many, and where no near cache holds the sets (4096 routers)."""
LONGEST_RING = 32
MOST_SLOTS = 255
MOST_FLITS = (1 << 16) - 1
MOST_PLACES = 1 << 31 - at.NOTE_PLACE_SHIFT
"""Numbers of `sets` that a note can name."""


class Packing(NamedTuple):
    """Sizes of the sets, and the rows of `sets` at which each kind begins (after those of `memory.layout`)."""

    wide: int
    """1 when sets have 64 bits, 0 when they have 32."""
    single: int
    """1 when every packet is one flit: what holds an output VC then has one flit left, which is head and tail."""
    together: int
    """1 when the heads of sixteen routers get their output VCs together (`sets.vc_allocation`)."""
    ring: int
    """Cycles that notes may lie ahead, a power of two; 0 when the run cannot be packed."""
    flit_bits: int
    """Binary digits of a count of flits in a lane, or of credits."""
    left_bits: int
    """Binary digits of the length of a packet."""
    vc_bits: int
    """Binary digits of the number of a virtual channel; 0 where heads get output VCs together."""
    came: int
    """Ring of sets: lanes that get a flit in a cycle."""
    credited: int
    """Ring of sets: output VCs that get a credit back."""
    looks: int
    """Ring of sets: lanes whose head must be looked at."""
    nowhere: int
    """Ring of sets that is never read."""
    flits: int
    """Digits, lowest first, of the flits in each lane; likewise the next one."""
    credits: int
    holder: int
    """For each output VC the lane that sends through it, or none; rows where heads get output VCs together alone."""
    vc_digits: int
    """In other runs digits, lowest first, of the virtual channel in its output port that each lane sends through."""
    asks: int
    """For each output port the lanes that send through any of its output VCs."""
    above: int
    """For each output port the lanes that come before others now."""
    turn_output: int
    """For each output port the lanes of the input ports at which it comes before others, or is itself in turn."""
    turn_vc: int
    """Lanes that come before others of their input port; none of a port where they begin with the first."""
    heads: int
    """Rows of `memory.layout` for heads that get output VCs together; without these no rows, nor of the next four."""
    wanted: int
    """For each output VC the lanes whose head waits and wants it."""
    escapes: int
    """The same of escapes."""
    turn_lane: int
    """For each output VC the lanes for which it is the one in turn, or after that."""
    above_vc: int
    """For each output VC the lanes that come before others now."""
    at_routing: int
    """Lanes whose routes are being computed, where that goes by batches; without these no row."""
    left: int
    """Digits of the flits that the packet which holds an output VC has left, by lane; last, so that all other rows lie
    at the same places whatever the length of packets."""
    set_rows: int
    """Rows of sets of sixteen routers."""
    winners: int
    """Place after all rows: for each output port the lane that wins it, in 64 routers; then as `memory.layout` says."""
    entry_lanes: int
    """Set of the lanes that terminals send to."""
    first_lanes: int
    """Set of the first lane of each input port."""
    last_lanes: int
    """Set of the last ones."""
    other_lanes: int
    """Set of all but the last ones."""


NOT_PACKED = Packing(*[0] * len(Packing._fields))


def _few(s: Shape) -> bool:
    """Whether routers and lanes are few enough."""
    return s.routers <= MOST_ROUTERS and max(s.lanes, s.out_vcs) <= at.WORD_LANES


def _wide(s: Shape) -> int:
    """Whether sets need 64 bits."""
    return int(max(s.lanes, s.out_vcs) > NARROW_LANES)


def vc_bits(vcs: int, together: int) -> int:
    """The size of the same name of a `Packing`."""
    return 0 if together else (vcs - 1).bit_length()


def row_places(
    ring: int, flit_bits: int, left_bits: int, outputs: int, vcs: int, together: int, in_batches: int = 0
) -> list[int]:
    """The rows at which each kind of sets begins: `came` to `set_rows` of a `Packing`."""
    out_vcs = outputs * vcs
    heads = at.HEAD_ROWS * together, *[out_vcs * together] * 4
    sizes = (*[ring] * 4, flit_bits, flit_bits, out_vcs * together, vc_bits(vcs, together), *[outputs] * 3, 1)
    sizes = (*sizes, *heads, in_batches, left_bits)
    return list(accumulate(sizes, initial=at.SET_ROWS))


def lane_sets(link_inputs: int, inputs: int, vcs: int) -> tuple[int, int, int, int]:
    """The sets of lanes of a `Packing`, `entry_lanes` to `other_lanes`."""
    every, first_lanes = (1 << inputs * vcs) - 1, sum(1 << p * vcs for p in range(inputs))
    last_lanes = first_lanes << vcs - 1
    return every + 1 - (1 << link_inputs * vcs), first_lanes, last_lanes, every - last_lanes


def packing_in(s: Shape, out_vc: I32, length: I64, kept: int) -> Packing:
    """`packing_of` by arrays of `State`."""
    delay = out_vc.reshape(-1, at.OUT_VC_FIELDS)[:, OUT_VC_ROW.delay]
    return packing_of(s, int(delay.max(initial=0)) - s.sa - s.st, int(length.max()), kept)


def packing_of(s: Shape, farthest: int, longest: int, kept: int) -> Packing:
    """How the routers of a run are packed, `NOT_PACKED` when they cannot be.

    farthest: cycles of the slowest link; longest: flits of the longest packet; kept: the length of the table of routes
    that are kept.
    """
    terminal = s.sa + s.st + s.terminal_link + 1 + s.terminal_link + s.credit
    ring = 1 << (max(s.sa + farthest + max(s.st, s.credit), terminal, s.rd, s.va) + s.lookahead - 1).bit_length()
    short = s.buffer <= MOST_SLOTS and longest <= MOST_FLITS and ring <= LONGEST_RING
    if not (_few(s) and short) or s.most_branches or s.sa > 1 or s.has_speedup:
        return NOT_PACKED
    flit_bits, left_bits = s.buffer.bit_length(), longest.bit_length()
    by_turn = s.selection == at.ROUND_ROBIN and not s.start_looks
    plain = max(s.allocator, s.vc_allocator) == at.INPUT_FIRST and by_turn and not s.in_batches
    paired = s.vcs == 2 and s.out_vcs <= TOGETHER_OUT_VCS and not _wide(s)
    together = int(longest == 1 and kept > 0 and paired and plain)
    places = row_places(ring, flit_bits, left_bits, s.outputs, s.vcs, together, s.in_batches)
    winners = -(-s.routers // 16) * 16 * places[-1]
    if winners >= MOST_PLACES:
        return NOT_PACKED
    sizes = _wide(s), int(longest == 1), together, ring, flit_bits, left_bits, vc_bits(s.vcs, together)
    return Packing._make((*sizes, *places, winners, *lane_sets(s.link_inputs, s.inputs, s.vcs)))


def _work_numbers(s: Shape) -> int:
    """Numbers of `sets` in which a thread works on 64 routers."""
    return 64 * (s.outputs + at.WORK_SETS + 2 * min(s.out_vcs, TOGETHER_OUT_VCS))


def set_numbers(s: Shape, packing: Packing, outbox_numbers: int = 0, threads: int = 1) -> int:
    """Length of `sets`."""
    return packing.winners + outbox_numbers + threads * _work_numbers(s) if packing.ring else 0


def shared_out(s: Shape, packing: Packing, outbox_numbers: int, thread: int) -> Packing:
    """The packing as a thread of a team has it: its own place to work, after all sets and the rings between threads."""
    return packing._replace(winners=packing.winners + outbox_numbers + thread * _work_numbers(s))


def route_numbers(s: Shape, routing: BoundRouting) -> int:
    """Length of the table of kept routes: none in large networks, or where the relation reads more than that has.

    By destination and state, and by input port where the relation reads it; all ports of terminals are as one.
    """
    read = routing.fields
    numbers = at.STATE_SLOTS * s.routers**2 * (1 + s.link_inputs * (IN_PORT in read))
    return numbers if numbers <= MOST_ROUTES and read <= {DESTINATION, STATE, IN_PORT} else 0
