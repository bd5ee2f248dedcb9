"""Hot spot: all packets go to a few terminals, equally or by weight; the RDT paper uses 128 of 4096.

`hotspot:count=128,seed=1` draws the terminals; `hotspot:nodes=3-17-40,weights=2-1-1` names them.
Source: yang2001rdt section IV.B; Pfister and Norton (1985) for the idea.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.spec import is_count
from jumpnet.terms import I64
from jumpnet.traffic._hash import hash_draws
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._weighted import pick

__all__ = ["HOTSPOT"]


def destination(own, source, draw):
    """own = [k, running totals of the k weights, the k terminals]."""
    k = own[0]
    return own[1 + k + pick(own, 1, k, draw)]


def _numbers(key: str, text: str) -> list[int]:
    words = text.split("-") if text else []
    if not all(is_count(word) for word in words):
        raise JumpnetError(f"hotspot: {key}={text!r} found, numbers joined by - expected")
    return [int(word) for word in words]


def _weights(options: Mapping[str, Any], count: int) -> list[int]:
    weights = _numbers("weights", options["weights"]) or [1]
    if len(weights) > count or min(weights) < 1:
        raise JumpnetError(f"hotspot: weights={options['weights']!r} found, at most {count} positive numbers expected")
    return weights + weights[-1:] * (count - len(weights))


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    nodes: list[int] = _numbers("nodes", options["nodes"])
    if not nodes:
        if not 1 <= options["count"] <= net.endpoints:
            raise JumpnetError(f"hotspot: count={options['count']} found, 1 to {net.endpoints} expected")
        order = np.argsort(hash_draws(options["seed"], net.endpoints), kind="stable")
        nodes = sorted(int(t) for t in order[: options["count"]])
    if max(nodes) >= net.endpoints:
        raise JumpnetError(f"hotspot: terminal {max(nodes)} found, 0 to {net.endpoints - 1} expected in {net.spec}")
    if again := [node for node, times in Counter(nodes).items() if times > 1]:
        found = f"hotspot: terminal {again[0]} found twice, each once expected"
        raise JumpnetError(f"{found}; weights= says how much goes to each")
    totals = np.cumsum(_weights(options, len(nodes)))
    return np.concatenate([[len(nodes)], totals, nodes])


def _draws(net: Network, options: Mapping[str, Any]) -> int:
    own = _prepare(net, options)
    return int(own[own[0]])


HOTSPOT = Pattern(
    name="hotspot",
    destination=destination,
    prepare=_prepare,
    draws=_draws,
    options={"count": 1, "seed": 1, "nodes": "", "weights": ""},
    meanings={
        "count": "Terminals that are drawn, where `nodes` names none.",
        "seed": "Which terminals are drawn.",
        "nodes": "The terminals, joined by -.",
        "weights": "Weights of the terminals, joined by -; the last one is for all that follow, 1 when empty.",
    },
    source="yang2001rdt section IV.B",
    summary="every packet to one of a few terminals, equally or by weight",
)
