"""BookSim's classes of packets, priorities, and reads and writes: keys that may hold a list, one element a class.

A class without an element of its own has the last one. Source: the behaviour of BookSim2, commit 28f4329. Called by
`_meaning`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from jumpnet.errors import JumpnetError
from jumpnet.sim.config.traffic_class import packet_lengths
from jumpnet.spec import plain
from jumpnet.study.booksim._keys import Value
from jumpnet.study.booksim._networks import Target
from jumpnet.study.booksim._traffic import elements_of, injection, traffic

__all__ = ["classes_of"]

KINDS = ("read_request", "write_request", "read_reply", "write_reply")
"""In the order of `exchange_vcs`."""


def word_of(settings: Mapping[str, Value], key: str, c: int) -> str:
    """The element of a class, as it stands in the file."""
    elements = elements_of(str(settings[key]))
    if not elements:
        raise JumpnetError(f"{key} = {settings[key]} found, a value expected")
    return elements[min(c, len(elements) - 1)]


def number_of(settings: Mapping[str, Value], key: str, c: int) -> float:
    """The element of a class as a finite number; raises JumpnetError."""
    try:
        number = float(plain(word_of(settings, key, c)))
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise JumpnetError(f"{key} = {settings[key]} found, numbers expected")
    return number


def lengths_of(settings: Mapping[str, Value], c: int) -> str:
    """The lengths of the packets of a class: a number, or a mix `{1,5}` inside the list of classes."""
    sizes, rates = (elements_of(word_of(settings, key, c)) for key in ("packet_size", "packet_size_rate"))
    if len(sizes) == 1:
        return sizes[0]
    rates += rates[-1:] * (len(sizes) - len(rates))
    return "+".join(f"{size}*{rate}" for size, rate in zip(sizes, rates, strict=False))


def mean_of(lengths: str) -> float:
    """Mean length; raises JumpnetError."""
    sizes, weights = packet_lengths(lengths)
    return float(sizes @ weights)


def class_of(settings: Mapping[str, Value], found: Target, c: int) -> dict[str, Any]:
    """What one class sends."""
    lengths, rate = lengths_of(settings, c), number_of(settings, "injection_rate", c)
    own = {**settings, **{key: word_of(settings, key, c) for key in ("traffic", "injection_process")}}
    return {
        "load": rate if settings["injection_rate_uses_flits"] else rate * mean_of(lengths),
        "traffic": traffic(own, found),
        "injection": injection(own),
        "packet_flits": lengths,
    }


def exchange_load(settings: Mapping[str, Value], sizes: Mapping[str, int], requests: str) -> float:
    """Load of the requests, in flits: the injection rate counts packets, or flits of requests and replies together."""
    rate = number_of(settings, "injection_rate", 0)
    if settings["injection_rate_uses_flits"]:
        rate /= max(1, sum(sizes.values()) // 2)  # BookSim2 rounds its mean length of a request with its reply down
    return rate * mean_of(requests)


def vcs_of(settings: Mapping[str, Value], kind: str) -> tuple[int, int]:
    """First and last virtual channel of a kind; by default requests have the lower half of them, replies the upper."""
    half = int(settings["num_vcs"]) // 2
    least, most = (half, 2 * half - 1) if kind.endswith("reply") else (0, half - 1)
    begin, end = int(settings[f"{kind}_begin_vc"]), int(settings[f"{kind}_end_vc"])
    begin, end = least if begin < 0 else begin, most if end < 0 else end
    if not begin <= end < int(settings["num_vcs"]):
        raise JumpnetError(f"{kind}_begin_vc = {begin}, {kind}_end_vc = {end} found, a range of num_vcs expected")
    return begin, end


def exchange_vcs(settings: Mapping[str, Value]) -> tuple[list[int], int]:
    """First virtual channel of each kind, and how many each has."""
    ranges = [vcs_of(settings, kind) for kind in KINDS]
    widths = sorted({end - begin + 1 for begin, end in ranges})
    if len(widths) > 1:
        raise JumpnetError(
            f"virtual channels of reads and writes in ranges of {' and '.join(map(str, widths))} found; one "
            "length is supported, as a routing is bound to one number of channels"
        )
    return [begin for begin, _ in ranges], widths[0]


def exchange_of(settings: Mapping[str, Value]) -> dict[str, Any]:
    """Reads and writes with their replies: lengths, load, and virtual channels."""
    sizes = {kind: int(number_of(settings, f"{kind}_size", 0)) for kind in KINDS}
    writes = number_of(settings, "write_fraction", 0)
    requests = f"{sizes['read_request']}*{1.0 - writes}+{sizes['write_request']}*{writes}"
    first, width = exchange_vcs(settings)
    return {
        "load": exchange_load(settings, sizes, requests),
        "packet_flits": requests,
        "exchange_flits": f"{sizes['read_reply']},{sizes['write_reply']}",
        "exchange_vcs": ",".join(map(str, first)),
        "exchange_subnets": ",".join(str(settings[f"{kind}_subnet"]) for kind in KINDS),
        "vcs": width,
        "port_vcs": int(settings["num_vcs"]),
    }


def classes_of(settings: Mapping[str, Value], found: Target) -> dict[str, Any]:
    """The simulator's settings of what is sent and who goes first; raises JumpnetError for what is not supported."""
    count = int(settings["classes"])
    if count < 1 or count > 8:
        raise JumpnetError(f"classes = {count} is not supported, 1 to 8 expected")
    values = {"vcs": int(settings["num_vcs"]), **class_of(settings, found, 0)}
    exchange = [number_of(settings, "use_read_write", c) != 0 for c in range(count)]
    if any(exchange) and count > 1:
        raise JumpnetError(
            f"use_read_write = {settings['use_read_write']} with several classes is not supported, 0 expected"
        )
    if exchange[0]:
        values |= exchange_of(settings)
    if count > 1:
        if settings["hold_switch_for_packet"]:
            raise JumpnetError("hold_switch_for_packet = 1 with several classes is not supported, 0 expected")
        priorities = [int(number_of(settings, "class_priority", c)) for c in range(count)]
        values["class_priority"] = priorities[0]
        values["more_classes"] = [{**class_of(settings, found, c), "priority": priorities[c]} for c in range(1, count)]
    if settings["priority"] != "class" or count > 1:
        values["priority"] = settings["priority"]
    return values
