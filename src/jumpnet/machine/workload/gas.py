"""Rarefied gas: molecules fly through a box of cells, bounce off its walls, and collide with one that was in the same
cell before them (structure of MP3D of SPLASH, Singh et al., 1992; at its size in kudoh1995rhbd section 5.1).

Molecules are dealt out to processors in turn, cells are nobody's. Per step: each processor empties its share of the
cells; barrier; each moves its molecules, counts them into cells, collides; adds its collisions under a lock; barrier.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.jit.random import draw63, draws63, stream_key
from jumpnet.machine.workload._recorder import Shared, Space, add, inlined, load, lock, runner, store, unlock
from jumpnet.machine.workload._workload import Program, Workload, shares

__all__ = ["Gas"]

SEED = 1995
WORDS = 8
"""A molecule's record: position, velocity, cell, and a word of padding; 4 bytes each, one cache line."""
SPEED, CELL = 3, 6
NOBODY = -1


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    molecule: Shared
    """(molecules, WORDS) single precision."""
    met: Shared
    """(cells,) molecules that passed in this step."""
    waiting: Shared
    """(cells,) molecule that has found no partner yet, or NOBODY."""
    collisions: Shared
    """(steps,)."""
    lock: Shared
    molecules: int
    side: int
    """Cells of a side of the box, which are its units of length."""
    first_cell: Any
    """(P + 1,) shares of cells."""
    own_collisions: Any
    """(P,) private: collisions in this step."""
    key: int
    """Of the random directions."""


@inlined
def read(t, s, p, i, word):
    """A word of molecule i's record, in double precision."""
    return float(load(t, p, s.molecule, i * WORDS + word))


@inlined
def fly(t, s, p, i):
    """Move molecule i by one step, with mirror walls; returns its cell."""
    cell = 0
    for d in range(3):
        x, speed = read(t, s, p, i, d), read(t, s, p, i, SPEED + d)
        x += speed
        if x < 0.0 or x >= s.side:
            x = -x if x < 0.0 else 2.0 * s.side - x
            store(t, p, s.molecule, i * WORDS + SPEED + d, -speed)
        store(t, p, s.molecule, i * WORDS + d, x)
        cell = cell * s.side + min(int(x), s.side - 1)
    store(t, p, s.molecule, i * WORDS + CELL, cell)
    return cell


@inlined
def collide(t, s, p, i, j, number):
    """Turn the relative velocity of two molecules to a random one of the eight diagonals; the length is kept."""
    square = 0.0
    for d in range(3):
        relative = read(t, s, p, i, SPEED + d) - read(t, s, p, j, SPEED + d)
        square += relative * relative
    half = 0.5 * (square / 3.0) ** 0.5
    draw = draw63(s.key, number)
    for d in range(3):
        step = half if draw >> d & 1 else -half
        both = read(t, s, p, i, SPEED + d) + read(t, s, p, j, SPEED + d)
        store(t, p, s.molecule, i * WORDS + SPEED + d, 0.5 * both + step)
        store(t, p, s.molecule, j * WORDS + SPEED + d, 0.5 * both - step)


def turn(t, s, phase, p, k):
    """The k-th cell or molecule of processor p in this phase; after the last molecule, its collisions."""
    processors, step = len(s.own_collisions), phase // 2
    if phase % 2 == 0:
        cell = s.first_cell[p] + k
        if cell >= s.first_cell[p + 1]:
            return False
        store(t, p, s.met, cell, 0)
        store(t, p, s.waiting, cell, NOBODY)
        return True
    i = p + k * processors
    if i >= s.molecules:
        if s.own_collisions[p] == 0:
            return False
        lock(t, p, s.lock, 0)
        add(t, p, s.collisions, step, s.own_collisions[p])
        unlock(t, p, s.lock, 0)
        s.own_collisions[p] = 0
        return True
    cell = fly(t, s, p, i)
    add(t, p, s.met, cell, 1)
    partner = load(t, p, s.waiting, cell)
    if partner == NOBODY:
        store(t, p, s.waiting, cell, i)
    else:
        collide(t, s, p, i, partner, step * s.molecules + i)
        s.own_collisions[p] += 1
        store(t, p, s.waiting, cell, NOBODY)
    return True


@dataclass(frozen=True)
class Gas(Workload):
    """`gas:processors=256,molecules=1024,steps=10`."""

    name: ClassVar[str] = "gas"
    summary: ClassVar[str] = "rarefied gas in a box of cells, at MP3D's size"
    small: ClassVar[str] = "gas:processors=8,molecules=64,steps=6,side=3"
    checks: ClassVar[str] = "relative change of energy, or molecules lost,"
    tolerance: ClassVar[float] = 1e-4

    processors: int = 256
    molecules: int = 1024
    """Molecules in the box."""
    steps: int = 10
    """Steps in time."""
    side: int = 8
    """Cells of a side of the box."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("molecules", self.molecules <= 1 << 20, "at most 2**20")
        self.require("side", self.side <= 64, "at most 64")

    def program(self) -> Program:
        """Molecules, places in cells and speeds in cells a step drawn with a fixed seed; empty cells."""
        draws = draws63(stream_key(SEED, 0), np.arange(6 * self.molecules)).reshape(-1, 6) / 2.0**63
        records = np.zeros((self.molecules, WORDS), np.float32)
        records[:, :3] = self.side * draws[:, :3]
        records[:, 3:6] = draws[:, 3:] - 0.5
        energy = float((records[:, 3:6].astype(float) ** 2).sum())
        space = Space()
        cells = self.side**3
        arrays = Arrays(
            space.array(records),
            space.array(np.zeros(cells, np.int32)),
            space.array(np.full(cells, NOBODY, np.int32)),
            space.array(np.zeros(self.steps, np.int32)),
            space.array(np.zeros(1)),
            self.molecules,
            self.side,
            shares(cells, self.processors),
            np.zeros(self.processors, np.int64),
            stream_key(SEED, 1),
        )

        def error() -> float:
            after = arrays.molecule.data.reshape(-1, WORDS).astype(float)
            lost = abs(int(arrays.met.data.sum()) - self.molecules)
            return max(float(abs((after[:, 3:6] ** 2).sum() / energy - 1.0)), float(lost))

        return Program(RUN, arrays, space.array(np.zeros(1)), self.processors, 2 * self.steps, error)


RUN: Any = runner(inlined(turn))
