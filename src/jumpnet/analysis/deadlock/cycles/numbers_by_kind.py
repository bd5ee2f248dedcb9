"""Numbers of channels by their kind, where kinds alone have an order: a proof of hundreds of millions of dependencies.

A kind is the class of a link (rank or level, and direction) and the virtual channel. If kinds can be numbered so that
each dependency leads to a kind of a higher number, these are numbers of the channels. If they cannot, it says nothing,
but where the graph looks alike from every router. Called by `prove` and `digits`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.deadlock.bit_rows import kinds_met
from jumpnet.analysis.deadlock.cycles.order import numbering
from jumpnet.networks import Network
from jumpnet.terms import I64, Array

__all__ = ["numbers_by_kind", "numbers_by_port"]

MOST_KINDS = 1 << 12


def numbers_by_kind(net: Network, vcs: int, bits: Array, base: I64) -> I64 | None:
    """(C,) numbers that ascend along all dependencies and are the same for all channels of a kind, if there are any.

    bits (C, W), base (C,): the graph, see `Dependencies`. Cost: some nanoseconds a dependency, and no list of them.

    >>> from jumpnet.analysis.deadlock.dependency import dependencies
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> made = dependencies(bind("dragonfly.minimal", build("dragonfly:2")))
    >>> len(np.unique(numbers_by_kind(made.bound.network, made.bound.vcs, made.bits, made.base)))
    4
    """
    link = np.maximum(net.link_class.reshape(-1).astype(np.int64), 0)
    return _numbers((link[:, None] * vcs + np.arange(vcs)).reshape(-1), bits, base)


def numbers_by_port(slots: int, bits: Array, base: I64) -> I64 | None:
    """(C,) likewise, where kinds are port and virtual channel, of which a router has so many.

    Where every router has the same dependencies, moved, and moves are a finite group (`translation`), None says that
    there is a cycle: one of kinds, gone round often enough, comes back to the router that it began at.
    """
    return _numbers(np.arange(len(bits)) % slots, bits, base)


def _numbers(kind: I64, bits: Array, base: I64) -> I64 | None:
    kinds = int(kind.max(initial=0)) + 1
    if kinds > MOST_KINDS:
        return None
    met = np.zeros((kinds, kinds), bool)
    kinds_met(bits, base, kind, met)
    holder, wanted = np.nonzero(met)
    number = numbering(np.searchsorted(holder, np.arange(kinds + 1)), wanted.astype(np.int32))
    return None if number is None else number[kind]
