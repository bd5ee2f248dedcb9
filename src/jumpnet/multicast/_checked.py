"""The checked pass of a scheme of a user's own: some multicasts, in plain Python under guard, before kernels call it.

Its maps, rule and closed form are run on drawn sets of destinations of a territory: the walk of the tree must reach
every destination, and as many leaves as the closed form says. Ours are not tried here; tests do so. Called by whatever
asks a scheme for maps or receivers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.multicast._sample import count_prefixes
from jumpnet.multicast._scheme import Digits, Maps, Scheme, unpack
from jumpnet.own.bounded import bounded
from jumpnet.own.strict import reads
from jumpnet.own.trial import UNLIKE, Fault, Trial, guarded, place, shown, whole

__all__ = ["check", "counted"]

SIZES = (1, 2, 3, 6)
"""Destinations of the sets tried at each top rank."""
DRAWN = 3
"""Sets of each size."""
MOST_NODES = 500
"""Nodes of the tree that one walk asks; a larger one is not held against its closed form."""


def counted(scheme: Scheme, where: Any) -> Any:
    """The closed form for kernels on these territories, after the pass. Raises JumpnetError at the first fault."""
    check(scheme, where)
    return scheme.pointer


_passed: WeakKeyDictionary[Scheme, set[Any]] = WeakKeyDictionary()


def check(scheme: Scheme, where: Any) -> None:
    """The pass, once for each territories' ranks and fanout. Raises JumpnetError at the first fault."""
    if not scheme.own:
        return
    known = _passed.setdefault(scheme, set())
    functions = scheme.maps, scheme.rule, scheme.count, scheme.header_bits
    key = where.top, where.n, *map(reads, functions)
    if key not in known:
        _pass(scheme, where.top, where.fanout, where.stride)
        known.add(key)


@bounded(lambda scheme, *about: f"multicast scheme {scheme.name}: {place(scheme.rule)}")
def _pass(scheme: Scheme, highest: int, fanout: int, stride: int) -> None:
    tried = _Tried(scheme, fanout, stride)
    try:
        for top, strings in _sets(highest, fanout, stride):
            tried.one(top, strings)
    except Fault as fault:
        raise JumpnetError(f"multicast scheme {scheme.name}: {fault}") from None


def _sets(highest: int, fanout: int, stride: int) -> Iterator[tuple[int, list[int]]]:
    """Top rank and packed digits of sets of different destinations, near ones and far ones."""
    chance = np.random.default_rng(1)
    for top in range(highest + 1):
        for size in SIZES * DRAWN:
            digits = chance.integers(0, fanout, (size, top + 1)) * (chance.random((size, top + 1)) < 0.6)
            strings = {sum(int(d) << (stride * r) for r, d in enumerate(row)) for row in digits}
            yield top, sorted(strings)


class _Tried:
    """The functions of a scheme under guard."""

    def __init__(self, scheme: Scheme, fanout: int, stride: int) -> None:
        self.scheme, self.fanout, self.stride = scheme, fanout, stride
        who = f"multicast scheme {scheme.name}"
        self.count = Trial(scheme.count, who)
        plain = (scheme.maps, scheme.rule, scheme.header_bits)
        self.maps, self.rule, self.bits = (Trial(function, who, compiled=False) for function in plain)

    def one(self, top: int, strings: list[int]) -> None:
        """One set of destinations: what each function gives, and that they agree."""
        digits = tuple(unpack(string, top + 1, self.stride) for string in strings)
        maps = _checked_maps(self.scheme, self.maps(digits), top, self.fanout)
        _number(self.bits, self.bits(top + 1, self.fanout), 1 << 62, "bits of a header")
        packed, most = np.array(strings, np.int64), self.fanout ** (top + 1)
        found = self.count(guarded(packed, "digits"), len(strings), top, self.stride, self.fanout)
        _number(self.count, found, most, "receivers")
        leaves = self._leaves(maps, top)
        self._delivers(maps, top, digits)
        if leaves is not None and leaves != found:
            raise self.count.at(f"{found} receivers given for digits {shown(digits)}, the rule's tree has {leaves}")
        self._agree(packed, top, int(found))

    def _mask(self, maps: Maps, top: int, node: Digits) -> int:
        """Children of a node, by its digits from the top rank down."""
        rank, every = top - len(node), (1 << self.fanout) - 1
        about = self.scheme.read(maps, rank, node), self.scheme.is_local(node), rank == top, every
        return _number(self.rule, self.rule(*about), every, "children as a mask")

    def _leaves(self, maps: Maps, top: int) -> int | None:
        """Leaves that receive, or None where too many nodes are asked."""
        nodes: list[Digits] = [()]
        for _ in range(top):
            if len(nodes) > MOST_NODES:
                return None
            masks = [(node, self._mask(maps, top, node)) for node in nodes]
            nodes = [(*node, child) for node, mask in masks for child in range(self.fanout) if mask >> child & 1]
        if len(nodes) > MOST_NODES:
            return None
        return sum(self._mask(maps, top, node).bit_count() for node in nodes)

    def _delivers(self, maps: Maps, top: int, digits: tuple[Digits, ...]) -> None:
        for string in digits:
            way = string[::-1]
            for length, child in enumerate(way):
                if not self._mask(maps, top, way[:length]) >> child & 1:
                    told = f"the destination of digits {string} is not reached, in a multicast to {shown(digits)}"
                    raise self.rule.at(told)

    def _agree(self, packed: Any, top: int, found: int) -> None:
        """Refuse a closed form that gives another number when compiled."""
        out = np.zeros((1, 1), np.int64)
        at, tops = np.array([packed.size], np.int64), np.array([[top]], np.int64)
        count_prefixes(self.scheme.pointer, packed.reshape(1, -1), tops, self.stride, self.fanout, at, out)
        self.scheme.refuse_fault(out)
        if out[0, 0] != found:
            told = f"compiled, it gives {out[0, 0]}; in plain Python {found} {UNLIKE}"
            raise self.count.at(told)


def _number(trial: Trial, value: Any, most: int, what: str) -> int:
    if not whole(value) or not 0 <= value <= most:
        raise trial.at(f"{shown(value)} given, {what} expected, a whole number of 0 to {most}")
    return int(value)


def _checked_maps(scheme: Scheme, maps: Any, top: int, fanout: int) -> Maps:
    """The maps of a header, as they must be; raises Fault."""

    def at(reason: str) -> Fault:
        return Fault(f"{place(scheme.maps)}: {reason}")

    if not isinstance(maps, Mapping):
        raise at(f"maps {shown(maps)} given, a mapping of (rank, node) to bit-maps expected")
    for key, bit_map in maps.items():
        known = isinstance(key, tuple) and len(key) == 2 and whole(key[0]) and isinstance(key[1], tuple)
        if not known or not 0 <= key[0] <= top:
            raise at(f"a map for {shown(key)} given, (rank, node) with a rank of 0 to {top} expected")
        if not whole(bit_map) or not 0 <= bit_map < 1 << fanout:
            raise at(f"the map {shown(bit_map)} given for {shown(key)}, {fanout} bits expected")
    return maps
