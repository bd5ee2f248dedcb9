"""Parameters of a simulation: what may be set, with range, default and meaning, and what BookSim 2 calls it.

Lengths are in flits, times in cycles. What follows from them, and what contradicts, stands in `config`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ConfigDict, Field, field_validator

from jumpnet.errors import written
from jumpnet.sim.config.traffic_class import Traffic, TrafficClass, booksim

VcAllocator = Literal[
    "input_first", "output_first", "islip", "pim", "lonely_output", "max_size", "wavefront", "rr_wavefront"
]
Allocator = Literal[
    "input_first", "output_first", "islip", "age", "pim", "lonely_output", "max_size", "wavefront", "rr_wavefront"
]
Arbiter = Literal["round_robin", "matrix"]
BufferPolicy = Literal["private", "shared", "limited", "dynamic", "shifting"]
Priority = Literal["none", "age", "class", "sequence", "network_age", "local_age", "hop_count", "queue_length"]
BROUGHT = ("age", "class", "sequence", "network_age", "hop_count")
"""Priorities that packets bring along."""
MOST_MORE = 7
"""Classes of packets besides the first."""


class Parameters(Traffic):
    """Every parameter of a run, each checked by itself; `config.SimConfig` is what they are used as."""

    model_config = ConfigDict(defer_build=True)  # never made itself

    # Traffic, besides what each class of packets has
    load_steps: str = ""
    """Loads from later cycles on, in place of `load`, such as `5000:0.3,8000:0.1`: of the first class, in a run whose
    `warmup_cycles` and `measure_cycles` are given."""
    reply_flits: int = Field(0, ge=0)
    """Length of the reply that each delivered packet causes; 0 means no replies. Replies are message class 1."""
    reply_delay_cycles: int = Field(0, ge=0, le=1 << 40)
    """Cycles from the delivery of a request to the creation of its reply."""
    source_queue_packets: int = Field(0, ge=0)
    """Packets a source may hold that wait to enter the network; it creates none while full. 0 means no limit."""
    exchange_flits: str = ""
    """Reads and writes: the length of the reply to each length of `packet_flits`, such as `5,1`. Requests and replies
    then have one queue at each source, replies first, of which one packet enters at a time. No replies when empty."""
    exchange_vcs: str = ""
    """First virtual channel of requests of each length, then of the replies to them, such as `0,2,8,10`: each may use
    as many as `vcs` says from there on."""
    port_vcs: int = Field(0, ge=0, le=64)
    """Virtual channels of a port where `exchange_vcs` says who may use them."""
    more_classes: tuple[TrafficClass, ...] = Field((), max_length=MOST_MORE)
    """Classes of packets besides that of the settings above, which enter in turn."""
    class_channels: Literal["shared", "own"] = "shared"
    """Whether all classes use the same virtual channels, or each has as many of its own as `vcs` says: a virtual
    network for each."""
    subnets: int = booksim("subnets", 1, ge=1, le=8)
    """Copies of the network between the terminals; a packet goes into one at random, one packet at a time."""
    exchange_subnets: str = ""
    """Of reads and writes, the copy for requests of each length, then for the replies to them, such as `0,0,1,1`."""
    class_priority: int = booksim("class_priority", 0, ge=-(2**31), lt=2**31)
    """Priority of the first class, with `priority` class."""
    # Router
    vcs: int | None = booksim("num_vcs", None, ge=1, le=64)
    """Virtual channels of the routing in each message class; None means what the routing needs, or `least_vcs`."""
    least_vcs: int = Field(1, ge=1, le=64)
    """Virtual channels there are at least where `vcs` is None; a routing that needs more gets more."""
    buffer_flits: int = booksim("vc_buf_size", 8, ge=1, le=4096)
    """Flits of each input buffer (one per virtual channel)."""
    buffer_policy: BufferPolicy = booksim("buffer_policy", "private")
    """Whether each virtual channel has a buffer of its own, or all of an input port share one: what comes first has it
    (`shared`), but at most `held_flits` (`limited`), or the whole by the number of channels that packets hold
    (`dynamic`), or the whole halved as often as that is doubled (`shifting`)."""
    port_buffer_flits: int = booksim("buf_size", 0, ge=0, le=1 << 16)
    """Flits of the buffer of an input port that is shared; 0 means `buffer_flits` for each of its channels."""
    private_flits: int = booksim("private_buf_size", 1, ge=0, le=4096)
    """Flits of a shared buffer that each channel has alone, or each of `private_parts`. With 0, or with parts of
    several channels, packets in one channel can hold up all others, so that what is proved free may deadlock."""
    private_parts: int = booksim("private_bufs", 0, ge=0, le=64)
    """Parts of neighbouring channels that have so many together; 0 means each channel for itself."""
    held_flits: int = booksim("max_held_slots", 0, ge=0, le=1 << 16)
    """Flits that a channel has at most in a buffer by `limited`; 0 means any number."""
    flow_control: Literal["wormhole", "cut_through"] = booksim("vct", "wormhole")
    """`cut_through` gives a virtual channel to a packet only when its buffer can take the packet whole.
    BookSim 2 reads `vct` in its event router only, so that its files mean wormhole."""
    vc_reuse: Literal["auto", "tail", "empty"] = booksim("wait_for_tail_credit", "auto")
    """When a virtual channel may be given again: when the tail has been sent, or when its buffer is empty again.
    `auto` is `tail`, and `empty` where freedom from deadlock needs it (see `sim.resolve.by_routing`)."""
    routing_delay_cycles: int = booksim("routing_delay", 1, ge=0, le=64)
    """rd: cycles from the arrival of a head to its first request for a virtual channel."""
    vc_allocation_delay_cycles: int = booksim("vc_alloc_delay", 1, ge=0, le=64)
    """va: cycles from winning a virtual channel to the first request for the switch."""
    switch_allocation_delay_cycles: int = booksim("sw_alloc_delay", 1, ge=0, le=64)
    """sa: cycles that switch allocation takes."""
    st_prepare_delay_cycles: int = booksim("st_prepare_delay", 0, ge=0, le=64)
    """Part of X, the crossbar traversal."""
    st_final_delay_cycles: int = booksim("st_final_delay", 1, ge=0, le=64)
    """Part of X, the crossbar traversal."""
    stage_batches: bool = False
    """Whether a stage of several cycles (rd, va, sa or X above 1) takes in what waits only when it is empty, in every
    router for itself, as in BookSim 2; otherwise something new begins in each cycle. Heads that speculate then bid, as
    in BookSim 2, wherever a virtual channel that they may take is free and has a credit, not for one of them."""
    link_cycles: int = Field(1, ge=1, le=1024)
    """L: latency of a link whose network gives none."""
    terminal_link_cycles: int = Field(1, ge=1, le=1024)
    """Latency of the links between terminals and routers."""
    credit_delay_cycles: int = booksim("credit_delay", 0, ge=0, le=1024)
    """cd: cycles from the return of a credit to a router to its use; sources use credits at once."""
    speculation: bool = booksim("speculative", False)
    """Heads bid for the switch while they bid for a virtual channel; others go before them, with the allocators
    `islip`, `pim`, `lonely_output` and `max_size` those alone that come from the same input."""
    allocator: Allocator = booksim("sw_allocator", "input_first")
    """Switch allocation; `age` is input-first with the oldest packet before the others, `pim` output-first at random,
    `lonely_output` input-first by the output that fewest ask for, `max_size` a matching of most inputs. A wavefront
    goes by diagonals; the first is one further each time, with `rr_wavefront` past that of a grant."""
    vc_allocator: VcAllocator = booksim("vc_allocator", "input_first")
    """Virtual-channel allocation: a head asks for one free channel, or the channels choose among all heads first;
    `pim`, `lonely_output`, `max_size` and wavefronts as in `allocator`; `islip` is output-first that does not look at
    priorities."""
    arbiter: Arbiter = booksim("sw_allocator", "round_robin")
    """Which of equals goes first in switch allocation by `input_first`, `output_first` and `age`: the next in turn, or
    with `matrix` the one that was served least recently."""
    vc_arbiter: Arbiter = booksim("vc_allocator", "round_robin")
    """The same in virtual-channel allocation by `input_first` and `output_first`."""
    arbiter_groups: int = booksim("sw_allocator", 1, ge=1, le=64)
    """Tree arbiters in switch allocation: those that ask are in so many groups of neighbours, and of equals a group
    goes first by `arbiter`, and in the group one by the same rule. Inputs and outputs of the switch are a multiple."""
    vc_arbiter_groups: int = booksim("vc_allocator", 1, ge=1, le=64)
    """The same in virtual-channel allocation, by `vc_arbiter`."""
    vc_asks_by_channel: bool = booksim("vc_shuffle_requests", False)
    """Whether those that ask in virtual-channel allocation are counted by channel, then by input port, and not the
    other way: so go turns, places in trees, and diagonals."""
    allocator_iterations: int = booksim("alloc_iters", 1, ge=1, le=8)
    """Iterations of switch allocation; `lonely_output`, `max_size` and wavefronts have one."""
    vc_allocator_iterations: int = Field(1, ge=1, le=8)
    """Iterations of virtual-channel allocation, where the channels choose first; turns move in the first one."""
    input_speedup: int = booksim("input_speedup", 1, ge=1, le=16)
    """Switch inputs of each input port: virtual channel v uses the one with number v modulo so many."""
    output_speedup: int = booksim("output_speedup", 1, ge=1, le=16)
    """Switch outputs of each output port: input port i uses the one with number i modulo so many."""
    internal_speedup: float = booksim("internal_speedup", 1.0, ge=1.0, le=8.0)
    """Steps of a router in a cycle of its links: allocation and crossbar work in steps, delays of one are one step.
    Taken as the nearest fraction with a denominator of at most 100."""
    priority: Priority = booksim("priority", "none")
    """Which packets go first: the oldest, those of a class, or those with the lowest number at their source; in
    allocations alone, those whose flit entered the network first, or came to the router first, those with most hops,
    or those in the longest queue. `islip`, `pim`, `lonely_output` and `max_size` look at it among the virtual channels
    of an input only."""
    priority_donation: bool = booksim("vc_priority_donation", False)
    """Whether a flit at the front of a buffer goes first as the flit there does that would go before all others: by
    priorities that packets bring along, from age to hop_count, but not by local_age."""
    hold_switch: bool = booksim("hold_switch_for_packet", False)
    """A packet that got through the switch keeps its connection while it has flits and credits."""
    output_buffer_flits: int = booksim("output_buffer_size", 0, ge=0, le=4096)
    """Flits waiting for a link at which its output port takes no more; 0 means no limit. Matters with speed-ups."""
    vc_needs_credit: bool = booksim("vc_busy_when_full", False)
    """Whether a virtual channel is given to a packet only while it has a credit."""
    vc_empty_first: bool = booksim("vc_prioritize_empty", False)
    """Whether a head takes a virtual channel whose buffer is empty before others; not with the allocators that look at
    priorities among the channels of an input only."""
    selection: Literal["round_robin", "first", "credits"] = "round_robin"
    """Which free candidate of a packet is asked for: in turn, the first in the routing's order, or most credits."""
    injection_ports: int = Field(1, ge=1, le=16)
    """Input ports of a router for each of its terminals: injection bandwidth in flits per cycle."""
    ejection_ports: int = Field(1, ge=1, le=16)
    """Output ports of a router for each of its terminals: ejection bandwidth in flits per cycle."""
    entry_vcs: int = Field(0, ge=0, le=64)
    """Virtual channels of each message class on which sources enter, the first ones; 0 means all. With 1, one injection
    port and a routing of one candidate a hop, the packets of a pair and class arrive in the order of their creation."""
    channels_by_next_output: bool = booksim("noq", False)
    """Whether a packet gets a virtual channel by the output that it will take at the next router: of the channels that
    its route there has, each output has an equal part. At its source that of the first router counts, and it leaves
    on the part that it came by. For routings with one output a hop; of those with classes, free ones may deadlock."""
    # Run
    seed: int = booksim("seed", 1, ge=0, lt=2**62)
    """Seed of every random draw."""
    warmup_cycles: int | None = booksim("warmup_periods", None, ge=0, le=10**8)
    """Cycles before measuring; None means detected (MSER on batches), at most half of `max_cycles`."""
    measure_cycles: int | None = booksim("sample_period", None, ge=1, le=10**8)
    """Cycles measured; None means until the latency is known to `precision` or `max_cycles` are spent."""
    max_cycles: int = booksim("max_samples", 100_000, ge=1, le=10**9)
    """Most cycles of the whole run, without the drain."""
    drain: bool = True
    """Go on, with traffic, until every measured packet has arrived; else those still on the way are left out."""
    precision: float = booksim("stopping_thres", 0.02, gt=0.0, lt=1.0)
    """Relative half width of the 95% confidence interval of packet latency at which a run ends."""
    batch_cycles: int = Field(500, ge=1, le=10**7)
    """Length of a batch of the batch means."""
    # Safety
    check_every_cycles: int = Field(10_000, ge=1, le=10**9)
    """How often the conservation laws are checked."""
    deadlock_cycles: int = Field(1_000, ge=10, le=10**9)
    """Cycles without any movement after which waits are searched for a cycle; also the starvation watch, times 10."""
    memory_bytes: int = Field(16 * 2**30, ge=2**20, lt=2**62)
    """A run that would take more memory is refused."""
    events: bool = False
    """Record every flit's events (see `events`)."""

    @field_validator("more_classes", mode="before")
    @classmethod
    def _are_few(cls, given: Any) -> Any:
        """No iterator without an end is read, nor a sequence of any length."""
        if isinstance(given, list | tuple) and len(given) <= MOST_MORE:
            return given
        raise ValueError(f"more_classes {written(given):.60} found, a tuple of at most {MOST_MORE} classes expected")


BOOKSIM: Mapping[str, str] = {
    name: str(field.json_schema_extra["booksim"])
    for name, field in Parameters.model_fields.items()
    if isinstance(field.json_schema_extra, dict)
}
"""BookSim 2's name of a setting, where it has one."""
