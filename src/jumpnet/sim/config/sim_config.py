"""The configuration of a simulation: its parameters together, what follows from them, and what contradicts in one line.

`SimConfig` is what went in; `preset("booksim", load=0.2)` starts from a named set. Lengths are in flits, times in
cycles. Used by `simulate`, `saturation` and the studies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from pydantic import ConfigDict, model_validator

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.settings.settings import make, settings_of
from jumpnet.sim.config.parameters import BROUGHT, Parameters
from jumpnet.sim.config.traffic_class import Traffic, mean_load, numbers_of, packet_lengths, steps_of
from jumpnet.sim.config.unknown import refuse_unknown

__all__ = ["PRESETS", "SimConfig", "changed", "config_from", "preset", "split_settings"]


BEYOND_BASIC = (
    "input_speedup", "output_speedup", "internal_speedup", "hold_switch", "stage_batches",
    "exchange_flits", "more_classes", "priority", "priority_donation", "subnets", "channels_by_next_output",
    "vc_allocator", "arbiter", "vc_arbiter", "arbiter_groups", "vc_arbiter_groups",
    "buffer_policy", "vc_asks_by_channel", "vc_needs_credit", "vc_empty_first",
)  # fmt: skip
"""Settings that the basic router leaves as they are by default."""


class SimConfig(Parameters):
    """Every setting of a run; frozen, unknown names refused. The defaults are the preset `booksim`."""

    model_config = ConfigDict(defer_build=False)

    @model_validator(mode="after")
    def _agree(self) -> SimConfig:
        longest = self.longest_flits
        if self.flow_control == "cut_through" and self.buffer_flits < longest:
            raise ValueError(
                f"buffer_flits {self.buffer_flits} found, at least {longest} (a whole packet) expected by cut_through"
            )
        if self.routing_delay_cycles + self.allocation_delay_cycles < 1:
            raise ValueError("routing, vc and switch allocation delays of 0 found, at least one cycle in all expected")
        if self.switch_allocation_delay_cycles + self.st_delay_cycles < 1:
            raise ValueError("switch allocation and traversal delays of 0 found, at least one cycle in all expected")
        if self.warmup_cycles is not None and self.warmup_cycles >= self.max_cycles and self.measure_cycles is None:
            raise ValueError(f"warmup_cycles {self.warmup_cycles} found, below max_cycles {self.max_cycles} expected")
        self._steps_agree()
        self._allocators_agree()
        self._kinds_agree()
        self._subnets_agree()
        if self.channels_by_next_output and (max(self.injection_ports, self.ejection_ports) > 1 or self.entry_vcs):
            raise ValueError("channels_by_next_output with entry_vcs or several ports of a terminal found, not both")
        if self.speedup_or_hold and self.speculation:
            raise ValueError("speculation with speed-ups or hold_switch found, one of both expected")
        self._stages_agree()
        self._buffers_agree()
        through = max(self.st_delay_cycles, self.switch_allocation_delay_cycles)
        if self.output_buffer_flits and through > 1:
            raise ValueError(f"output_buffer_flits with a stage of {through} cycles found, switch stages of 1 expected")
        if self.queues_at_outputs and self.reply_flits and self.ejection_ports > 1:
            raise ValueError("reply_flits and ejection_ports above 1 with queues at outputs found, 1 port expected")
        self._all_change_something()
        return self

    def _steps_agree(self) -> None:
        """Raise ValueError for changes of the load after the run, or in one whose end is not known."""
        steps = steps_of(self.load_steps)
        if not steps:
            return
        if self.warmup_cycles is None or self.measure_cycles is None:
            raise ValueError("load_steps without warmup_cycles and measure_cycles found, all of them expected")
        if steps[-1][0] >= (end := self.warmup_cycles + self.measure_cycles):
            raise ValueError(f"load_steps at cycle {steps[-1][0]} found, below {end}, where measuring ends, expected")

    def _stages_agree(self) -> None:
        """Raise ValueError for stages in batches that do not go with what else is set."""
        va, sa = self.vc_allocation_delay_cycles, self.switch_allocation_delay_cycles
        if not self.batched or max(va, sa) < 2:
            return
        if self.speculation:
            raise ValueError(f"speculation with allocations of {va} and {sa} cycles in batches found, 1 cycle expected")
        if sa > 1 and (self.hold_switch or va == 0):
            what = "hold_switch" if self.hold_switch else "vc allocation of 0 cycles"
            raise ValueError(f"{what} with switch allocation of {sa} cycles in batches found, 1 cycle expected")

    def _buffers_agree(self) -> None:
        """Raise ValueError for shared buffers with what counts credits otherwise."""
        if self.buffer_policy == "private":
            return
        with_shared = {"flow_control": "wormhole", "output_speedup": 1}
        if self.selection == "credits":
            raise ValueError(f"selection credits with buffer_policy {self.buffer_policy} found, another one expected")
        for name, usual in with_shared.items():
            if (one := getattr(self, name)) != usual:
                raise ValueError(f"{name} {one} with buffer_policy {self.buffer_policy} found, {usual} expected")

    def _allocators_agree(self) -> None:
        """Raise ValueError for allocators that do not go with what else is set."""
        once = ("input_first", "lonely_output", "max_size", "wavefront", "rr_wavefront")
        for name, which in (("vc_allocator", once), ("allocator", once[1:])):
            iterations, given = getattr(self, f"{name}_iterations"), getattr(self, name)
            if iterations > 1 and given in which:
                raise ValueError(f"{name}_iterations {iterations} with {name} {given} found, one iteration expected")
            arbiter, separable = name.replace("allocator", "arbiter"), given in ("input_first", "output_first", "age")
            for own in (arbiter, f"{arbiter}_groups"):
                if (one := getattr(self, own)) not in ("round_robin", 1) and (not separable or iterations > 1):
                    raise ValueError(
                        f"{own} {one} with {name} {given} found, a separable one in one iteration expected"
                    )
        for own, usual in (("vc_arbiter", "round_robin"), ("vc_arbiter_groups", 1), ("vc_empty_first", False)):
            if (one := getattr(self, own)) != usual and self.selection != "round_robin":
                raise ValueError(f"{own} {one} with selection {self.selection} found, selection round_robin expected")
        if self.allocator_iterations > 1 and self.speculation and self.allocator not in ("islip", "pim"):
            raise ValueError("speculation with several allocator_iterations found, one expected but with islip and pim")

    def _subnets_agree(self) -> None:
        """Raise ValueError for copies of the network with what knows of one only."""
        among = numbers_of("exchange_subnets", self.exchange_subnets, 0)
        if self.exchange_subnets and max(among) >= self.subnets:
            raise ValueError(f"exchange_subnets {self.exchange_subnets} found, numbers below subnets expected")
        if self.subnets > 1:
            if self.more_classes or self.reply_flits or max(self.injection_ports, self.ejection_ports) > 1:
                raise ValueError("subnets with more_classes, reply_flits or several terminal ports found, not both")
            if self.exchange_flits and len(among) != len(self.exchange_starts):
                found = f"exchange_subnets {self.exchange_subnets or 'of nothing'}"
                raise ValueError(f"{found} found, {len(self.exchange_starts)} numbers expected with subnets")

    def _kinds_agree(self) -> None:
        """Raise ValueError for kinds of packets that do not go together, or with what else is set."""
        several = bool(self.reply_flits) + bool(self.exchange_flits) + bool(self.more_classes)
        if several > 1:
            raise ValueError("two of reply_flits, exchange_flits and more_classes found, one of them expected")
        if self.priority == "class" and not self.more_classes:
            raise ValueError("priority class found without more_classes, several classes expected")
        if self.priority == "sequence" and several:
            raise ValueError("priority sequence with several kinds of packets found, one kind of each source expected")
        starts = self.exchange_starts  # also where nothing is exchanged, a text that is none is no setting
        if self.exchange_flits:
            n = packet_lengths(self.packet_flits)[0].size
            if n != len(self.exchange_lengths) or 2 * n != len(starts) or n > 8:
                found = f"packet_flits {self.packet_flits}, exchange_flits {self.exchange_flits}"
                raise ValueError(f"{found}, exchange_vcs {self.exchange_vcs} found, n, n and 2 n numbers expected")
        if self.class_channels == "own" and not self.more_classes:
            raise ValueError("class_channels own found without more_classes, several classes expected")
        if (self.exchange_flits or (self.more_classes and self.class_channels == "shared")) and self.entry_vcs:
            raise ValueError(f"entry_vcs {self.entry_vcs} with exchange_flits or shared classes found, 0 expected")
        if self.more_classes and (self.source_queue_packets or self.injection_ports > 1):
            raise ValueError("source_queue_packets or injection_ports above 1 with more_classes found, none expected")

    def _all_change_something(self) -> None:
        """Raise ValueError for settings that say something of others which are not there."""
        of = {
            "class_priority": ("more_classes", self.more_classes),
            "reply_delay_cycles": ("reply_flits or exchange_flits", self.reply_flits or self.exchange_flits),
            "exchange_vcs": ("exchange_flits", self.exchange_flits),
            "port_vcs": ("exchange_flits", self.exchange_flits),
            "exchange_subnets": ("exchange_flits", self.exchange_flits),
            "priority_donation": ("a priority that packets bring along", self.priority in BROUGHT),
            "port_buffer_flits": ("a buffer_policy that shares", shares := self.buffer_policy != "private"),
            "private_parts": ("a buffer_policy that shares", shares),
            "held_flits": ("buffer_policy limited", self.buffer_policy == "limited"),
            "output_buffer_flits": ("output_speedup or internal_speedup above 1", self.queues_at_outputs),
        }
        for name, (other, there) in of.items():
            if (value := getattr(self, name)) and not there:
                raise ValueError(f"{name} {value} without {other} found, both expected")

    @property
    def queues_at_outputs(self) -> bool:
        """Whether more than one flit may come to an output port in a cycle, and wait there for its link."""
        in_batches = self.stage_batches and self.st_delay_cycles > 1
        return self.output_speedup > 1 or self.internal_speedup > 1.0 or in_batches

    @property
    def places_kept(self) -> tuple[bool, bool]:
        """Whether arbiters of the switch, and of virtual channels, keep an order: matrices, and trees."""
        return (
            self.arbiter == "matrix" or self.arbiter_groups > 1,
            self.vc_arbiter == "matrix" or self.vc_arbiter_groups > 1,
        )

    @property
    def batched(self) -> bool:
        """Whether a stage works in batches."""
        stages = self.routing_delay_cycles, self.vc_allocation_delay_cycles, self.switch_allocation_delay_cycles
        return self.stage_batches and max(*stages, self.st_delay_cycles) > 1

    @property
    def speedup_or_hold(self) -> bool:
        """Whether the switch has a speed-up or holds connections."""
        speedup = max(self.input_speedup, self.output_speedup, self.internal_speedup)
        return speedup > 1.0 or self.hold_switch

    def refuse(self, names: Iterable[str], where: str) -> None:
        """Raise JumpnetError where one of these settings is not what it is by default; `where` ends the sentence."""
        for name in names:
            if getattr(self, name) != (usual := settings_of(SimConfig)[name].default):
                raise JumpnetError(f"{name} {getattr(self, name)} found, {usual or 'none'} expected {where}")

    def require_basic_router(self, what: str) -> None:
        """Raise JumpnetError for more than the basic router, which is what packets that branch, and faults, know."""
        self.refuse(BEYOND_BASIC, f"with {what}")
        if self.allocator not in ("input_first", "output_first", "islip", "age"):
            raise JumpnetError(f"allocator {self.allocator} found, a separable one expected with {what}")

    @property
    def router_steps(self) -> tuple[int, int]:
        """(steps, cycles): so many steps of a router in so many cycles, without a common divisor.

        >>> SimConfig(internal_speedup=1.7).router_steps
        (17, 10)
        """
        share = Fraction(self.internal_speedup).limit_denominator(100)
        return share.numerator, share.denominator

    @property
    def allocation_delay_cycles(self) -> int:
        """A: vc and switch allocation together; the longer of both when speculative."""
        va, sa = self.vc_allocation_delay_cycles, self.switch_allocation_delay_cycles
        return max(va, sa) if self.speculation else va + sa

    def bids_everywhere(self, escapes_last: bool) -> bool:
        """Whether heads that bid for the switch in the cycle in which they ask for a virtual channel bid wherever an
        output VC that they may take is free and has a credit, as in BookSim 2.

        Otherwise they bid for the one that they ask for. escapes_last: `Routing.escapes_last`.
        """
        at_once = self.speculation and self.vc_allocation_delay_cycles <= self.switch_allocation_delay_cycles
        return at_once and (self.stage_batches or escapes_last)

    @property
    def st_delay_cycles(self) -> int:
        """X: crossbar traversal."""
        return self.st_prepare_delay_cycles + self.st_final_delay_cycles

    @property
    def classes(self) -> int:
        """Classes of packets that enter side by side; requests and replies have their own virtual channels."""
        return 2 if self.reply_flits else 1 + len(self.more_classes)

    @property
    def all_classes(self) -> tuple[Traffic, ...]:
        """The settings of each class of traffic, the first one's among all others."""
        return (self, *self.more_classes)

    @property
    def first_loads(self) -> list[tuple[int, float]]:
        """The loads of the first class, each with the cycle from which on it holds.

        >>> SimConfig(load_steps="50:0.3", warmup_cycles=10, measure_cycles=90).first_loads
        [(0, 0.1), (50, 0.3)]
        """
        return [(0, self.load), *steps_of(self.load_steps)]

    def mean_load(self, start: int, end: int) -> float:
        """Mean load of the first class over cycles start..end-1."""
        return mean_load(self.load, steps_of(self.load_steps), start, end)

    @property
    def counted_classes(self) -> int:
        """Classes that the statistics tell apart."""
        return 2 if self.exchange_flits else self.classes

    @property
    def exchange_lengths(self) -> list[int]:
        """Lengths of replies, by length of the request; none without `exchange_flits`."""
        return numbers_of("exchange_flits", self.exchange_flits, 1)

    @property
    def exchange_starts(self) -> list[int]:
        """First virtual channels of requests, then of their replies."""
        return numbers_of("exchange_vcs", self.exchange_vcs, 0)

    @property
    def longest_flits(self) -> int:
        """Length of the longest packet."""
        of_classes = [int(packet_lengths(c.packet_flits)[0].max()) for c in self.all_classes]
        return max([*of_classes, self.reply_flits, *self.exchange_lengths])

    def channels_of_a_port(self, class_vcs: int) -> int:
        """Virtual channels of a port when the routing has so many."""
        if self.exchange_flits:
            return self.port_vcs
        return class_vcs * (self.classes if self.reply_flits or self.class_channels == "own" else 1)

    def lane_flits(self, vcs: int) -> int:
        """Slots of a lane: its buffer, or all of its port's, which has so many virtual channels."""
        if self.buffer_policy == "private":
            return self.buffer_flits
        return self.port_buffer_flits or vcs * self.buffer_flits

    def parts_of_a_port(self, vcs: int) -> int:
        """Parts of a shared buffer; 1 where none is shared."""
        return 1 if self.buffer_policy == "private" else min(self.private_parts or vcs, vcs)

    def zero_load_cycles(self, routers: int, flits: int) -> int:
        """Latency of a packet alone in the network, injection of its head to ejection of its tail.

        `3 + R(rd+A+X) + (R-1)L + S-1` for R routers and S flits when all links take L (BookSim's formula).

        >>> SimConfig().zero_load_cycles(3, 16)
        32
        """
        if self.internal_speedup != 1.0:
            raise JumpnetError(f"internal_speedup {self.internal_speedup} found, 1 expected by the formula")
        step = self.routing_delay_cycles + self.allocation_delay_cycles + self.st_delay_cycles
        ends = 1 + 2 * self.terminal_link_cycles
        return ends + routers * step + (routers - 1) * self.link_cycles + flits - 1

    @classmethod
    def refuse_unknown(cls, names: Iterable[str]) -> None:
        """Raise JumpnetError for the first name that is no setting, also with what is BookSim's."""
        refuse_unknown(names, cls.model_fields)

    def replace(self, **changes: Any) -> SimConfig:
        """A checked copy with changes; raises JumpnetError."""
        return config_from({**self.model_dump(), **changes})


