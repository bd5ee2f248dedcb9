"""Schedules of collective transfers, and the simulator that checks and counts their steps.

In one step a message crosses one channel. One-port: a router sends to at most one neighbor and receives from at most
one in a step (li2009rdn section 4); all-port: each channel carries at most one message in a step. A broadcast read
backwards is a gather or reduction. Called by broadcasts, the report and tests.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from jumpnet.api.public import named, public
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.networks import Network
from jumpnet.terms import I64

__all__ = ["MODELS", "Model", "Played", "Schedule", "play", "tree_schedule"]

Model = Literal["one-port", "all-port"]
MODELS: tuple[Model, ...] = ("one-port", "all-port")
MOST_STEPS = 1 << 20
"""Of a schedule that is played."""


@named
@dataclass(frozen=True, eq=False)
class Schedule:
    """Transfers between neighbors in steps. Broadcast: from `root` to all; `gather`: from all to `root`."""

    spec: str
    """Network."""
    algorithm: str
    root: int
    step: I64
    """(T,) step of each transfer, from 0, ascending."""
    sender: I64
    """(T,) router that sends."""
    receiver: I64
    """(T,) router that receives."""
    gather: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.gather, bool | np.bool_):
            raise JumpnetError(
                f"{self.spec}: gather of type {type(self.gather).__name__} found, True or False expected"
            )

    @property
    def steps(self) -> int:
        """Steps until the last transfer is over."""
        return int(self.step.max(initial=-1)) + 1

    def backwards(self) -> Schedule:
        """The reverse: a gather from a broadcast, a broadcast from a gather; as many steps."""
        order = np.argsort(-self.step, kind="stable")
        return replace(
            self,
            step=(self.steps - 1 - self.step)[order],
            sender=self.receiver[order],
            receiver=self.sender[order],
            gather=not self.gather,
        )

    @staticmethod
    def of(spec: str, algorithm: str, root: int, step: I64, sender: I64, receiver: I64) -> Schedule:
        """A schedule from transfers in any order."""
        order = np.argsort(step, kind="stable")
        return Schedule(spec, algorithm, root, step[order], sender[order], receiver[order])


@dataclass(frozen=True, eq=False)
class Played:
    """What a schedule does when played."""

    steps: int
    informed: int
    """Broadcast: routers that have the message at the end, the root included. Gather: routers whose part has reached
    the root, the root included."""
    received: I64
    """(R,) times each router has received."""

    @property
    def once(self) -> bool:
        """Whether no router has received twice (the root of a broadcast never)."""
        return bool((self.received <= 1).all())


@public
def play(net: Network, schedule: Schedule, model: str = "one-port") -> Played:
    """Play a schedule step by step and count.

    Raises JumpnetError, with the step, when a transfer has no link, a router sends what it does not have yet, or the
    model's limit is broken. Cost: O(transfers x ports).

    >>> from jumpnet.topology import build
    >>> ring = build("torus:4")
    >>> played = play(ring, tree_schedule(ring.spec, "tree", np.array([-1, 0, 1, 0]), "one-port"))
    >>> played.steps, played.informed, played.once
    (2, 4, True)
    """
    if model not in MODELS:
        raise unknown_name("port model", model, MODELS)
    _check_transfers(net, schedule)
    sender, receiver = schedule.sender, schedule.receiver
    linked = (net.neighbor[sender] == receiver[:, None]).any(axis=1)
    if not linked.all():
        k = int(np.argmin(linked))
        raise JumpnetError(f"{net.spec}: a transfer from {sender[k]} to {receiver[k]} found, but there is no such link")
    holds = np.zeros(net.routers, bool)
    holds[schedule.root] = True
    parts = np.ones(net.routers, np.int64)
    received = np.bincount(receiver, minlength=net.routers)
    bounds = np.searchsorted(schedule.step, np.arange(schedule.steps + 1))
    for step in range(schedule.steps):
        now = slice(int(bounds[step]), int(bounds[step + 1]))
        out, into = sender[now], receiver[now]
        _check_ports(net, model, step, out, into)
        if schedule.gather:
            moved = parts[out]
            moved[_seen_before(out)] = 0  # what a router holds leaves by its first transfer of the step
            parts[out] = 0
            np.add.at(parts, into, moved)
        else:
            if not holds[out].all():
                raise JumpnetError(
                    f"{net.spec}, step {step}: router {int(out[~holds[out]][0])} sends before it has received"
                )
            holds[into] = True
    informed = int(parts[schedule.root]) if schedule.gather else int(holds.sum())
    return Played(schedule.steps, informed, received)


def _check_transfers(net: Network, schedule: Schedule) -> None:
    """Refuse a schedule whose arrays are none of steps and routers."""
    who, last = f"{net.spec}, schedule {schedule.algorithm}", net.routers - 1
    bounds = (("step", schedule.step, MOST_STEPS), ("sender", schedule.sender, last))
    for name, column, most in (*bounds, ("receiver", schedule.receiver, last), ("root", schedule.root, last)):
        found, shape = np.asarray(column), () if name == "root" else (np.size(schedule.step),)
        if found.shape != shape or found.dtype.kind not in "iu":
            raise JumpnetError(f"{who}: {name} of {found.dtype} {found.shape} found, whole numbers {shape} expected")
        if found.size and not 0 <= found.min() <= found.max() <= most:
            raise JumpnetError(f"{who}: {name} {found.min()} to {found.max()} found, 0 to {most} expected")
    if (np.diff(schedule.step) < 0).any():
        raise JumpnetError(f"{who}: steps that descend found, ascending ones expected")


def _seen_before(values: I64) -> I64:
    """(T,) whether a value occurs earlier in the array."""
    first = np.zeros(len(values), bool)
    first[np.unique(values, return_index=True)[1]] = True
    return ~first


def _check_ports(net: Network, model: str, step: int, sender: I64, receiver: I64) -> None:
    kinds = (
        (("sends", sender), ("receives", receiver))
        if model == "one-port"
        else (("uses a channel", sender * net.routers + receiver),)
    )
    for word, key in kinds:
        again = _seen_before(key)
        if again.any():
            router = int(receiver[again][0] if word == "receives" else sender[again][0])
            raise JumpnetError(f"{net.spec}, step {step}: router {router} {word} twice ({model})")


def tree_schedule(spec: str, algorithm: str, parent: I64, model: str = "one-port") -> Schedule:
    """The fastest schedule of a broadcast down a given tree.

    parent: (R,) router from which each one receives, -1 at the root, -2 outside the tree. One-port: a router serves the
    child whose subtree takes longest first, which no other order beats. Raises JumpnetError unless there is one root.
    Cost: O(R log R).

    >>> tree_schedule("example", "tree", np.array([-1, 0, 0, 2]), "one-port").step.tolist()
    [0, 1, 1]
    """
    if model not in MODELS:
        raise unknown_name("port model", model, MODELS)
    roots = np.flatnonzero(parent == -1)
    if roots.size != 1:
        raise JumpnetError(f"{spec}: a tree with {roots.size} roots found, one expected")
    root = int(roots[0])
    kids: dict[int, list[int]] = {}
    for child in np.flatnonzero(parent >= 0).tolist():
        kids.setdefault(int(parent[child]), []).append(child)
    order = [root]
    for router in order:
        order.extend(kids.get(router, ()))
    needs = dict.fromkeys(order, 0)
    for router in reversed(order):
        mine = sorted(kids.get(router, ()), key=lambda c: -needs[c])
        kids[router] = mine
        late = range(len(mine)) if model == "one-port" else [0] * len(mine)
        needs[router] = max((wait + 1 + needs[c] for wait, c in zip(late, mine, strict=True)), default=0)
    ready = {root: 0}
    rows: list[tuple[int, int, int]] = []
    for router in order:
        for wait, child in enumerate(kids[router]):
            step = ready[router] + (wait if model == "one-port" else 0)
            ready[child] = step + 1
            rows.append((step, router, child))
    table = np.array(rows, np.int64).reshape(-1, 3)
    return Schedule.of(spec, algorithm, root, table[:, 0], table[:, 1], table[:, 2])
