"""Bodies that attract each other, by a tree of cells (structure of BARNES of SPLASH-2, Woo et al., 1995; the method is
that of Barnes and Hut, 1986).

Bodies lie along a space-filling curve and every processor has a share of them, for the whole run, where SPLASH deals
them out anew by their work. Per step: the processors find the extent of all bodies, under a lock; barrier; each puts
its bodies into one tree of octants, taking the lock of a cell that it changes; barrier; each finds the centres of mass
of the cells that it has made, last made first, and looks again and again at a cell below that is not ready; barrier;
each goes through the tree for its bodies, and does not open cells that are farther away than they are wide; barrier;
each moves its bodies; barrier.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.jit.random import draw63, stream_key
from jumpnet.machine.workload._recorder import Shared, Space, inlined, load, lock, runner, store, unlock
from jumpnet.machine.workload._workload import Program, Workload, shares
from jumpnet.terms import F64

__all__ = ["Barnes"]

WORDS = 16
"""Of a record, 8 bytes each: four cache lines. A cell has 8 children first: 0 for none, body i as -1 - i, cell c as
1 + c."""
C_MASS, C_PLACE, C_READY = 8, 9, 12
B_MASS, B_PLACE, B_SPEED, B_PULL = 0, 1, 4, 7
LOCKS = 256
"""For all cells, by their numbers."""
DEEPEST = 48
"""Cells from the root down, at most: bodies that lie closer together than that are refused."""
NODES = 16
"""Of the tree, that a processor looks at in one piece of work."""
SOFT = 1e-3
"""Square of the distance at which two bodies no longer attract each other more."""
STEP = 0.025
PHASES = 5


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    body: Shared
    """(bodies, WORDS)."""
    cell: Shared
    """(processors * pool, WORDS); those that a processor has made begin at its number times `pool`."""
    extent: Shared
    """(1,) the largest coordinate, of either sign."""
    locks: Shared
    first: Any
    """(P + 1,) shares of bodies."""
    pool: int
    made: Any
    """(P,) private, as all below: cells made in this step; while their centres are found, cells left."""
    farthest: Any
    """(P,) the largest coordinate of the processor's own bodies."""
    stack: Any
    """(P, 8 * DEEPEST, 2) child and level of the nodes to look at; of the first, in its first row."""
    top: Any
    """(P,) nodes on the stack."""
    at: Any
    """(P,) bodies that are through with the tree."""
    pull: Any
    """(P, 3) acceleration of the body that is not."""


@inlined
def extend(t, s, p, k):
    """Look at body k of a processor; after the last one, tell all how far its bodies lie."""
    i = s.first[p] + k
    if k == 0:
        s.made[p] = 0
        s.farthest[p] = 0.0
        if p == 0:
            new_cell(t, s, 0)
    if i < s.first[p + 1]:
        for d in range(3):
            s.farthest[p] = max(s.farthest[p], abs(load(t, p, s.body, i * WORDS + B_PLACE + d)))
        return True
    if k > s.first[p + 1] - s.first[p]:
        return False
    lock(t, p, s.locks, LOCKS)
    if load(t, p, s.extent, 0) < s.farthest[p]:
        store(t, p, s.extent, 0, s.farthest[p])
    unlock(t, p, s.locks, LOCKS)
    return True


@inlined
def new_cell(t, s, p):
    """An empty cell of processor p; -1 where its part of memory is full."""
    if s.made[p] == s.pool:
        return -1
    c = p * s.pool + s.made[p]
    s.made[p] += 1
    for o in range(8):
        store(t, p, s.cell, c * WORDS + o, 0.0)
    store(t, p, s.cell, c * WORDS + C_READY, 0.0)
    return c


@inlined
def octant(x, y, z, middle):
    """In which eighth of a cell a place is."""
    return 4 * int(x >= middle[0]) + 2 * int(y >= middle[1]) + int(z >= middle[2])


@inlined
def inside(middle, half, o):
    """The middle of an eighth of a cell; `half` is half of that eighth's side."""
    x = middle[0] + (half if o & 4 else -half)
    y = middle[1] + (half if o & 2 else -half)
    return x, y, middle[2] + (half if o & 1 else -half)


@inlined
def place_of(t, s, p, i):
    """Where a body is."""
    b = i * WORDS + B_PLACE
    return load(t, p, s.body, b), load(t, p, s.body, b + 1), load(t, p, s.body, b + 2)


