"""Recorded arrays: every load and store of a shared array leaves a reference on a tape, in the order of execution.

A program is a function `turn(tape, arrays, phase, p, k)`: processor p's k-th piece of work of a phase, False when it
has no more. `runner` lets the processors take turns, one piece each, until all are through; then comes a barrier, and
the next phase. So the order of the tape is one that a sequentially consistent machine could have run, the values are
those of that order, and a lock held within one piece is never met by another. Used by every file of this folder.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jumpnet.jit.linked import entry, kernel
from jumpnet.machine.records import BARRIER, BLOCK, LOCK, UNLOCK, Block, block_of
from jumpnet.terms import I64

__all__ = ["Shared", "Space", "Tape", "add", "inlined", "load", "lock", "new_tape", "runner", "store", "take_block",
           "unlock"]  # fmt: skip

FIRST_ADDRESS = 1 << 20
PAGE = 4096
LONGEST_PIECE = 1 << 13
"""References of one piece of work, at most."""
WRITE, KIND, PROCESSOR = 1, 1, 4
"""A word of the tape: write in bit 0, kind in bits 1 to 3, processor above; size in bits 24 and up."""
SIZE = 24
PHASE, PLACE, LEFT = 0, 1, 2
"""Words of a runner's cursor: the phase, whose turn it is, how many are not through with the phase."""


class Shared(NamedTuple):
    """An array in the shared space: element i lies at address base + i * step."""

    data: Any
    """(n,) the values."""
    base: int
    step: int
    """Bytes from one element to the next."""
    size: int
    """Bytes of an element."""


class Tape(NamedTuple):
    """References that were recorded and not yet taken."""

    address: I64
    word: I64
    """Processor, write, kind and size, packed."""
    used: I64
    """(1,) references on the tape."""


class Space:
    """Hands out shared memory, every array on a page of its own."""

    def __init__(self) -> None:
        self._next = FIRST_ADDRESS

    def array(self, data: Any, item_bytes: int = 0) -> Shared:
        """A shared array of these values (flattened), each `item_bytes` long in memory (by default as in NumPy)."""
        flat = np.ascontiguousarray(data).reshape(-1)
        size = item_bytes or flat.itemsize
        base = self._next
        self._next += -(-max(1, flat.size) * size // PAGE) * PAGE
        return Shared(flat, base, size, size)


def new_tape() -> Tape:
    """An empty tape of one block."""
    return Tape(np.zeros(BLOCK, np.int64), np.zeros(BLOCK, np.int64), np.zeros(1, np.int64))


def take_block(tape: Tape) -> Block:
    """What is on the tape, which is then empty."""
    n = int(tape.used[0])
    assert n <= len(tape.word), "a piece of work is longer than LONGEST_PIECE"
    address, word = tape.address[:n], tape.word[:n]
    tape.used[0] = 0
    proc = (word >> PROCESSOR) & ((1 << (SIZE - PROCESSOR)) - 1)
    return block_of(proc, address.copy(), word >> SIZE, (word & WRITE) == 1, (word >> KIND) & 7)


def inlined(function: Any) -> Any:
    """Compile into whatever calls it; it allocates nothing."""
    return kernel(function, inline=True)


@inlined
def note(tape, p, address, size, flags):
    """Append one record; one beyond the tape is counted only, which `take_block` refuses."""
    k = tape.used[0]
    if k < len(tape.word):
        tape.address[k] = address
        tape.word[k] = size << SIZE | p << PROCESSOR | flags
    tape.used[0] = k + 1


@inlined
def load(tape, p, a, i):
    """Processor p reads element i of a shared array."""
    note(tape, p, a.base + i * a.step, a.size, 0)
    return a.data[i]


@inlined
def store(tape, p, a, i, value):
    """Processor p writes element i of a shared array."""
    note(tape, p, a.base + i * a.step, a.size, WRITE)
    a.data[i] = value


@inlined
def add(tape, p, a, i, value):
    """Processor p adds to element i of a shared array: a load and a store."""
    store(tape, p, a, i, load(tape, p, a, i) + value)


@inlined
def lock(tape, p, locks, j):
    """Processor p takes lock j of an array of locks."""
    note(tape, p, locks.base + j * locks.step, locks.size, WRITE | LOCK << KIND)


@inlined
def unlock(tape, p, locks, j):
    """Processor p gives lock j back."""
    note(tape, p, locks.base + j * locks.step, locks.size, WRITE | UNLOCK << KIND)


def runner(turn: Any) -> Any:
    """The program whose pieces are `turn`, as a kernel that fills a tape block by block."""

    @entry
    def run(tape, cursor, done, arrays, barrier, phases):
        """Go on until the tape is nearly full (False) or the last phase is over (True).

        done (P,) pieces of work that each processor has done in the phase, -1 when it is through.
        """
        processors = len(done)
        room = len(tape.word) - max(LONGEST_PIECE, processors)
        while cursor[PHASE] < phases:
            while cursor[LEFT] > 0:
                if tape.used[0] > room:
                    return False
                p = cursor[PLACE]
                cursor[PLACE] = p + 1 if p + 1 < processors else 0
                if done[p] >= 0:
                    if turn(tape, arrays, cursor[PHASE], p, done[p]):
                        done[p] += 1
                    else:
                        done[p] = -1
                        cursor[LEFT] -= 1
            if tape.used[0] > room:
                return False
            for p in range(processors):
                note(tape, p, barrier.base, barrier.size, WRITE | BARRIER << KIND)
                done[p] = 0
            cursor[PHASE] += 1
            cursor[LEFT] = processors
        return True

    return run
