"""The simulator's settings as keyword arguments, for editors and type checkers: names and types of `SimConfig`.

What they mean is in `sim.config.parameters`, or `jumpnet list setting`; a test holds the two together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict, TypeVar

from jumpnet.sim.config.parameters import Allocator, Arbiter, BufferPolicy, Priority, VcAllocator
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.config.traffic_class import TrafficClass
from jumpnet.sim.measure.checkpoint import Checkpoint
from jumpnet.traffic import PacketList

__all__ = ["RunSettings", "SearchSettings", "Settings", "Several", "SweepSettings"]

T = TypeVar("T")
Several: TypeAlias = T | Iterable[T]
"""One value or several."""


class Settings(TypedDict, total=False):
    """Every setting of `SimConfig`, each of which may be left out."""

    load: float
    traffic: str
    injection: str
    packet_flits: str | int
    load_steps: str
    reply_flits: int
    reply_delay_cycles: int
    source_queue_packets: int
    exchange_flits: str
    exchange_vcs: str
    port_vcs: int
    more_classes: tuple[TrafficClass, ...]
    class_channels: Literal["shared", "own"]
    subnets: int
    exchange_subnets: str
    class_priority: int
    vcs: int | None
    least_vcs: int
    buffer_flits: int
    buffer_policy: BufferPolicy
    port_buffer_flits: int
    private_flits: int
    private_parts: int
    held_flits: int
    flow_control: Literal["wormhole", "cut_through"]
    vc_reuse: Literal["auto", "tail", "empty"]
    routing_delay_cycles: int
    vc_allocation_delay_cycles: int
    switch_allocation_delay_cycles: int
    st_prepare_delay_cycles: int
    st_final_delay_cycles: int
    stage_batches: bool
    link_cycles: int
    terminal_link_cycles: int
    credit_delay_cycles: int
    speculation: bool
    allocator: Allocator
    vc_allocator: VcAllocator
    arbiter: Arbiter
    vc_arbiter: Arbiter
    arbiter_groups: int
    vc_arbiter_groups: int
    vc_asks_by_channel: bool
    allocator_iterations: int
    vc_allocator_iterations: int
    input_speedup: int
    output_speedup: int
    internal_speedup: float
    priority: Priority
    priority_donation: bool
    hold_switch: bool
    output_buffer_flits: int
    vc_needs_credit: bool
    vc_empty_first: bool
    selection: Literal["round_robin", "first", "credits"]
    injection_ports: int
    ejection_ports: int
    entry_vcs: int
    channels_by_next_output: bool
    seed: int
    warmup_cycles: int | None
    measure_cycles: int | None
    max_cycles: int
    drain: bool
    precision: float
    batch_cycles: int
    check_every_cycles: int
    deadlock_cycles: int
    memory_bytes: int
    events: bool


class RunSettings(Settings, total=False):
    """What one run takes besides, see `simulate.simulate`."""

    config: SimConfig | None
    name: str
    trace: PacketList | None
    checkpoint: Checkpoint | None
    threads: int | None


class SearchSettings(Settings, total=False):
    """What a search of the saturation takes besides, see `saturation.find_saturation`."""

    config: SimConfig | None
    name: str
    resolution: float
    threads: int | None
    memory: Path | None
    progress: Callable[[int, float], None] | None


class SweepSettings(TypedDict, total=False):
    """As `Settings`, of which a sweep takes one value or several of each."""

    load: Several[float]
    traffic: Several[str]
    injection: Several[str]
    packet_flits: Several[str | int]
    load_steps: Several[str]
    reply_flits: Several[int]
    reply_delay_cycles: Several[int]
    source_queue_packets: Several[int]
    exchange_flits: Several[str]
    exchange_vcs: Several[str]
    port_vcs: Several[int]
    more_classes: Several[tuple[TrafficClass, ...]]
    class_channels: Several[Literal["shared", "own"]]
    subnets: Several[int]
    exchange_subnets: Several[str]
    class_priority: Several[int]
    vcs: Several[int | None]
    least_vcs: Several[int]
    buffer_flits: Several[int]
    buffer_policy: Several[BufferPolicy]
    port_buffer_flits: Several[int]
    private_flits: Several[int]
    private_parts: Several[int]
    held_flits: Several[int]
    flow_control: Several[Literal["wormhole", "cut_through"]]
    vc_reuse: Several[Literal["auto", "tail", "empty"]]
    routing_delay_cycles: Several[int]
    vc_allocation_delay_cycles: Several[int]
    switch_allocation_delay_cycles: Several[int]
    st_prepare_delay_cycles: Several[int]
    st_final_delay_cycles: Several[int]
    stage_batches: Several[bool]
    link_cycles: Several[int]
    terminal_link_cycles: Several[int]
    credit_delay_cycles: Several[int]
    speculation: Several[bool]
    allocator: Several[Allocator]
    vc_allocator: Several[VcAllocator]
    arbiter: Several[Arbiter]
    vc_arbiter: Several[Arbiter]
    arbiter_groups: Several[int]
    vc_arbiter_groups: Several[int]
    vc_asks_by_channel: Several[bool]
    allocator_iterations: Several[int]
    vc_allocator_iterations: Several[int]
    input_speedup: Several[int]
    output_speedup: Several[int]
    internal_speedup: Several[float]
    priority: Several[Priority]
    priority_donation: Several[bool]
    hold_switch: Several[bool]
    output_buffer_flits: Several[int]
    vc_needs_credit: Several[bool]
    vc_empty_first: Several[bool]
    selection: Several[Literal["round_robin", "first", "credits"]]
    injection_ports: Several[int]
    ejection_ports: Several[int]
    entry_vcs: Several[int]
    channels_by_next_output: Several[bool]
    seed: Several[int]
    warmup_cycles: Several[int | None]
    measure_cycles: Several[int | None]
    max_cycles: Several[int]
    drain: Several[bool]
    precision: Several[float]
    batch_cycles: Several[int]
    check_every_cycles: Several[int]
    deadlock_cycles: Several[int]
    memory_bytes: Several[int]
    events: Several[bool]