@inlined
def insert(t, s, p, i):
    """Put body i into the tree, which grows by a cell wherever two bodies are in one eighth."""
    half = load(t, p, s.extent, 0)
    x, y, z = place_of(t, s, p, i)
    node, middle = 0, (0.0, 0.0, 0.0)
    for _ in range(DEEPEST):
        o = octant(x, y, z, middle)
        half *= 0.5
        child = int(load(t, p, s.cell, node * WORDS + o))
        if child <= 0:
            lock(t, p, s.locks, node % LOCKS)
            child = int(load(t, p, s.cell, node * WORDS + o))
            if child < 0:
                c = new_cell(t, s, p)
                if c < 0:
                    unlock(t, p, s.locks, node % LOCKS)
                    return
                other = place_of(t, s, p, -1 - child)
                below = octant(other[0], other[1], other[2], inside(middle, half, o))
                store(t, p, s.cell, c * WORDS + below, float(child))
                store(t, p, s.cell, node * WORDS + o, 1.0 + c)
                child = 1 + c
            else:
                store(t, p, s.cell, node * WORDS + o, -1.0 - i)
            unlock(t, p, s.locks, node % LOCKS)
            if child == 0:
                return
        middle, node = inside(middle, half, o), child - 1


@inlined
def centre(t, s, p):
    """The centre of mass of the last cell that is left to a processor, if all cells below it are ready."""
    if s.made[p] == 0:
        return False
    c = (p * s.pool + s.made[p] - 1) * WORDS
    for o in range(8):
        child = int(load(t, p, s.cell, c + o))
        if child > 0 and load(t, p, s.cell, (child - 1) * WORDS + C_READY) == 0.0:
            return True
    mass, x, y, z = 0.0, 0.0, 0.0, 0.0
    for o in range(8):
        child = int(load(t, p, s.cell, c + o))
        if child != 0:
            a, b = (s.cell, (child - 1) * WORDS + C_MASS) if child > 0 else (s.body, (-1 - child) * WORDS + B_MASS)
            m = load(t, p, a, b)
            mass += m
            x += m * load(t, p, a, b + 1)
            y += m * load(t, p, a, b + 2)
            z += m * load(t, p, a, b + 3)
    store(t, p, s.cell, c + C_MASS, mass)
    store(t, p, s.cell, c + C_PLACE, x / mass)
    store(t, p, s.cell, c + C_PLACE + 1, y / mass)
    store(t, p, s.cell, c + C_PLACE + 2, z / mass)
    store(t, p, s.cell, c + C_READY, 1.0)
    s.made[p] -= 1
    return True


@inlined
def attract(t, s, p, here, side, child, level):
    """What a node of the tree does to the body of processor p at a place: it attracts, or its children are to do so."""
    a, b = (s.cell, (child - 1) * WORDS + C_MASS) if child > 0 else (s.body, (-1 - child) * WORDS + B_MASS)
    x, y, z = load(t, p, a, b + 1) - here[0], load(t, p, a, b + 2) - here[1], load(t, p, a, b + 3) - here[2]
    square = x * x + y * y + z * z
    if child > 0 and side * side >= square * 4.0**level:
        for o in range(8):
            below = int(load(t, p, s.cell, (child - 1) * WORDS + o))
            if below != 0:
                s.stack[p, s.top[p], 0], s.stack[p, s.top[p], 1] = below, level + 1
                s.top[p] += 1
        return
    square += SOFT
    strength = load(t, p, a, b) / (square * math.sqrt(square))
    s.pull[p, 0] += strength * x
    s.pull[p, 1] += strength * y
    s.pull[p, 2] += strength * z


@inlined
def walk(t, s, p, k):
    """Go on through the tree with a body of processor p, by some nodes."""
    if k == 0:
        s.at[p], s.top[p] = s.first[p], 0
    i = s.at[p]
    if i == s.first[p + 1]:
        return False
    if s.top[p] == 0:
        s.stack[p, 0, 0], s.stack[p, 0, 1], s.top[p] = 1, 0, 1
        s.pull[p] = 0.0
    here, side = place_of(t, s, p, i), 2.0 * load(t, p, s.extent, 0)
    for _ in range(NODES):
        if s.top[p] > 0:
            s.top[p] -= 1
            child, level = s.stack[p, s.top[p], 0], s.stack[p, s.top[p], 1]
            if child != -1 - i:
                attract(t, s, p, here, side, child, level)
    if s.top[p] == 0:
        for d in range(3):
            store(t, p, s.body, i * WORDS + B_PULL + d, s.pull[p, d])
        s.at[p] += 1
    return True


