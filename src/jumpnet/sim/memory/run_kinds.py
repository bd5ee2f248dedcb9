"""Kinds of runs that kernels are compiled for, and what is a constant of the code in each.

A kind is the type of the address that a run's record lies at (`memory.record`); `Memory.kind` says which a run is of.
"""

from __future__ import annotations

from collections import namedtuple

from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.packing import Packing, lane_sets, row_places, vc_bits

PLAIN = {
    "classes": 1, "injection_ports": 1, "ejection_ports": 1, "entry_vcs": 0, "speculation": 0,
    "allocator": at.INPUT_FIRST, "iterations": 1, "selection": at.ROUND_ROBIN,
    "reply_flits": 0, "queue_limit": 0, "traced": 0, "ranked": 0, "out_vc_words": 1, "by_lists": 1, "want_words": 4,
    "delivery_rows": 0, "events": 0, "forks": 0, "has_speedup": 0, "steps": 1, "step_cycles": 1, "start_sees": 1,
    "start_revises": 0, "start_enters": 0, "vc_allocator": at.INPUT_FIRST, "vc_iterations": 1, "sweeps": 0, "kinds": 0,
    "priority": 0, "vc_ranked": 0, "entry_ranked": 0, "bubble": 0, "one_vc_at_ends": 0, "in_batches": 0, "sa_batch": 1,
    "subnets": 1, "escapes_last": 0, "by_output": 0, "finite": 0,
    "by_place": 0, "asks_by_channel": 0, "needs_credit": 0, "empty_first": 0, "matches": 0, "bids_everywhere": 0,
    "sharing": 0,
}  # fmt: skip
"""Settings that most runs share. Kernels are compiled with them as constants when a run has them all, and once more
without any such knowledge: the same source, the same results."""
OPEN_IN_SETS = (
    *("allocator", "vc_allocator", "by_lists", "in_batches"),
    *("selection", "start_sees", "start_revises", "start_enters"),
)
ALIKE_IN_SETS = {name: value for name, value in PLAIN.items() if name not in OPEN_IN_SETS}
"""Those that all runs share whose routers can be kept as sets, be it inputs or outputs that choose first, be routes
computed in batches or not, be they and output VCs chosen by queues or not."""
PLAIN_IN_SETS = {**PLAIN, "by_queues": 0}
"""Of plain runs those whose start looks at queues are of kind Sets while routers are sets."""
COMMON = {
    name: PLAIN[name]
    for name in (
        "classes", "kinds", "subnets", "reply_flits", "queue_limit", "traced", "events", "delivery_rows", "forks",
        "injection_ports", "entry_vcs", "entry_ranked", "by_output", "finite", "bubble", "sa_batch",
        "priority", "vc_ranked", "sweeps", "by_place", "asks_by_channel", "needs_credit", "empty_first", "matches",
        "bids_everywhere", "sharing",
    )
}  # fmt: skip
"""Settings that most of the other runs share. Speed-ups, speculation, most allocators and routings that look at queues
are left open, so that one code serves them all."""

# Where the record of a run lies, by what code may know of the run. First routers kept as rows, then as sets.
Plain = namedtuple("Plain", "address")
"""Of a plain run."""
Common = namedtuple("Common", "address")
"""Of a run that is not plain, but with none of what few runs have (`COMMON`)."""
General = namedtuple("General", "address")
"""Of any run, whether its packets branch or not."""
Sets = namedtuple("Sets", "address")
"""Of any run on sets, and of what makes sets of its rows and rows of its sets (`sets.conversion`): outputs may choose
first, in either allocation or both, routes be computed in batches, and they and output VCs be chosen by queues."""
SetsWide = namedtuple("SetsWide", "address")
"""The same with sets of 64 bits."""
# Of plain runs on sets with the sizes of most grids (`GRID_SIZES`), and two virtual channels a port, or eight where
# sets have 64 bits (Wide). Single: packets of one flit; Together: heads get output VCs together (`sets.vc_allocation`).
GridSinglePaired = namedtuple("GridSinglePaired", "address")
GridSingleTogether = namedtuple("GridSingleTogether", "address")
GridSingleWide = namedtuple("GridSingleWide", "address")
GridPaired = namedtuple("GridPaired", "address")
GridWide = namedtuple("GridWide", "address")


def _grid_sizes(vcs: int, single: int, together: int) -> dict[str, int]:
    """Sizes of a run on a mesh or torus of two dimensions, or another network whose routers have four links: a terminal
    at each router, one thread, and buffers, delays and batches as they are when none are said. Those that follow from
    the length of packets are left out unless these are single flits.
    """
    rows = Packing._fields[Packing._fields.index("came") : Packing._fields.index("set_rows")]
    places, lanes = row_places(8, 4, 1, 5, vcs, together), 5 * vcs
    return {
        "inputs": 5, "outputs": 5, "link_inputs": 4, "link_outputs": 4, "vcs": vcs, "class_vcs": vcs,
        "lanes": lanes, "input_lanes": lanes, "out_vcs": lanes, "link_out_vcs": 4 * vcs, "work_rows": 2 * lanes,
        "cells": -(-lanes // at.CELLS) * at.CELLS, "turn_row": 16, "buffer": 8, "lane_stride": 16,
        "rd": 1, "va": 1, "sa": 1, "st": 1, "terminal_link": 1, "credit": 0, "cut_through": 0, "reuse_empty": 0,
        "batch": 500, "lengths": 1, "start_looks": 0,
        "threads": 1, "thread": 0, "first_router": 0, "ring": 8, "flit_bits": 4, "vc_bits": vc_bits(vcs, together),
        **dict(zip(rows, places, strict=False)),
        **dict(zip(Packing._fields[-4:], lane_sets(4, 5, vcs), strict=True)),
        **({"left_bits": 1, "set_rows": places[-1]} if single else {}),
    }  # fmt: skip


GRIDS = {
    (0, 0, 0): GridPaired,
    (0, 1, 0): GridSinglePaired,
    (0, 1, 1): GridSingleTogether,
    (1, 0, 0): GridWide,
    (1, 1, 0): GridSingleWide,
}
"""Kinds of runs with such sizes, by what `packing.Packing` says of them: wide, single, together. Code that knows its
sizes takes a tenth less time."""
GRID_SIZES = {
    grid: {"wide": wide, "single": single, "together": together, **_grid_sizes(vcs, single, together)}
    for (wide, single, together), grid in GRIDS.items()
    for vcs in (8 if wide else 2,)
}

RUNS = {
    Plain: {**PLAIN_IN_SETS, "wide": 0, "single": 0, "together": 0, "packed": 0},
    Common: {**COMMON, "packed": 0},
    General: {"packed": 0},
    Sets: {**ALIKE_IN_SETS, "wide": 0, "packed": 1},
    SetsWide: {**ALIKE_IN_SETS, "wide": 1, "packed": 1},
    **{grid: {**PLAIN_IN_SETS, **sizes, "packed": 1} for grid, sizes in GRID_SIZES.items()},
}
"""What is a constant of the code for each kind of run."""
