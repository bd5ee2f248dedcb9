"""Collective transfers, for the page: checked schedules of broadcasts and of the gathers that they are backwards.

A gather and then a broadcast from the same root is an all-reduce. Every schedule is played here before it is given.
"""

from __future__ import annotations

from math import ceil, log2
from typing import Any, NamedTuple

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph.distances import distances_from
from jumpnet.multicast import broadcast
from jumpnet.multicast.schedule import MODELS, Schedule, play
from jumpnet.networks import Network
from jumpnet.terms import I32
from jumpnet.topology import build

__all__ = ["CASES", "PANEL", "Case", "data", "least_steps", "schedule_data", "specs"]

PANEL = "collectives"


class Case(NamedTuple):
    """A network, the algorithms that are shown on it, and the root."""

    spec: str
    algorithms: tuple[str, ...]
    root: int = 0


CASES = (
    Case("hypercube:4", ("binomial", "bfs")),
    Case("hypercube:6", ("binomial", "bfs")),
    Case("rdn:3,k=1", ("rdn", "bfs")),
    Case("rdn:3,k=2", ("rdn", "bfs")),
    Case("rdt:8", ("rank_descending", "bfs"), 36),
    Case("rdt:16", ("rank_descending", "bfs"), 136),
    Case("rdt:32", ("rank_descending", "bfs"), 528),
    Case("torus:8x8", ("bfs",), 36),
    Case("srt2d:8", ("bfs",), 36),
    Case("dragonfly:2", ("bfs",)),
)


def specs() -> list[str]:
    """Networks that the panel draws on."""
    return [case.spec for case in CASES]


def data() -> dict[str, Any]:
    """All cases under both port models. Cost: some CPU seconds."""
    return {"cases": [_case(case) for case in CASES]}


def _case(case: Case) -> dict[str, Any]:
    net = build(case.spec)
    return {
        "spec": case.spec,
        "root": case.root,
        "algorithms": [
            {"name": name, "summary": broadcast(name).summary, "source": broadcast(name).source}
            | {model: schedule_data(net, broadcast(name)(net, case.root, model), model) for model in MODELS}
            for name in case.algorithms
        ],
    }


def schedule_data(net: Network, schedule: Schedule, model: str) -> dict[str, Any]:
    """A broadcast that reaches all routers, and the gather that it is backwards: steps and channels of the transfers.

    A channel is router * P + port. Raises JumpnetError where one of the two, played, does not reach all.

    >>> net = build("hypercube:3")
    >>> made = schedule_data(net, broadcast("binomial")(net, 0), "one-port")
    >>> made["steps"], made["least"], len(made["channel"])
    (3, 3, 7)
    """
    backwards = schedule.backwards()
    there, back = play(net, schedule, model), play(net, backwards, model)
    if there.informed != net.routers or back.informed != net.routers:
        raise JumpnetError(f"{schedule.algorithm} on {net.spec}: {there.informed} and {back.informed} routers reached")
    return {
        "steps": there.steps,
        "least": least_steps(net, schedule.root, model),
        "again": int((there.received > 1).sum()),
        "step": schedule.step.astype(np.int32),
        "channel": _channels(net, schedule),
        "gather": {"step": backwards.step.astype(np.int32), "channel": _channels(net, backwards)},
    }


def least_steps(net: Network, root: int, model: str) -> int:
    """Steps that no broadcast can do without: the farthest router's hops and, with one port, log2 of all routers.

    >>> least_steps(build("torus:4x4"), 0, "one-port"), least_steps(build("torus:3x3"), 0, "all-port")
    (4, 2)
    """
    farthest = int(distances_from(net, root).max())
    return max(farthest, ceil(log2(net.routers))) if model == "one-port" else farthest


def _channels(net: Network, schedule: Schedule) -> I32:
    """(transfers,) the first port of each sender that leads to its receiver, as a channel."""
    leads = net.neighbor[schedule.sender] == schedule.receiver[:, None]
    return (schedule.sender * net.ports + leads.argmax(axis=1)).astype(np.int32)