PRESETS: dict[str, dict[str, Any]] = {
    "booksim": {},
    "yang2001": {
        "packet_flits": "16",
        "least_vcs": 2,
        "routing_delay_cycles": 1,
        "vc_allocation_delay_cycles": 0,
        "switch_allocation_delay_cycles": 0,
        "warmup_cycles": 1000,
        "measure_cycles": 9000,
        "drain": False,
    },
    "jump1": {
        "packet_flits": "16",
        "buffer_flits": 16,
        "vc_reuse": "empty",
        "routing_delay_cycles": 1,
        "entry_vcs": 1,
    },
}
"""`booksim`: the input-queued router of BookSim 2 with its defaults. `yang2001`: Table IV, its two
virtual channels as the least number, for RDT(2,4,1)/alpha needs three (section IV.C.d). `jump1`: the router chip,
five clocks a hop (six or seven with routing_delay_cycles 2 or 3, when the bit-map is in a later flit)."""


def config_from(values: dict[str, Any]) -> SimConfig:
    """A checked configuration; raises JumpnetError in one line, with the nearest name for an unknown setting."""
    return make(SimConfig, values)


@public
def preset(name: str, **changes: Any) -> SimConfig:
    """The settings of a named preset (one of PRESETS), with some changed.

    Raises JumpnetError for an unknown preset or setting (the nearest is named), a value out of range, and settings that
    do not go together.

    >>> preset("yang2001", load=0.2).measure_cycles
    9000
    """
    if name not in PRESETS:
        raise unknown_name("preset", name, PRESETS)
    return config_from({**PRESETS[name], **changes})


def changed(config: SimConfig | None, name: str, settings: Mapping[str, Any]) -> SimConfig:
    """A configuration with some settings, or the preset of that name with them where there is none.

    Raises JumpnetError, also for what is no configuration.
    """
    if config is None:
        return preset(name, **settings)
    if not isinstance(config, SimConfig):
        raise JumpnetError(f"config {config!r:.40} found, a SimConfig (as jumpnet.sim.config.preset gives) expected")
    return config.replace(**settings)


def split_settings(
    values: Mapping[str, Any], other: type, beside: Iterable[str] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The simulator's settings, and those of another class, out of one list.

    beside: what else the caller takes. Raises JumpnetError for a name that neither class has.

    >>> from jumpnet.sim.multicast.config import MulticastConfig
    >>> split_settings({"load": 0.1, "destinations": 4}, MulticastConfig)
    ({'load': 0.1}, {'destinations': 4})
    """
    theirs = settings_of(other)
    refuse_unknown(values, (*theirs, *SimConfig.model_fields), beside)
    found = {key: value for key, value in values.items() if key in theirs}
    return {key: value for key, value in values.items() if key not in found}, found
