"""Molecular dynamics of all pairs, at the size of WATER in kudoh1995rhbd section 5.1: one site a molecule where WATER
has three, in records as long as its (structure of WATER-NSQUARED of SPLASH-2, Woo et al., ISCA 1995).

Per step: each processor moves its molecules; barrier; computes the forces of its molecules on the half of the others
that follow them, in a private array; barrier; adds that array to the molecules under their locks; barrier; speeds its
molecules up and adds its energies under one lock; barrier. Velocity Verlet, Lennard-Jones, periodic box.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from jumpnet.jit.random import draws63, stream_key
from jumpnet.machine.workload._recorder import Shared, Space, add, inlined, load, lock, runner, store, unlock
from jumpnet.machine.workload._workload import Program, Workload, shares

__all__ = ["Water"]

SEED = 1995
RECORD = 84
"""Numbers of a molecule's record: position, velocity, force, and the room that WATER's derivatives take."""
SPEED, FORCE = 3, 6
STEP = 0.002
DENSITY = 0.6
CUT = 2.5
"""Time step, molecules a volume and cut-off, in Lennard-Jones units."""


class Arrays(NamedTuple):
    """What the program works on; private arrays leave no references."""

    molecule: Shared
    """(n, RECORD)."""
    energy: Shared
    """(2, steps) kinetic and potential energy."""
    lock: Shared
    """(n + 1,) of the molecules, then of the energies."""
    n: int
    box: float
    steps: int
    first: Any
    """(P + 1,) shares of molecules."""
    own_force: Any
    """(P, n, 3) private."""
    own_energy: Any
    """(P, 2) private."""


@inlined
def move(t, s, p, i):
    """First half of a velocity Verlet step, and the force cleared."""
    for d in range(3):
        at = i * RECORD + d
        speed = load(t, p, s.molecule, at + SPEED) + 0.5 * STEP * load(t, p, s.molecule, at + FORCE)
        x = load(t, p, s.molecule, at) + STEP * speed
        x += s.box if x < 0.0 else -s.box if x >= s.box else 0.0
        store(t, p, s.molecule, at + SPEED, speed)
        store(t, p, s.molecule, at, x)
        store(t, p, s.molecule, at + FORCE, 0.0)


@inlined
def pair(t, s, p, i, j):
    """The force between two molecules, to the private array; Lennard-Jones, shifted to be 0 at the cut-off."""
    square = 0.0
    for d in range(3):
        x = load(t, p, s.molecule, i * RECORD + d) - load(t, p, s.molecule, j * RECORD + d)
        x -= s.box if x > 0.5 * s.box else -s.box if x < -0.5 * s.box else 0.0
        s.own_force[p, s.n, d] = x
        square += x * x
    if square < CUT * CUT:
        sixth, at_cut = 1.0 / (square * square * square), 1.0 / CUT**6
        s.own_energy[p, 1] += 4.0 * (sixth * sixth - sixth) - 4.0 * (at_cut * at_cut - at_cut)
        strength = (48.0 * sixth * sixth - 24.0 * sixth) / square
        for d in range(3):
            push = strength * s.own_force[p, s.n, d]
            s.own_force[p, i, d] += push
            s.own_force[p, j, d] -= push


@inlined
def hand_in(t, s, p, i):
    """Add the private force on molecule i to its record, under its lock."""
    if s.own_force[p, i, 0] == 0.0 and s.own_force[p, i, 1] == 0.0 and s.own_force[p, i, 2] == 0.0:
        return
    lock(t, p, s.lock, i)
    for d in range(3):
        add(t, p, s.molecule, i * RECORD + FORCE + d, s.own_force[p, i, d])
        s.own_force[p, i, d] = 0.0
    unlock(t, p, s.lock, i)


@inlined
def speed_up(t, s, p, i):
    """Second half of the step."""
    for d in range(3):
        at = i * RECORD + d
        speed = load(t, p, s.molecule, at + SPEED) + 0.5 * STEP * load(t, p, s.molecule, at + FORCE)
        store(t, p, s.molecule, at + SPEED, speed)
        s.own_energy[p, 0] += 0.5 * speed * speed


def turn(t, s, phase, p, k):
    """The k-th molecule or pair of processor p in this phase; at the end of a step, its energies."""
    part = phase % 4
    mine = s.first[p + 1] - s.first[p]
    if part == 1:
        others = s.n // 2
        i, j = s.first[p] + k // others, k % others + 1
        if i >= s.first[p + 1]:
            return False
        # Half of the others each; where n is even, the opposite molecule belongs to the lower of both.
        if not (s.n % 2 == 0 and j == others and i >= others):
            pair(t, s, p, i, (i + j) % s.n)
        return True
    if part == 2:
        # Every processor starts at its own molecules, so that they do not all wait for the same lock.
        if k < s.n:
            hand_in(t, s, p, (s.first[p] + k) % s.n)
        return k < s.n
    if k < mine:
        if part == 0:
            move(t, s, p, s.first[p] + k)
        else:
            speed_up(t, s, p, s.first[p] + k)
        return True
    if part == 3 and k < mine + 2:
        which = k - mine
        lock(t, p, s.lock, s.n)
        add(t, p, s.energy, which * s.steps + phase // 4, s.own_energy[p, which])
        unlock(t, p, s.lock, s.n)
        s.own_energy[p, which] = 0.0
        return True
    return False


@dataclass(frozen=True)
class Water(Workload):
    """`water:processors=32,molecules=64,steps=3`."""

    name: ClassVar[str] = "water"
    summary: ClassVar[str] = "molecular dynamics of all pairs, at WATER's size"
    small: ClassVar[str] = "water:processors=6,molecules=12,steps=4"
    checks: ClassVar[str] = "momentum, or relative change of energy from the first step to the last,"
    tolerance: ClassVar[float] = 1e-3

    processors: int = 32
    molecules: int = 64
    """Molecules in the box."""
    steps: int = 3
    """Steps in time."""

    def __post_init__(self) -> None:
        self.require_sizes()
        self.require("molecules", 2 <= self.molecules <= 4096, "2 to 4096")

    def program(self) -> Program:
        """Molecules on a cubic lattice, speeds drawn with a fixed seed whose sum is 0; energies of each step."""
        n = self.molecules
        side = 1
        while side**3 < n:
            side += 1
        box = side / DENSITY ** (1 / 3)
        draws = draws63(stream_key(SEED, 0), np.arange(3 * n)).reshape(n, 3) / 2.0**63 - 0.5
        records = np.zeros((n, RECORD))
        place = np.arange(n)
        records[:, :3] = (np.stack([place // side**2, place // side % side, place % side], axis=1) + 0.5) * box / side
        records[:, SPEED : SPEED + 3] = draws - draws.mean(axis=0)
        space = Space()
        arrays = Arrays(
            space.array(records),
            space.array(np.zeros((2, self.steps))),
            space.array(np.zeros(n + 1)),
            n,
            box,
            self.steps,
            shares(n, self.processors),
            np.zeros((self.processors, n + 1, 3)),
            np.zeros((self.processors, 2)),
        )

        def error() -> float:
            momentum = arrays.molecule.data.reshape(n, RECORD)[:, SPEED : SPEED + 3].sum(axis=0)
            total = arrays.energy.data.reshape(2, -1).sum(axis=0)
            scale = np.abs(arrays.energy.data).max()
            return float(max(np.abs(momentum).max(), abs(total[-1] - total[0]) / scale))

        return Program(RUN, arrays, space.array(np.zeros(1)), self.processors, 4 * self.steps, error)


RUN: Any = runner(inlined(turn))
