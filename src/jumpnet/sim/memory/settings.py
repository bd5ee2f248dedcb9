"""What `shape.Shape` says of the settings alone, as integers."""

from __future__ import annotations

from typing import get_args

from jumpnet.sim.config.parameters import BufferPolicy, Priority, VcAllocator
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory import layout as at

__all__ = ["AT_SOURCES", "PREFERRING", "PRIORITIES", "of_settings", "switch_cycles"]

ALLOCATORS, PRIORITIES, POLICIES = get_args(VcAllocator), get_args(Priority), get_args(BufferPolicy)
SELECTIONS = ("round_robin", "first", "credits")
"""In the order of `memory.layout`, as those before."""
AT_SOURCES = ("age", "class", "sequence")
"""Priorities that count at sources too."""
PREFERRING = ("output_first", "wavefront", "rr_wavefront")
"""Allocators of virtual channels that choose among all that a head asks for, and look at what it prefers."""
AS_THEY_ARE = (
    *("classes", "subnets", "injection_ports", "ejection_ports", "seed"),
    *("arbiter_groups", "vc_arbiter_groups", "input_speedup", "output_speedup"),
)
"""Settings that `Shape` has under the same name."""


def switch_cycles(config: SimConfig) -> int:
    """Cycles of switch allocation; in batches of the last one, in which what was granted is carried out."""
    sa = config.switch_allocation_delay_cycles
    return min(sa, 1) if config.batched else sa


def of_settings(config: SimConfig, inputs: int, outputs: int) -> dict[str, int]:
    """What `Shape` says of the settings alone, for routers of so many ports."""
    va, sa, batched = config.vc_allocation_delay_cycles, switch_cycles(config), config.batched
    queues = batched and max(va, config.switch_allocation_delay_cycles, config.st_delay_cycles) > 1
    steps, cycles = config.router_steps
    by_age = config.allocator == "age"
    return {
        **{name: getattr(config, name) for name in AS_THEY_ARE},
        "sharing": POLICIES.index(config.buffer_policy),
        "own_flits": config.private_flits,
        "held_flits": config.held_flits or 1 << 20,
        "by_output": int(config.channels_by_next_output),
        "reply_flits": max([config.reply_flits, *config.exchange_lengths]),
        "reply_delay": config.reply_delay_cycles,
        "queue_limit": config.source_queue_packets,
        "batch": config.batch_cycles,
        "events": int(config.events),
        "rd": config.routing_delay_cycles,
        "va": max(va - sa, 0) if config.speculation else va,
        "sa": sa,
        "st": config.st_delay_cycles,
        "terminal_link": config.terminal_link_cycles,
        "credit": config.credit_delay_cycles,
        "speculation": int(config.speculation),
        "allocator": at.INPUT_FIRST if by_age else ALLOCATORS.index(config.allocator),
        "vc_allocator": ALLOCATORS.index(config.vc_allocator),
        "vc_iterations": config.vc_allocator_iterations,
        "iterations": config.allocator_iterations,
        "kinds": at.EXCHANGE if config.exchange_flits else at.SEVERAL if config.more_classes else 0,
        "priority": PRIORITIES.index("age" if by_age else config.priority),
        "donates": int(config.priority_donation),
        "entry_ranked": int(config.priority in AT_SOURCES),
        "diagonals": 2 * int("wavefront" in config.allocator + config.vc_allocator),
        "selection": at.BY_PLACE if config.places_kept[1] else SELECTIONS.index(config.selection),
        "by_place": int(config.places_kept[0]),
        "arbiter_in_turn": int(config.arbiter == "round_robin"),
        "vc_arbiter_in_turn": int(config.vc_arbiter == "round_robin"),
        "asks_by_channel": int(config.vc_asks_by_channel),
        "needs_credit": int(config.vc_needs_credit),
        "empty_first": int(config.vc_empty_first and config.vc_allocator in ("input_first", *PREFERRING)),
        "cut_through": int(config.flow_control == "cut_through"),
        "reuse_empty": int(config.vc_reuse == "empty"),
        "steps": steps,
        "step_cycles": cycles,
        "switch_inputs": inputs * config.input_speedup,
        "switch_outputs": outputs * config.output_speedup,
        "hold": int(config.hold_switch),
        "in_batches": int(batched),
        "sa_batch": max(1, config.switch_allocation_delay_cycles) if batched else 1,
        "output_buffer": config.output_buffer_flits,
        "has_speedup": int(config.speedup_or_hold or queues),
    }
