"""Packets that wait for each other where a proof fails: along its cycle, or in a knot where packets have choices.

Called by `explain` and by the simulator's replay of a deadlock.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.waiting.minimal_knot import minimal_knot
from jumpnet.analysis.deadlock.waiting.witnesses import ANY, Witness, extended_witnesses, witnesses
from jumpnet.errors import JumpnetError
from jumpnet.own.trial import shown
from jumpnet.routings import BoundRouting
from jumpnet.terms import Array

__all__ = ["Waiting", "bound_of", "channels_of", "follows", "who_waits"]


class Waiting(NamedTuple):
    """Packets that wait for each other."""

    kind: Literal["stuck", "knot", "cycle", "indirect"]
    """`stuck`: those of the cycle, none of which has a way out of it. `knot`: those of a knot, of which the same holds.
    `cycle`: those of the cycle, some of which have a way out. `indirect`: those of a cycle between escape channels, the
    last dependencies by way of other channels (Duato)."""
    packets: tuple[Witness, ...]


def bound_of(proof: Proof) -> BoundRouting:
    """The routing that a proof is about; raises JumpnetError where packets branch, or their kinds share channels, and
    where it was given something else."""
    if proof.bound is None:
        what = "packets that branch, or kinds of them that share channels, found"
        raise JumpnetError(f"{proof.routing} on {proof.spec}: {what}, a proof of a routing alone expected")
    if not isinstance(proof.bound, BoundRouting):
        found = f"bound {shown(proof.bound)} found, a routing on a network expected"
        raise JumpnetError(f"{proof.routing} on {proof.spec}: {found}")
    return proof.bound


def channels_of(proof: Proof) -> list[int]:
    """Channels of a proof's cycle, numbered (router * P + port) * V + vc; none when there is no cycle."""
    bound = bound_of(proof)
    return [(hop.router * bound.network.ports + hop.port) * bound.vcs + hop.vc for hop in proof.cycle or ()]


def who_waits(proof: Proof, made: Dependencies, progress: Progress = silent) -> Waiting:
    """The packets that stand against a proof; `made`: the dependencies of its routing. Cost: that of `prove` again."""
    bound, cycle = bound_of(proof), channels_of(proof)
    if proof.verdict == "deadlock" and made.choices:
        return _in_a_knot(bound, made, cycle, progress)
    links = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    if not all(follows(made, *link) for link in links):
        return Waiting("indirect", tuple(extended_witnesses(bound, links, progress)))
    found = witnesses(bound, links, _marked(made, cycle), progress, to=made.to, begun=made.begun)
    return Waiting("cycle" if made.choices else "stuck", tuple(found))


def _in_a_knot(bound: BoundRouting, made: Dependencies, cycle: list[int], progress: Progress) -> Waiting:
    """The packets of the cycle where they have no way out of it, else those of a knot."""
    links = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
    if all(follows(made, *link) for link in links):
        found = witnesses(bound, links, _marked(made, cycle), progress, to=made.to, begun=made.begun)
        if all(set(packet.others) <= set(cycle) for packet in found):
            return Waiting("stuck", tuple(found))
    wide = bound.network.ports * bound.vcs
    knot = minimal_knot(made, list(dict.fromkeys(c // wide for c in cycle)), progress)
    held = [(c, ANY) for c in np.flatnonzero(knot).tolist()]
    found = witnesses(bound, held, knot, progress, stuck=True, to=made.to, begun=made.begun)
    return Waiting("knot", tuple(_in_turn(found)))


def _in_turn(packets: list[Witness]) -> list[Witness]:
    """Each packet before the one that holds what it waits for, where that one has no place yet."""
    left = {packet.holds: packet for packet in packets}
    turn: list[Witness] = []
    while left:
        after = turn[-1].wants if turn else -1
        turn.append(left.pop(after if after in left else next(iter(left))))
    return turn


def _marked(made: Dependencies, channels: list[int]) -> Array:
    inside = np.zeros(len(made.used), bool)
    inside[channels] = True
    return inside


def follows(made: Dependencies, held: int, wanted: int) -> bool:
    """Whether there is a direct dependency between two channels."""
    place = wanted - int(made.base[held])
    wide = made.bound.network.ports * made.bound.vcs
    return 0 <= place < wide and bool(int(made.bits[held % len(made.bits), place >> 6]) >> (place & 63) & 1)
