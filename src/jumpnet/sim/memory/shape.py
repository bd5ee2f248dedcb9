"""Sizes and settings of a run as integers (`Shape`), and how long the rows of its memory are that follow from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD64_BITS
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.settings import PREFERRING, of_settings, switch_cycles
from jumpnet.sim.memory.state import MulticastState
from jumpnet.terms import NO_ROUTER, Array

__all__ = [
    "ALIKE", "LONGEST_EPOCH", "NO_BRANCHES", "Branching", "Shape", "few_channels", "lane_sizes",
    "latencies", "shape_of", "start_sizes",
]  # fmt: skip


ALIKE = ("mesh", "cmesh")
"""Families whose routers are alike: those at the edge have ports without a link, as in BookSim 2."""
LONGEST_EPOCH = 4
"""Longer epochs save little more, and need room for more packets."""


class Shape(NamedTuple):
    """Sizes and settings of a run, integers all. Ports of terminals come after the ports of links."""

    routers: int
    terminals: int
    link_inputs: int
    """Input ports of a router that links may use."""
    link_outputs: int
    """Output ports of a router that links may use."""
    inputs: int
    """Input ports, with those of terminals and, where packets branch, that of the combining unit."""
    outputs: int
    """Output ports, likewise."""
    vcs: int
    """Virtual channels of a port, all classes together."""
    class_vcs: int
    """Virtual channels of a class: what the routing sees."""
    classes: int
    buffer: int
    """Slots of a lane."""
    sharing: int
    """Whether virtual channels of a port share a buffer, see `memory.layout`; each lane has slots for all of it."""
    own_flits: int
    """Slots of each part of it, of so many."""
    parts: int
    held_flits: int
    """Flits that a virtual channel has there at most, by `limited`."""
    lane_stride: int
    """Numbers in a lane's row."""
    most_branches: int
    """Most branches of a packet; 0 in runs whose packets do not branch."""
    input_lanes: int
    """Lanes of a router."""
    lanes: int
    """Rows of a router: its lanes, then `most_branches - 1` times as many rows for more branches."""
    out_vcs: int
    """Output VCs of a router."""
    cells: int
    """Cells of a router in `due`."""
    groups: int
    """Groups of CELLS of them."""
    out_vc_words: int
    subnets: int
    """Copies of the network between the terminals, see `sim.resolve.subnets`."""
    subnet_routers: int
    """Routers of one of them."""
    sources: int
    """Terminals, once for each class of traffic; class c of terminal i is source `i + c * terminals`."""
    units: int
    """Combining units of all routers; they send after the terminals, and have rows after theirs."""
    injection_ports: int
    ejection_ports: int
    entry_vcs: int
    """Virtual channels of a class on which sources enter, 0 for all."""
    rd: int
    """Cycles of route computation; likewise virtual-channel allocation, switch allocation, switch traversal."""
    va: int
    sa: int
    st: int
    terminal_link: int
    """Latency of a link to or from a terminal, in cycles; then the credit delay."""
    credit: int
    lookahead: int
    """Cycles of an epoch (see `cycle`) that nothing crosses from router to router, or from source to router."""
    speculation: int
    allocator: int
    vc_allocator: int
    vc_iterations: int
    seed: int
    kinds: int
    """0, or which of `memory.layout` has more kinds of packets."""
    priority: int
    """Who goes first, see `memory.layout`."""
    donates: int
    """1 where the flit at the front of a lane goes first as the one does that would go before all others there."""
    entry_ranked: int
    """1 where they go first at sources too."""
    diagonals: int
    """Numbers at the end of a row of `turn` that say where wavefronts begin: of the switch, of the output VCs."""
    iterations: int
    selection: int
    by_place: int
    """1 where the arbiters of the switch keep places (`router.arbiters`)."""
    arbiter_groups: int
    """Groups of their trees, 1 without trees."""
    arbiter_in_turn: int
    """1 where these go in turn."""
    vc_arbiter_groups: int
    """The same of virtual-channel allocation."""
    vc_arbiter_in_turn: int
    asks_by_channel: int
    """1 where lanes that ask for output VCs are counted by channel first."""
    needs_credit: int
    """1 where an output VC is given only while it has a credit."""
    empty_first: int
    """1 where heads take output VCs with empty buffers first."""
    cut_through: int
    reuse_empty: int
    bubble: int
    """Flits of room that a packet leaves free where it enters a ring (`Routing.bubble`): the longest packet's, or 0."""
    one_vc_at_ends: int
    """1 when a packet enters and leaves on one virtual channel that is given (`Routing.one_vc_at_ends`)."""
    bids_everywhere: int
    """1 where heads that speculate bid at each output that they may take (`SimConfig.bids_everywhere`)."""
    two_ranges: int
    """1 where escapes are a range of their own, without which no such bid is of use (`Routing.escapes_last`)."""
    escapes_last: int
    """1 where heads ask for escapes beside the others, and get them after these (`Routing.escapes_last`)."""
    by_output: int
    """1 where packets get virtual channels by the output that they take next (`channels_by_next_output`)."""
    lengths: int
    """Number of packet lengths to choose from."""
    flits_per_field: int
    """Columns of `flit` for each field of a packet row, as many as the longest packet needs."""
    reply_flits: int
    reply_delay: int
    queue_limit: int
    """Packets a source may hold, 0 for any number."""
    start_draws: int
    has_start: int
    start_looks: int
    """1 when the start hook reads the queues of its router."""
    start_sees: int
    """Routers of the block whose queues it reads, as they were when the cycle began; 1 for its own, as they are."""
    start_revises: int
    """1 when it runs again at every router."""
    start_enters: int
    """1 when it reads the queues as its packet enters the network: routes are found a hop ahead."""
    max_hops: int
    """Routers after which a packet counts as being in livelock."""
    batch: int
    events: int
    """1 when events are recorded."""
    steps: int
    """So many steps of a router in `step_cycles` cycles, see `memory.clock`."""
    step_cycles: int
    input_speedup: int
    output_speedup: int
    switch_inputs: int
    switch_outputs: int
    hold: int
    output_buffer: int
    """Flits that wait for a link at which the port takes no more, 0 for any number."""
    has_speedup: int
    """1 for speed-ups of the switch, held connections and allocation or crossbar in batches: see `router.speedup`."""
    in_batches: int
    """1 where stages take in what waits only when they are empty, see `memory.clock`."""
    sa_batch: int
    """Cycles of switch allocation in batches, which ends with what `sa` says of one cycle; 1 without batches."""
    wires: int
    """Output ports, then input ports: a row each in `wire`."""

    @property
    def all_lanes(self) -> int:
        """Lanes of all routers, with the branches' rows, and of the terminals that receive."""
        return self.routers * (self.lanes + (self.outputs - self.link_outputs) * self.vcs)

    @property
    def injectors(self) -> int:
        """Injection ports of all terminals, in all copies of the network, and of combining units."""
        return (self.terminals * self.subnets + self.units) * self.injection_ports

    @property
    def want_words(self) -> int:
        """Numbers in a lane's row of `wants`."""
        return at.WANTS_FIELDS + (3 if self.bubble else 2) * self.out_vc_words

    @property
    def turn_row(self) -> int:
        """Numbers in a router's row of `turn`: rows of half a cache line or one do not cross lines."""
        return -(-(2 * self.switch_inputs + self.switch_outputs + self.diagonals) // 16) * 16

    @property
    def work_rows(self) -> int:
        """Rows of a table in `work`: one for each lane and output VC, or for each input or output of the switch."""
        more = self.bids_everywhere * self.lanes * self.outputs
        return max(self.lanes + self.out_vcs + more, self.switch_inputs, self.switch_outputs)

    @property
    def packets_a_cycle(self) -> int:
        """Most packets that one cycle can create: one for each injector, one reply for each sink."""
        return self.terminals * (self.injection_ports * self.classes + self.ejection_ports * self.subnets)

    @property
    def pool_rows(self) -> int:
        """Packets to start with; the table grows when they run out (see `Engine`)."""
        return 4 * self.packets_a_cycle + 256

    @property
    def packet_bytes(self) -> int:
        """Memory of one packet of the table, with its flits, in bytes."""
        return at.PACKET_FIELDS * (8 + 4 * self.flits_per_field)


class Branching(NamedTuple):
    """What a run needs whose packets branch."""

    most: int
    """Branches of a packet, at most; 0 where they do not branch."""
    vcs: int
    """Virtual channels of a port, when they are more than the routing has."""
    state: Callable[[Shape], MulticastState] | None


NO_BRANCHES = Branching(0, 0, None)


def latencies(net: Network, config: SimConfig) -> Array:
    """(links,) cycles of each link, in the order of routers and their ports."""
    there = net.neighbor != NO_ROUTER
    return np.full(np.count_nonzero(there), config.link_cycles) if net.latency is None else net.latency[there]


def lookahead(net: Network, config: SimConfig) -> int:
    """Cycles in which no router sees what another one, or a source, does: the least of all delays, up to a limit."""
    links, end = latencies(net, config), config.terminal_link_cycles
    shortest = int(links.min()) if links.size else config.link_cycles
    sa, st, credit = switch_cycles(config), config.st_delay_cycles, config.credit_delay_cycles
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


def lane_sizes(input_lanes: int, most_branches: int) -> dict[str, int]:
    """What `Shape` says of the rows of a router that has so many lanes."""
    lanes = input_lanes * max(1, most_branches)
    groups = -(-lanes // at.CELLS)
    return {"lanes": lanes, "groups": groups, "cells": groups * at.CELLS}


def few_channels(outputs: int, where: str = "") -> str:
    """What is said where a route has fewer virtual channels than the router has outputs."""
    return (
        f"channels_by_next_output with too few virtual channels found{where}; at least {outputs} of each route "
        "expected, one for each output of a router"
    )


def shape_of(
    net: Network,
    routing: BoundRouting,
    config: SimConfig,
    longest_traced: int = 0,
    branching: Branching = NO_BRANCHES,
) -> Shape:
    """The sizes of a run.

    longest_traced: length of the longest packet of a trace, in flits. Raises JumpnetError where each output should have
    a part of the virtual channels and there are fewer.
    """
    most_branches = branching.most
    spread = int(max(net.terminals.max(initial=0), 0)), int(max(net.sinks.max(initial=0), 0))
    link_inputs = max(net.ports, int(net.far_port.max(initial=-1)) + 1)
    unit = int(most_branches > 0)
    inputs = link_inputs + spread[0] * config.injection_ports + unit
    outputs = net.ports + spread[1] * config.ejection_ports + unit
    class_vcs = max(routing.vcs, branching.vcs)
    if config.channels_by_next_output and class_vcs < outputs:
        raise JumpnetError(few_channels(outputs))
    vcs = config.channels_of_a_port(class_vcs)
    several = 1 + len(config.more_classes)
    buffer, parts = config.lane_flits(vcs), config.parts_of_a_port(vcs)
    if config.buffer_policy != "private" and buffer < max(vcs, parts * config.private_flits):
        found = f"port_buffer_flits {buffer} with private_flits {config.private_flits}"
        raise JumpnetError(f"{found} found, at least {max(vcs, parts * config.private_flits)} expected")
    stride = -(-(at.LANE_FIELDS + buffer) // 16) * 16
    lengths, _ = packet_lengths(config.packet_flits)
    longest = max(config.longest_flits, longest_traced)
    starts = start_sizes(routing, config.routing_delay_cycles)
    at_once = starts["start_sees"] > 1 or starts["start_enters"] == 1  # what it reads is that of this cycle
    return Shape(
        routers=net.routers,
        terminals=net.endpoints // config.subnets,
        subnet_routers=net.routers // config.subnets,
        link_inputs=link_inputs,
        link_outputs=net.ports,
        inputs=inputs,
        outputs=outputs,
        vcs=vcs,
        class_vcs=class_vcs,
        buffer=buffer,
        parts=parts,
        lane_stride=stride,
        most_branches=most_branches,
        input_lanes=inputs * vcs,
        **lane_sizes(inputs * vcs, most_branches),
        out_vcs=outputs * vcs,
        out_vc_words=-(-outputs * vcs // WORD64_BITS),
        sources=net.endpoints // config.subnets * several,
        units=net.routers * unit,
        entry_vcs=0 if config.entry_vcs >= class_vcs else config.entry_vcs,
        lookahead=1 if most_branches or at_once or config.subnets > 1 else lookahead(net, config),
        bubble=longest if routing.routing.bubble else 0,
        bids_everywhere=int(config.bids_everywhere(routing.routing.escapes_last)),
        two_ranges=int(routing.routing.escapes_last and config.bids_everywhere(True)),
        escapes_last=int(routing.routing.escapes_last and config.vc_allocator in PREFERRING),
        one_vc_at_ends=int(routing.routing.one_vc_at_ends and most_branches == 0),
        lengths=lengths.size,
        flits_per_field=-(-longest // at.PACKET_FIELDS),
        **starts,
        max_hops=max(64, 8 * net.routers),
        **of_settings(config, inputs, outputs),
        wires=inputs + outputs,
    )