@inlined
def move(t, s, p, k):
    """Move body k of a processor; the first one forgets the extent of all."""
    i = s.first[p] + k
    if i >= s.first[p + 1]:
        return False
    if i == 0:
        store(t, p, s.extent, 0, 0.0)
    for d in range(3):
        speed = load(t, p, s.body, i * WORDS + B_SPEED + d) + STEP * load(t, p, s.body, i * WORDS + B_PULL + d)
        store(t, p, s.body, i * WORDS + B_SPEED + d, speed)
        store(t, p, s.body, i * WORDS + B_PLACE + d, load(t, p, s.body, i * WORDS + B_PLACE + d) + STEP * speed)
    return True


def turn(t, s, phase, p, k):
    """The k-th piece of processor p in this phase."""
    part = phase % PHASES
    if part == 0:
        return extend(t, s, p, k)
    if part == 1:
        if s.first[p] + k >= s.first[p + 1]:
            return False
        insert(t, s, p, s.first[p] + k)
        return True
    if part == 2:
        return centre(t, s, p)
    return walk(t, s, p, k) if part == 3 else move(t, s, p, k)


def _start(bodies: int, seed: int) -> F64:
    """(bodies, WORDS) bodies of one mass in a ball, densest in its middle, along a space-filling curve."""
    key, records, draw = stream_key(seed, 0), np.zeros((bodies, WORDS)), 0
    for i in range(bodies):
        place = np.full(3, 2.0)
        while (place * place).sum() > 1.0:
            place = np.array([draw63(key, draw + d) for d in range(3)]) / 2.0**62 - 1.0
            draw += 3
        more = np.array([draw63(key, draw + d) for d in range(4)]) / 2.0**63
        draw += 4
        records[i, B_PLACE : B_PLACE + 3], records[i, B_SPEED : B_SPEED + 3] = more[0] * place, more[1:] - 0.5
    records[:, B_MASS] = 1.0 / bodies
    whole = ((records[:, B_PLACE : B_PLACE + 3] + 1.0) * 512.0).astype(np.int64)
    bits = whole[:, :, None] >> np.arange(10) & 1
    curve = (bits << (3 * np.arange(10) + np.array([[2], [1], [0]]))).sum(axis=(1, 2))
    return records[np.argsort(curve, kind="stable")]


def _by_all_pairs(place: F64, mass: F64) -> F64:
    """(bodies, 3) acceleration of every body, from every other one."""
    pull = np.zeros_like(place)
    for i in range(len(place)):
        away = place - place[i]
        square = (away * away).sum(axis=1) + SOFT
        pull[i] = (away * (mass / square**1.5)[:, None]).sum(axis=0)
    return pull


@dataclass(frozen=True)
class Barnes(Workload):
    """`barnes:processors=32,bodies=512,steps=2,seed=1`."""

    name: ClassVar[str] = "barnes"
    summary: ClassVar[str] = "bodies that attract each other by a tree of cells, locks at its cells"
    small: ClassVar[str] = "barnes:processors=8,bodies=64,steps=2"
    checks: ClassVar[str] = "relative error of accelerations (inf where bodies found no cell)"
    tolerance: ClassVar[float] = 0.1

    processors: int = 32
    bodies: int = 512
    """Bodies."""
    steps: int = 2
    """Steps in time."""
    seed: int = 1
    """Which bodies, drawn at random."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("bodies", self.processors <= self.bodies <= 1 << 14, f"{self.processors} to 2**14")

    def program(self) -> Program:
        """Bodies of total mass 1 at places drawn with the seed; empty cells, a pool of them for each processor."""
        space, n, p = Space(), self.bodies, self.processors
        pool = 8 * -(-n // p) + 32
        arrays = Arrays(
            space.array(_start(n, self.seed)),
            space.array(np.zeros(p * pool * WORDS)),
            space.array(np.zeros(1)),
            space.array(np.zeros(LOCKS + 1), 32),
            shares(n, p),
            pool,
            np.zeros(p, np.int64),
            np.zeros(p),
            np.zeros((p, 8 * DEEPEST, 2), np.int64),
            np.zeros(p, np.int64),
            np.zeros(p, np.int64),
            np.zeros((p, 3)),
        )

        def error() -> float:
            body = arrays.body.data.reshape(-1, WORDS)
            place = body[:, B_PLACE : B_PLACE + 3] - STEP * body[:, B_SPEED : B_SPEED + 3]
            right = _by_all_pairs(place, body[:, B_MASS])
            wrong = body[:, B_PULL : B_PULL + 3] - right
            if arrays.cell.data[C_READY] and abs(float(arrays.cell.data[C_MASS]) - 1.0) > 1e-9:
                return math.inf
            return float(((wrong**2).sum() / (right**2).sum()) ** 0.5)

        return Program(RUN, arrays, space.array(np.zeros(1)), p, PHASES * self.steps, error)


RUN: Any = runner(inlined(turn))
