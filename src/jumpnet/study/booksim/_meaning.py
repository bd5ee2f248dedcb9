"""What a BookSim configuration means here: a network, a routing, and the settings of the simulator.

A key whose value the simulator cannot give the same meaning is refused by name; keys that do not change the figures
(output files, watching, power) are accepted. Source: the behaviour of BookSim2, commit 28f4329.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, get_args

from jumpnet.errors import JumpnetError
from jumpnet.sim.config.parameters import BOOKSIM, BROUGHT, BufferPolicy
from jumpnet.sim.config.sim_config import SimConfig, config_from
from jumpnet.sim.memory.shape import PRIORITIES
from jumpnet.spec import plain
from jumpnet.study.booksim._allocators import allocators
from jumpnet.study.booksim._classes import classes_of
from jumpnet.study.booksim._keys import DEFAULTS, Value
from jumpnet.study.booksim._networks import Target, target
from jumpnet.study.booksim._routings import channels_fit, with_channels

__all__ = ["meaning", "with_key"]

ONLY: Mapping[str, tuple[tuple[Value, ...], str]] = {
    "router": (("iq",), "the event and chaos routers do not run in BookSim2 either"),
    "link_failures": ((0,), "jumpnet simulate --fault is for failures"),
    "buffer_policy": (get_args(BufferPolicy), "a feedback policy keeps account of every credit as it comes back"),
    "private_buf_start_vc": (("-1",), "private parts of a shared buffer are neighbouring virtual channels, in order"),
    "private_buf_end_vc": (("-1",), "private parts of a shared buffer are neighbouring virtual channels, in order"),
    "priority": (PRIORITIES, "BookSim2 knows no other"),
    "include_queuing": ((1,), "packet latency begins when a packet is created"),
    "sim_count": ((1,), "one run is one result"),
}
"""Keys that must have one of these values, and why the simulator has no other. BookSim2 reads `channel_file` and
`output_delay` nowhere, `arb_type` not for its routers, `vct` in its event router only, `max_held_slots` only with
`buffer_policy = limited`."""

SPECULATIVE: Mapping[str, Value] = {"spec_sw_allocator": "prio", "spec_check_elig": 1, "spec_check_cred": 1}
"""How speculation grants here. `spec_mask_by_reqs` says something of other `spec_sw_allocator` only."""
MADE_OF: Mapping[str, str] = {
    "buffer_flits": "vc_buf_size or buf_size",
    "load": "injection_rate and packet_size",
    "warmup_cycles": "warmup_periods and sample_period",
    "measure_cycles": "max_samples and sample_period",
    "max_cycles": "max_samples and sample_period",
    "allocator_iterations": "sw_allocator",
    "vc_allocator_iterations": "vc_allocator",
}
"""Settings that are made of other keys, or of several, than `BOOKSIM` has."""
DETERMINISTIC = ("dor", "dim_order", "dor_no_express")
"""Routing functions that lookahead with `noq` can use: one output a hop, of which it is known when the packet comes."""


def _one_number(settings: Mapping[str, Value], key: str) -> float:
    """The single number of a key that is read as a word."""
    text = str(settings[key]).strip("{}")
    try:
        number = float(plain(text))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise JumpnetError(f"{key} = {settings[key]} found, one number expected")
    return number


def _buffer_flits(settings: Mapping[str, Value]) -> int:
    """Flits of the buffer of a virtual channel: its part of `buf_size`, where that is given."""
    whole = int(settings["buf_size"])
    return whole // max(1, int(settings["num_vcs"])) if whole > 0 else int(settings["vc_buf_size"])


def _shared_buffer(settings: Mapping[str, Value]) -> dict[str, Any]:
    """The settings of a buffer that virtual channels share."""
    if settings["buffer_policy"] == "private":
        return {"buffer_flits": _buffer_flits(settings)}
    vcs, whole, parts = (int(settings[key]) for key in ("num_vcs", "buf_size", "private_bufs"))
    size = vcs * int(settings["vc_buf_size"]) if whole < 0 else whole
    parts = vcs if parts < 0 else max(1, parts)
    own, most = int(_one_number(settings, "private_buf_size")), int(settings["max_held_slots"])
    if parts > vcs:
        raise JumpnetError(f"private_bufs = {parts} found, at most num_vcs = {vcs} expected, as BookSim2 does")
    return {
        "buffer_flits": int(settings["vc_buf_size"]),
        "buffer_policy": settings["buffer_policy"],
        "port_buffer_flits": size,
        "private_parts": parts,
        "private_flits": size // parts if own < 0 else own,
        "held_flits": max(0, most) if settings["buffer_policy"] == "limited" else 0,
    }


def _output_buffer_flits(settings: Mapping[str, Value]) -> int:
    """Room at outputs, 0 where no flit ever waits there: one comes a cycle, and one goes."""
    stages = settings["sw_alloc_delay"], int(settings["st_prepare_delay"]) + int(settings["st_final_delay"])
    speedup = max(float(settings["output_speedup"]), float(settings["internal_speedup"]))
    return max(0, int(settings["output_buffer_size"])) if speedup > 1.0 or max(map(int, stages)) > 1 else 0


def with_key(message: str) -> str:
    """What was found in a setting, after the key that it comes from where that is called otherwise.

    >>> with_key("vcs 0 found, 1 to 64 expected"), with_key("input_speedup 0 found, 1 to 16 expected")
    ('num_vcs: vcs 0 found, 1 to 64 expected', 'input_speedup 0 found, 1 to 16 expected')
    """
    setting = message.partition(" ")[0]
    key = MADE_OF.get(setting, BOOKSIM.get(setting, setting))
    return message if key == setting else f"{key}: {message}"


def _refuse_the_rest(settings: Mapping[str, Value]) -> None:
    for key, (allowed, why) in ONLY.items():
        if settings[key] not in allowed:
            words = " or ".join(str(a) if a != "" else "nothing" for a in allowed)
            raise JumpnetError(f"{key} = {settings[key]} is not supported ({why}), {words} expected")
    if settings["sim_type"] not in ("latency", "throughput", "batch"):
        raise JumpnetError(
            f"sim_type = {settings['sim_type']} is not supported, latency or throughput or batch expected"
        )
    if settings["sim_type"] == "batch":
        _refuse_in_batches(settings)
    for key, usual in SPECULATIVE.items():
        if int(settings["speculative"]) > 0 and settings[key] != usual:
            raise JumpnetError(f"{key} = {settings[key]} with speculative = 1 is not supported, {usual} expected")
    if int(settings["noq"]) < 0:
        raise JumpnetError(f"noq = {settings['noq']} found, 0 or 1 expected: below 0 only BookSim2's sources heed it")
    room = int(settings["output_buffer_size"])
    if room != -1 and room < 1:  # with 0 BookSim2 lets nothing through the switch
        raise JumpnetError(f"output_buffer_size = {room} found, flits from 1 or -1 (no limit) expected")
    if int(settings["max_samples"]) < 1 and settings["sim_type"] != "batch":  # BookSim2 ends without figures
        raise JumpnetError(f"max_samples = {settings['max_samples']} found, periods from 1 expected")


def _refuse_in_batches(settings: Mapping[str, Value]) -> None:
    """Raise JumpnetError for copies of the network, and for kinds of packets whose number BookSim2 counts together."""
    for key, usual in (("classes", 1), ("use_read_write", "0"), ("subnets", 1)):
        if str(settings[key]).strip("{}") != str(usual):
            raise JumpnetError(f"{key} = {settings[key]} with sim_type = batch is not supported, {usual} expected")


def meaning(given: Mapping[str, Value], folder: str = ".") -> tuple[Target, SimConfig]:
    """The network with its routing, and the simulator's settings, of the keys that a configuration sets.

    Raises JumpnetError with the one key that is not supported.
    """
    settings: dict[str, Value] = {**DEFAULTS, **given}
    _refuse_the_rest(settings)
    found = target({**settings, "_folder": folder})
    if settings["noq"] and (settings["routing_delay"] or settings["routing_function"] not in DETERMINISTIC):
        raise JumpnetError("noq = 1 found, with it routing_delay = 0 and routing_function = dor or dim_order expected")
    period = int(settings["sample_period"])
    warmup = max(0, int(settings["warmup_periods"])) * period
    measured = max(period, int(settings["max_samples"]) * period - warmup)  # BookSim 2 counts the warm-up's periods too
    throughput = settings["sim_type"] == "throughput"
    sent = classes_of(settings, found)
    channels_fit(settings, sent["vcs"])
    found = found._replace(routing=with_channels(found.routing, sent["vcs"], bool(settings["noq"])))
    values: dict[str, Any] = {
        **sent,
        **_shared_buffer(settings),
        "vc_reuse": "empty" if settings["wait_for_tail_credit"] else "tail",
        "routing_delay_cycles": int(settings["routing_delay"]),
        "vc_allocation_delay_cycles": int(settings["vc_alloc_delay"]),
        "switch_allocation_delay_cycles": int(settings["sw_alloc_delay"]),
        "st_prepare_delay_cycles": int(settings["st_prepare_delay"]),
        "st_final_delay_cycles": int(settings["st_final_delay"]),
        "channels_by_next_output": bool(settings["noq"]),
        "subnets": int(settings["subnets"]),
        "stage_batches": True,
        "credit_delay_cycles": int(settings["credit_delay"]),
        "link_cycles": found.link_cycles,
        "speculation": int(settings["speculative"]) > 0,
        **allocators(settings),
        "vc_needs_credit": int(settings["vc_busy_when_full"]) > 0,
        "vc_empty_first": int(settings["vc_prioritize_empty"]) > 0,
        "input_speedup": int(settings["input_speedup"]),
        "output_speedup": int(settings["output_speedup"]),
        "internal_speedup": float(settings["internal_speedup"]),
        "hold_switch": int(settings["hold_switch_for_packet"]) > 0,
        "output_buffer_flits": _output_buffer_flits(settings),
        "priority_donation": bool(settings["vc_priority_donation"]) and sent.get("priority") in BROUGHT,
        "vc_asks_by_channel": int(settings["vc_shuffle_requests"]) > 0,
        "seed": abs(int(_one_number(settings, "seed"))),
        "warmup_cycles": warmup if int(settings["warmup_periods"]) > 0 else None,  # found by itself, as in BookSim 2
        "measure_cycles": measured if throughput else None,
        "max_cycles": warmup + measured,
        "batch_cycles": max(1, period // 10),
        "drain": not throughput,
        "precision": _one_number(settings, "stopping_thres"),
    }
    if settings["sim_type"] == "batch":
        values["load"] = 0.0  # which is not looked at
    try:
        return found, config_from(values)
    except JumpnetError as error:
        raise JumpnetError(with_key(str(error))) from None
