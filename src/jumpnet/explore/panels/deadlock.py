"""Deadlocks, for the page: the ring that a proof found, who waits for whom there, and a run into it, flit by flit.

A run is what `jumpnet prove --replay` finds, made once more with the simulator's record of single flits. Beside each
routing that can deadlock stands one that cannot, with the numbers by which all its dependencies ascend.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.errors import JumpnetError
from jumpnet.explore.gallery import GALLERY
from jumpnet.replay.deadlock import Replay, replay_deadlock
from jumpnet.routings import BoundRouting, bind, default_routing
from jumpnet.sim.engine.engine import Engine
from jumpnet.sim.measure.deadlock import find_deadlock
from jumpnet.sim.measure.measure import for_trace
from jumpnet.sim.memory import layout as at
from jumpnet.sim.memory.fields import COUNTER, OUT_VC_ROW
from jumpnet.terms import I32, I64
from jumpnet.topology import build, family

__all__ = ["CASES", "PANEL", "Case", "case_data", "data", "proof_data", "recorded", "specs"]

PANEL = "deadlock"
MOST_PROVED = 64
"""Routers up to which the default routing of a network is shown to be free of deadlock."""


class Case(NamedTuple):
    """A routing with too few virtual channels, and one that is free of deadlock on the same network."""

    spec: str
    routing: str
    vcs: int
    cure: str


CASES = (
    Case("torus:4x4", "torus.dimension_order", 1, "torus.dateline"),
    Case("torus:8x8", "torus.dimension_order", 1, "torus.dateline"),
    Case("torus:4x4x4", "torus.dimension_order", 1, "torus.dateline"),
    Case("mesh:4x4", "mesh.duato", 1, "mesh.duato"),
    Case("rdt:8", "rdt.floating", 1, "rdt.deadlock_free"),
    Case("rdt:16", "rdt.fixed", 1, "rdt.deadlock_free"),
    Case("srt2d:8", "srt.hierarchical", 1, "srt.hierarchical:layers=least"),
    Case("srt2d:8", "srt.minimal_table", 1, "srt.minimal_table:layers=least"),
    Case("rdn:3,k=1", "minimal", 1, "rdn.recursive"),
    Case("dragonfly:2", "dragonfly.minimal", 1, "dragonfly.minimal"),
    Case("slimfly:5", "minimal", 1, "lash"),
)


def specs() -> list[str]:
    """Networks that the panel draws on."""
    return list(dict.fromkeys(case.spec for case in CASES))


def data() -> dict[str, Any]:
    """All cases, and the default routing of other small networks. Cost: some seconds of proofs and runs."""
    return {"cases": [case_data(case) for case in CASES], "free": [made for spec in _others() if (made := _free(spec))]}


def _others() -> list[str]:
    """Small networks of the gallery without a case."""
    small = [spec for listed in GALLERY.values() for spec in listed if ":" in spec and not spec.startswith("file:")]
    return [spec for spec in small if spec not in specs() and _routers(spec) <= MOST_PROVED]


def _routers(spec: str) -> int:
    size = family(spec).size()
    return build(spec).routers if size is None else size[0]


def _free(spec: str) -> dict[str, Any] | None:
    """The default routing of a network with the order of its channels; None where it has no certificate."""
    net = build(spec)
    proof = prove(bind(default_routing(net), net))
    return None if proof.certificate is None else _ordered(proof)


def case_data(case: Case) -> dict[str, Any]:
    """One case: what was proved, who waits, the run, and the cure.

    >>> made = case_data(CASES[0])
    >>> len(made["cycle"]), made["replay"]["how"], made["cure"]["verdict"]
    (4, 'timed', 'free')
    """
    net = build(case.spec)
    proof = prove(bind(case.routing, net, case.vcs))
    replay = replay_deadlock(proof)
    if replay.packets is None:
        raise JumpnetError(f"{case.routing} on {case.spec}: no packets found that run into a deadlock")
    waiting = [{"holds": packet.holds, "wants": packet.wants} for packet in replay.waiting.packets]
    return {
        **proof_data(proof),
        "cycle": [(hop.router * net.ports + hop.port) * proof.vcs + hop.vc for hop in proof.cycle or ()],
        "whole": proof.whole_cycle,
        "waiting": {"kind": replay.waiting.kind, "packets": waiting},
        "replay": recorded(replay),
        "cure": _cure(case),
    }


def proof_data(proof: Proof) -> dict[str, Any]:
    """The verdict and its grounds."""
    return {
        "spec": proof.spec,
        "routing": proof.routing,
        "vcs": proof.vcs,
        "verdict": proof.verdict,
        "method": proof.method,
        "channels": proof.channels,
        "dependencies": proof.dependencies,
        "states": proof.states,
    }


def _cure(case: Case) -> dict[str, Any]:
    """The routing that is free of deadlock, with the order of its channels."""
    proof = prove(bind(case.cure, build(case.spec)))
    if proof.certificate is None or not proof.certificate_checked:
        raise JumpnetError(f"{case.cure} on {case.spec}: no certificate found")
    return _ordered(proof)


def _ordered(proof: Proof) -> dict[str, Any]:
    """A proof with its certificate."""
    assert proof.certificate is not None
    return {**proof_data(proof), "escape": proof.escape_channels, "order": _ranks(proof.certificate)}


def _ranks(numbers: I64) -> I32:
    """The same order in small numbers: 0 for the first, equal numbers equal, -1 for channels without one.

    >>> _ranks(np.array([7, -1, 3, 7])).tolist()
    [1, -1, 0, 1]
    """
    found = np.full(len(numbers), -1, np.int32)
    having = numbers >= 0
    found[having] = np.unique(numbers[having], return_inverse=True)[1].reshape(-1)
    return found


def recorded(replay: Replay) -> dict[str, Any]:
    """A run into a deadlock with all that its flits do: columns of events, in the order of the cycles.

    A channel is (router * P + port) * V + vc, -1 at a terminal. Kinds: 0 a flit enters from its terminal, 1 a packet
    takes a channel, 2 a flit goes over it, 3 a flit has arrived. Raises JumpnetError where the run, made again, does
    not stand as it did.
    """
    config, packets, bound = replay.config, replay.packets, replay.bound
    assert config is not None and packets is not None
    net = bound.network
    allowed = BoundRouting(bound.routing.changed(vcs=bound.vcs), net, bound.vcs, bound.options)
    engine = Engine(net, allowed, for_trace(config.replace(events=True), packets), packets, 1)
    engine.advance(replay.cycle)
    rows = engine.events()
    cycle, kind, source, number, _, flit, router, place = rows.T.astype(np.int64)
    which = _numbers(packets.cycle, packets.source)
    packet = np.array([which[key] for key in zip(source.tolist(), number.tolist(), strict=True)], np.int64)
    over_link = (kind != at.EVENT_ENTER) & (place < net.ports * bound.vcs)
    channel = np.where(over_link, router * net.ports * bound.vcs + place, -1)
    delay = engine.out_vcs[: net.ports * bound.vcs, OUT_VC_ROW.delay]
    if len(set(delay[delay > 0].tolist())) > 1 or tuple(find_deadlock(engine) or ()) != replay.ring:
        raise JumpnetError(f"{bound.name} on {net.spec}: the run does not stand as it did")
    return {
        "how": replay.how,
        "tries": replay.tries,
        "seen": replay.cycle,
        "moved": int(engine.state.counter[COUNTER.moved]),
        "inside": engine.flits_inside,
        "buffer": engine.shape.buffer,
        "delay": int(delay.max()),
        "ring": [(r * net.ports + p) * bound.vcs + v for r, p, v in replay.ring],
        "same": replay.same,
        "packets": {
            "cycle": packets.cycle.astype(np.int32),
            "source": net.terminal_router[packets.source],
            "destination": net.sink_router[packets.destination],
            "flits": packets.flits,
        },
        "events": {
            "cycle": cycle.astype(np.int32),
            "kind": kind.astype(np.int32),
            "packet": packet.astype(np.int32),
            "flit": flit.astype(np.int32),
            "channel": channel.astype(np.int32),
        },
    }


def _numbers(cycle: Any, source: Any) -> dict[tuple[int, int], int]:
    """The place in the list of the k-th packet of each terminal, in the order in which they are created."""
    found: dict[tuple[int, int], int] = {}
    counts: dict[int, int] = {}
    for k in np.argsort(cycle, kind="stable").tolist():
        terminal = int(source[k])
        found[terminal, counts.get(terminal, 0)] = k
        counts[terminal] = counts.get(terminal, 0) + 1
    return found
