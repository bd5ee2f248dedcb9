"""Sizes of a run that follow from its settings alone: steps and switch, start hook, epoch; for `shape.shape_of`."""

from __future__ import annotations

import numpy as np

from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory import layout as at
from jumpnet.terms import NO_ROUTER

__all__ = ["ALIKE", "LONGEST_EPOCH", "lookahead", "stage_sizes", "start_sizes", "switch_sizes"]

ALLOCATORS = {
    "input_first": at.INPUT_FIRST,
    "output_first": at.OUTPUT_FIRST,
    "islip": at.ISLIP,
    "age": at.INPUT_FIRST,
    "pim": at.PIM,
    "wavefront": at.WAVEFRONT,
    "rr_wavefront": at.RR_WAVEFRONT,
}
PRIORITIES = {"none": 0, "age": at.BY_AGE, "class": at.BY_CLASS}
SELECTIONS = {"round_robin": at.ROUND_ROBIN, "first": at.FIRST, "credits": at.CREDITS}
ALIKE = ("mesh", "cmesh")
"""Families whose routers are alike: those at the edge have ports without a link, as in BookSim 2."""
LONGEST_EPOCH = 4
"""Longer epochs save little more, and need room for more packets."""


def _switch_cycles(config: SimConfig) -> int:
    """Cycles of switch allocation; in batches of the last one, in which what was granted is carried out."""
    sa = config.switch_allocation_delay_cycles
    return min(sa, 1) if config.batched else sa


def stage_sizes(config: SimConfig) -> dict[str, int]:
    """What `Shape` says of the stages of a router: their cycles, and how they choose."""
    va, sa = config.vc_allocation_delay_cycles, _switch_cycles(config)
    return {
        "rd": config.routing_delay_cycles,
        "va": max(va - sa, 0) if config.speculation else va,
        "sa": sa,
        "st": config.st_delay_cycles,
        "terminal_link": config.terminal_link_cycles,
        "credit": config.credit_delay_cycles,
        "speculation": int(config.speculation),
        "allocator": ALLOCATORS[config.allocator],
        "seed": config.seed,
        "vc_allocator": ALLOCATORS[config.vc_allocator],
        "vc_iterations": config.vc_allocator_iterations,
        "iterations": config.allocator_iterations,
        "kinds": at.EXCHANGE if config.exchange_flits else at.SEVERAL if config.more_classes else 0,
        "priority": PRIORITIES["age" if config.allocator == "age" else config.priority],
        "entry_ranked": int(config.priority != "none"),
        "diagonals": 2 * int("wavefront" in config.allocator + config.vc_allocator),
        "selection": SELECTIONS[config.selection],
        "cut_through": int(config.flow_control == "cut_through"),
        "reuse_empty": int(config.vc_reuse == "empty"),
    }


def switch_sizes(config: SimConfig, inputs: int, outputs: int) -> dict[str, int]:
    """What `Shape` says of speed-ups and held connections."""
    steps, cycles = config.router_steps
    return {
        "steps": steps,
        "step_cycles": cycles,
        "input_speedup": config.input_speedup,
        "output_speedup": config.output_speedup,
        "switch_inputs": inputs * config.input_speedup,
        "switch_outputs": outputs * config.output_speedup,
        "hold": int(config.hold_switch),
        "in_batches": int(config.batched),
        "sa_batch": config.switch_allocation_delay_cycles if config.batched else 1,
        "output_buffer": config.output_buffer_flits,
        "has_speedup": int(config.speedup_or_hold or config.batched),
        "wires": inputs + outputs,
    }


def lookahead(net: Network, config: SimConfig) -> int:
    """Cycles in which no router sees what another one, or a source, does: the least of all delays, up to a limit."""
    there = net.neighbor != NO_ROUTER
    links = net.latency[there] if net.latency is not None and there.any() else np.array([config.link_cycles])
    shortest, end = int(links.min()), config.terminal_link_cycles
    sa, st, credit = _switch_cycles(config), config.st_delay_cycles, config.credit_delay_cycles
    if config.internal_speedup > 1.0:  # several stages may fit a cycle, whose last step is that of the link
        sa, st = 0, 1
    flits = min(sa + st + shortest, sa + st + end, 1 + end)
    credits = min(sa + shortest + credit, sa + end)
    return max(1, min(flits, credits, LONGEST_EPOCH))


def start_sizes(routing: BoundRouting, routing_delay: int) -> dict[str, int]:
    """What `Shape` says of a routing's start hook, where routes take so many cycles: none means a hop ahead."""
    start = routing.routing.start
    looks = start is not None and len(fields_read(start, 3)) > 0
    sees = routing.routing.sees(routing.network) if looks else 1
    revises = looks and routing.routing.revises
    return {
        "start_draws": routing.draws,
        "has_start": int(start is not None),
        "start_looks": int(looks),
        "start_sees": sees,
        "start_revises": int(revises),
        "start_enters": int(looks and sees == 1 and not revises and routing_delay == 0),
    }
