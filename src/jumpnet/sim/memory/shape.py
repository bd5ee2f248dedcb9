"""Sizes and settings of a run as integers (`Shape`), and how long the rows of its memory are that follow from them.

A size is declared once: its name, what it follows from, and what it says (`shape_of` finds them all).
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple, get_args

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.jit.bits import WORD64_BITS
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.routings.reads import fields_read
from jumpnet.sim.config.parameters import BufferPolicy, Priority, VcAllocator
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.state import MulticastState
from jumpnet.terms import NO_ROUTER, Array

__all__ = [
    "ALIKE", "AT_SOURCES", "LONGEST_EPOCH", "NO_BRANCHES", "PREFERRING", "PRIORITIES", "Branching", "Shape",
    "few_channels", "lane_sizes", "latencies", "shape_of", "start_sizes",
]  # fmt: skip

ALLOCATORS, PRIORITIES, POLICIES = get_args(VcAllocator), get_args(Priority), get_args(BufferPolicy)
SELECTIONS = ("round_robin", "first", "credits")
"""In the order of `memory.layout`, as those before."""
AT_SOURCES = ("age", "class", "sequence")
"""Priorities that count at sources too."""
PREFERRING = ("output_first", "wavefront", "rr_wavefront")
"""Allocators of virtual channels that choose among all that a head asks for, and look at what it prefers."""

LOOKING = ("input_first", *PREFERRING)
"""Those that look at whether buffers are empty."""
ALIKE = ("mesh", "cmesh")
"""Families whose routers are alike: those at the edge have ports without a link, as in BookSim 2."""
LONGEST_EPOCH = 4
"""Longer epochs save little more, and need room for more packets."""


class Shape(NamedTuple):
    """Sizes and settings of a run, integers all, each with what it follows from (`_Run`).

    Those that say nothing are settings of the same name, or of the start hook (`start_sizes`). Ports of terminals come
    after the ports of links.
    """

    routers: Annotated[int, lambda s: s.net.routers]
    terminals: Annotated[int, lambda s: s.net.endpoints // s.config.subnets]
    link_inputs: Annotated[int, lambda s: max(s.net.ports, int(s.net.far_port.max(initial=-1)) + 1)]
    """Input ports of a router that links may use."""
    link_outputs: Annotated[int, lambda s: s.net.ports]
    """Output ports of a router that links may use."""
    inputs: Annotated[int, lambda s: s.link_inputs + _most(s.net.terminals) * s.injection_ports + s.unit]
    """Input ports, with those of terminals and, where packets branch, that of the combining unit."""
    outputs: Annotated[int, lambda s: s.link_outputs + _most(s.net.sinks) * s.ejection_ports + s.unit]
    """Output ports, likewise."""
    vcs: Annotated[int, lambda s: s.config.channels_of_a_port(s.class_vcs)]
    """Virtual channels of a port, all classes together."""
    class_vcs: Annotated[int, lambda s: max(s.routing.vcs, s.branching.vcs)]
    """Virtual channels of a class: what the routing sees."""
    classes: int
    buffer: Annotated[int, lambda s: s.config.lane_flits(s.vcs)]
    """Slots of a lane."""
    sharing: Annotated[int, lambda s: POLICIES.index(s.config.buffer_policy)]
    """Whether virtual channels of a port share a buffer, see `memory.layout`; each lane has slots for all of it."""
    own_flits: Annotated[int, lambda s: s.config.private_flits]
    """Slots of each part of it, of so many."""
    parts: Annotated[int, lambda s: s.config.parts_of_a_port(s.vcs)]
    held_flits: Annotated[int, lambda s: s.config.held_flits or 1 << 20]
    """Flits that a virtual channel has there at most, by `limited`."""
    lane_stride: Annotated[int, lambda s: -(-(at.LANE_FIELDS + s.buffer) // 16) * 16]
    """Numbers in a lane's row."""
    most_branches: Annotated[int, lambda s: s.branching.most]
    """Most branches of a packet; 0 in runs whose packets do not branch."""
    input_lanes: Annotated[int, lambda s: s.inputs * s.vcs]
    """Lanes of a router."""
    lanes: Annotated[int, lambda s: s.input_lanes * max(1, s.most_branches)]
    """Rows of a router: its lanes, then `most_branches - 1` times as many rows for more branches."""
    out_vcs: Annotated[int, lambda s: s.outputs * s.vcs]
    """Output VCs of a router."""
    cells: Annotated[int, lambda s: s.groups * at.CELLS]
    """Cells of a router in `due`."""
    groups: Annotated[int, lambda s: -(-s.lanes // at.CELLS)]
    """Groups of CELLS of them."""
    out_vc_words: Annotated[int, lambda s: -(-s.out_vcs // WORD64_BITS)]
    subnets: int
    """Copies of the network between the terminals, see `sim.resolve.subnets`."""
    subnet_routers: Annotated[int, lambda s: s.routers // s.subnets]
    """Routers of one of them."""
    sources: Annotated[int, lambda s: s.terminals * s.traffics]
    """Terminals, once for each class of traffic; class c of terminal i is source `i + c * terminals`."""
    units: Annotated[int, lambda s: s.routers * s.unit]
    """Combining units of all routers; they send after the terminals, and have rows after theirs."""
    injection_ports: int
    ejection_ports: int
    entry_vcs: Annotated[int, lambda s: 0 if s.config.entry_vcs >= s.class_vcs else s.config.entry_vcs]
    """Virtual channels of a class on which sources enter, 0 for all."""
    rd: Annotated[int, lambda s: s.config.routing_delay_cycles]
    """Cycles of route computation; likewise virtual-channel allocation, switch allocation, switch traversal."""
    va: Annotated[int, lambda s: max(s.va_cycles - s.sa, 0) if s.speculation else s.va_cycles]
    sa: Annotated[int, lambda s: min(s.sa_cycles, 1) if s.in_batches else s.sa_cycles]
    st: Annotated[int, lambda s: s.config.st_delay_cycles]
    terminal_link: Annotated[int, lambda s: s.config.terminal_link_cycles]
    """Latency of a link to or from a terminal, in cycles; then the credit delay."""
    credit: Annotated[int, lambda s: s.config.credit_delay_cycles]
    lookahead: Annotated[int, lambda s: _lookahead(s)]
    """Cycles of an epoch (see `cycle`) that nothing crosses from router to router, or from source to router."""
    speculation: Annotated[int, lambda s: s.config.speculation]
    allocator: Annotated[int, lambda s: at.INPUT_FIRST if s.by_age else ALLOCATORS.index(s.config.allocator)]
    vc_allocator: Annotated[int, lambda s: ALLOCATORS.index(s.config.vc_allocator)]
    vc_iterations: Annotated[int, lambda s: s.config.vc_allocator_iterations]
    seed: int
    kinds: Annotated[int, lambda s: at.EXCHANGE if s.config.exchange_flits else at.SEVERAL if s.traffics > 1 else 0]
    """0, or which of `memory.layout` has more kinds of packets."""
    priority: Annotated[int, lambda s: PRIORITIES.index("age" if s.by_age else s.config.priority)]
    """Who goes first, see `memory.layout`."""
    donates: Annotated[int, lambda s: s.config.priority_donation]
    """1 where the flit at the front of a lane goes first as the one does that would go before all others there."""
    entry_ranked: Annotated[int, lambda s: s.config.priority in AT_SOURCES]
    """1 where they go first at sources too."""
    diagonals: Annotated[int, lambda s: 2 * ("wavefront" in s.config.allocator + s.config.vc_allocator)]
    """Numbers at the end of a row of `turn` that say where wavefronts begin: of the switch, of the output VCs."""
    iterations: Annotated[int, lambda s: s.config.allocator_iterations]
    selection: Annotated[int, lambda s: at.BY_PLACE if s.places_kept[1] else SELECTIONS.index(s.config.selection)]
    by_place: Annotated[int, lambda s: s.places_kept[0]]
    """1 where the arbiters of the switch keep places (`router.arbiters`)."""
    arbiter_groups: int
    """Groups of their trees, 1 without trees."""
    arbiter_in_turn: Annotated[int, lambda s: s.config.arbiter == "round_robin"]
    """1 where these go in turn."""
    vc_arbiter_groups: int
    """The same of virtual-channel allocation."""
    vc_arbiter_in_turn: Annotated[int, lambda s: s.config.vc_arbiter == "round_robin"]
    asks_by_channel: Annotated[int, lambda s: s.config.vc_asks_by_channel]
    """1 where lanes that ask for output VCs are counted by channel first."""
    needs_credit: Annotated[int, lambda s: s.config.vc_needs_credit]
    """1 where an output VC is given only while it has a credit."""
    empty_first: Annotated[int, lambda s: s.config.vc_empty_first and s.config.vc_allocator in LOOKING]
    """1 where heads take output VCs with empty buffers first."""
    cut_through: Annotated[int, lambda s: s.config.flow_control == "cut_through"]
    reuse_empty: Annotated[int, lambda s: s.config.vc_reuse == "empty"]
    bubble: Annotated[int, lambda s: s.longest if s.relation.bubble else 0]
    """Flits of room that a packet leaves free where it enters a ring (`Routing.bubble`): the longest packet's, or 0."""
    one_vc_at_ends: Annotated[int, lambda s: s.relation.one_vc_at_ends and not s.most_branches]
    """1 when a packet enters and leaves on one virtual channel that is given (`Routing.one_vc_at_ends`)."""
    bids_everywhere: Annotated[int, lambda s: s.config.bids_everywhere(s.relation.escapes_last)]
    """1 where heads that speculate bid at each output that they may take (`SimConfig.bids_everywhere`)."""
    two_ranges: Annotated[int, lambda s: s.relation.escapes_last and s.config.bids_everywhere(True)]
    """1 where escapes are a range of their own, without which no such bid is of use (`Routing.escapes_last`)."""
    escapes_last: Annotated[int, lambda s: s.relation.escapes_last and s.config.vc_allocator in PREFERRING]
    """1 where heads ask for escapes beside the others, and get them after these (`Routing.escapes_last`)."""
    by_output: Annotated[int, lambda s: s.config.channels_by_next_output]
    """1 where packets get virtual channels by the output that they take next (`channels_by_next_output`)."""
    lengths: Annotated[int, lambda s: packet_lengths(s.config.packet_flits)[0].size]
    """Number of packet lengths to choose from."""
    flits_per_field: Annotated[int, lambda s: -(-s.longest // at.PACKET_FIELDS)]
    """Columns of `flit` for each field of a packet row, as many as the longest packet needs."""
    reply_flits: Annotated[int, lambda s: max([s.config.reply_flits, *s.config.exchange_lengths])]
    reply_delay: Annotated[int, lambda s: s.config.reply_delay_cycles]
    queue_limit: Annotated[int, lambda s: s.config.source_queue_packets]
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
    max_hops: Annotated[int, lambda s: max(64, 8 * s.routers)]
    """Routers after which a packet counts as being in livelock."""
    batch: Annotated[int, lambda s: s.config.batch_cycles]
    events: Annotated[int, lambda s: s.config.events]
    """1 when events are recorded."""
    steps: Annotated[int, lambda s: s.config.router_steps[0]]
    """So many steps of a router in `step_cycles` cycles, see `memory.clock`."""
    step_cycles: Annotated[int, lambda s: s.config.router_steps[1]]
    input_speedup: int
    output_speedup: int
    switch_inputs: Annotated[int, lambda s: s.inputs * s.input_speedup]
    switch_outputs: Annotated[int, lambda s: s.outputs * s.output_speedup]
    hold: Annotated[int, lambda s: s.config.hold_switch]
    output_buffer: Annotated[int, lambda s: s.config.output_buffer_flits]
    """Flits that wait for a link at which the port takes no more, 0 for any number."""
    has_speedup: Annotated[int, lambda s: s.config.speedup_or_hold or s.queues]
    """1 for speed-ups of the switch, held connections and allocation or crossbar in batches: see `router.speedup`."""
    in_batches: Annotated[int, lambda s: s.config.batched]
    """1 where stages take in what waits only when they are empty, see `memory.clock`."""
    sa_batch: Annotated[int, lambda s: max(1, s.sa_cycles) if s.in_batches else 1]
    """Cycles of switch allocation in batches, which ends with what `sa` says of one cycle; 1 without batches."""
    wires: Annotated[int, lambda s: s.inputs + s.outputs]
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


def _lookahead(s: Any) -> int:
    """Cycles in which no router sees what another one, or a source, does: the least of all delays, up to a limit."""
    if s.most_branches or s.at_once or s.subnets > 1:
        return 1
    links, end, credit = latencies(s.net, s.config), s.terminal_link, s.credit
    shortest = int(links.min()) if links.size else s.config.link_cycles
    # with an internal speed-up several stages may fit a cycle, whose last step is that of the link
    sa, st = (0, 1) if s.config.internal_speedup > 1.0 else (s.sa, s.st)
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


def _most(ends: Array) -> int:
    """The most terminals that a router has."""
    return int(max(ends.max(initial=0), 0))


class _Run:
    """What the sizes of a run follow from, and these themselves, each found when it is first asked for."""

    def __init__(
        self, net: Network, routing: BoundRouting, config: SimConfig, longest_traced: int, branching: Branching
    ) -> None:
        self.net, self.routing, self.config, self.branching = net, routing, config, branching
        self.relation = routing.routing
        self.unit = int(branching.most > 0)
        self.longest = max(config.longest_flits, longest_traced)
        self.traffics = len(config.all_classes)
        self.by_age = config.allocator == "age"
        self.va_cycles, self.sa_cycles = config.vc_allocation_delay_cycles, config.switch_allocation_delay_cycles
        self.queues = config.batched and max(self.va_cycles, self.sa_cycles, config.st_delay_cycles) > 1
        self.places_kept = config.places_kept
        starts = start_sizes(routing, config.routing_delay_cycles)
        self.at_once = starts["start_sees"] > 1 or starts["start_enters"] == 1  # what it reads is that of this cycle
        vars(self).update(starts)

    def __getattr__(self, name: str) -> int:
        value = int(FROM[name](self) if name in FROM else getattr(self.config, name))
        setattr(self, name, value)
        return value


FROM = {name: of.__metadata__[0] for name, of in Shape.__annotations__.items() if hasattr(of, "__metadata__")}


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
    s = _Run(net, routing, config, longest_traced, branching)
    if s.by_output and s.class_vcs < s.outputs:
        raise JumpnetError(few_channels(s.outputs))
    if s.sharing and s.buffer < (least := max(s.vcs, s.parts * s.own_flits)):
        found = f"port_buffer_flits {s.buffer} with private_flits {s.own_flits}"
        raise JumpnetError(f"{found} found, at least {least} expected")
    return Shape(*(getattr(s, name) for name in Shape._fields))
