"""Sets of targets at every router as bits, and which of their elements are routers that packets end at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from jumpnet.analysis.deadlock.rows.bit_rows import set_bits, words_of
from jumpnet.analysis.deadlock.ways_to_graph.digits._sets import real
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System
from jumpnet.terms import I64, Array

__all__ = ["Layout"]

_Tree = tuple[I64, I64, Array]
MOST_ENTRIES = 1 << 24
"""Entries of a tree of digits in an order of its own."""


class Layout:
    """Where the bits of each digit lie in a row: of the destination's digits, then of other routers' in the header."""

    def __init__(self, system: System, others: int) -> None:
        self.system = system
        self.radix = system.radix * (1 + others)
        self.base = np.zeros(len(self.radix), np.int64)
        at = 0
        for d, k in enumerate(self.radix):
            if at & 63 and (at & 63) + k > 64:
                at = (at + 63) & ~63
            self.base[d] = at
            at += k
        self.words = words_of(at)
        self.seg = np.zeros((len(self.radix), self.words), np.uint64)
        for d, (first, k) in enumerate(zip(self.base.tolist(), self.radix, strict=True)):
            set_bits(self.seg[d], range(first, first + k))

    def pack(self, rows: Array, masks: Sequence[Array]) -> Array:
        """(B, W) uint64 of masks (B, k)."""
        made = np.zeros((len(rows), 64 * self.words), bool)
        for first, k, mask in zip(self.base.tolist(), self.radix, masks, strict=True):
            made[:, first : first + k] = mask & rows
        return np.ascontiguousarray(np.packbits(made, axis=1, bitorder="little")).view(np.uint64)

    def unpack(self, sets: Array) -> list[Array]:
        """Masks (B, k) of rows (B, W)."""
        bits = np.unpackbits(np.ascontiguousarray(sets).view(np.uint8), axis=1, bitorder="little").view(bool)
        return [bits[:, first : first + k] for first, k in zip(self.base.tolist(), self.radix, strict=True)]

    def everything(self, routers: int) -> Array:
        """(R, W): all sinks' digits, and all of any other router, at each of so many routers."""
        digit, sinks, count = self.system.digit, self.system.sinks, len(self.system.radix)
        masks = []
        for d, k in enumerate(self.radix):
            mask = np.zeros((1, k), bool)
            mask[0, digit[sinks, d] if d < count else digit[:, d % count]] = True
            masks.append(mask)
        return np.repeat(self.pack(np.ones((1, 1), bool), masks), routers, axis=0)

    def of_router(self, other: int) -> Array:
        """(R, W): for each router its own digits, as those of one of the other routers."""
        count = len(self.system.radix)
        made = np.zeros((len(self.system.digit), self.words), np.uint64)
        for d in range(count):
            bit = self.base[(1 + other) * count + d] + self.system.digit[:, d]
            made[np.arange(len(made)), bit >> 6] |= np.uint64(1) << (bit & 63).astype(np.uint64)
        return made

    def _tree(self, first: int | None) -> _Tree:
        """The sinks' digits as `_sets.real` reads them: their first bits and values in an order, and the tree of these.

        Where the digits say something twice, a value that is asked about comes first, and what is left of the router
        number next, of which products have one value: what has no sink is seen there, before the many other values.
        """
        if first not in self._trees:
            natural = list(range(len(self.system.radix)))
            rests = list(self.system.rests.values())
            chosen = list(dict.fromkeys([*([] if first is None else [first]), *rests, *natural])) if rests else natural
            tree = self._made(chosen, MOST_ENTRIES)
            self._trees[first] = self._made(natural) if tree is None else tree
        made = self._trees[first]
        assert made is not None
        return made

    @cached_property
    def _trees(self) -> dict[int | None, _Tree | None]:
        """Those that were made."""
        return {}

    def _made(self, order: Sequence[int], most: float = math.inf) -> _Tree | None:
        """The tree in one order; None where it has more entries than `most`."""
        digit, sinks = self.system.digit, self.system.sinks
        widest, at, node, levels = max(self.system.radix), 1, np.zeros(len(sinks), np.int64), []
        for d in order:
            names, which = np.unique(node * widest + digit[sinks, d], return_inverse=True)
            last = d == order[-1]
            below = sinks[np.unique(which, return_index=True)[1]] if last else at + np.arange(len(names))
            levels.append((names, below))
            node = at + which.reshape(-1)
            at += 0 if last else len(names)
        if at * widest > most:
            return None
        child = np.full((at, widest), -1, np.int64)
        for names, below in levels:
            child[names // widest, names % widest] = below
        return self.base[np.array(order)], np.array(self.system.radix)[np.array(order)], child

    def real(self, sets: Array, routers: I64, digit: int | None = None) -> Array:
        """(B, 1) bool, or (B, k) for each value of a digit: whether a product (B, W) holds a sink but routers[b]."""
        radix, at = (1, -1) if digit is None else (self.radix[digit], int(self.base[digit]))
        found = np.zeros((len(sets), radix), bool)
        mine = self.seg[0 if digit is None else digit]
        tree = self._tree(digit if digit is None or digit < len(self.system.radix) else None)
        real(sets, routers, at, mine, *tree, found)
        return found
