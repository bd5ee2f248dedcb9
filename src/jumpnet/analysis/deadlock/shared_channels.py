"""Whether packets of several kinds can deadlock that use the channels of one routing from different ones on.

With `exchange_vcs` (reads, writes and the replies to each) a virtual channel may be channel 0 of the routing for one
kind and channel 1 for another. What the routing keeps apart then meets: on `mesh.o1turn` packets that turn one way
share channels with packets that turn the other. A packet is of one kind for ever, so the dependencies are those of the
routing once for each kind, moved (dally1987deadlock asks for no more than an order of all of them). User-facing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from jumpnet.analysis.deadlock.as_made import seal
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.proof import Proof, proof_by_order
from jumpnet.analysis.deadlock.prove import of_more, prove, with_home_left_out
from jumpnet.analysis.deadlock.rows.compressed_rows import holders, row_starts
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.routings import MOST_VCS, BoundRouting

__all__ = ["are_apart", "name_of_kinds", "prove_kinds"]


@public
def prove_kinds(bound: BoundRouting, first: Sequence[int]) -> Proof:
    """Whether packets of several kinds can deadlock, of which kind k uses the routing's channels from first[k] on.

    Where any two kinds have all channels in common or none, as the routing alone (`prove`). Else by an order of the
    dependencies of all kinds; a cycle of them is a deadlock where packets have no choices, and `unproved` where they
    have. Raises JumpnetError for channels beyond 0 to 63, and for a routing made for bubble flow control, which the
    simulator does not run so. Cost: that of `prove`, and a list of the dependencies of each kind; that of following all
    packets too where more dependencies than they have are soon made but have no order.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> o1turn = bind("mesh.o1turn", build("mesh:4x4"))
    >>> [prove_kinds(o1turn, first).verdict for first in ([0, 2], [0, 1])]
    ['free', 'deadlock']
    """
    kinds = tuple(sorted(set(map(int, first))))
    if not kinds or kinds[0] < 0 or kinds[-1] + bound.vcs > MOST_VCS:
        raise JumpnetError(f"first channels {list(first)} found, 0 to {MOST_VCS - bound.vcs} expected")
    if bound.routing.bubble:
        raise JumpnetError(f"{bound.name} found, a routing without bubble flow control expected")
    if are_apart(kinds, bound.vcs):
        alone = prove(bound)
        return seal(replace(alone, routing=name_of_kinds(bound, kinds), basis=replace(alone.basis, kinds=kinds)))
    made = dependencies(bound, beyond=True)
    proof = _of_kinds(made, kinds) if made.to is None else None
    if proof is None or not (made.whole or proof.deadlock_free):  # of others only an order says something, no cycle
        proof = _of_kinds(dependencies(bound), kinds)
    return with_home_left_out(proof, bound)


def are_apart(kinds: Sequence[int], vcs: int) -> bool:
    """Whether of some kinds of packets, by their first channels in order, each has `vcs` channels of 64 for itself.

    >>> are_apart((0, 2), 2), are_apart((0, 1), 2), are_apart((0, 63), 2)
    (True, False, False)
    """
    return all(two - one >= vcs for one, two in pairwise((-vcs, *kinds, MOST_VCS)))


def name_of_kinds(bound: BoundRouting, kinds: Sequence[int]) -> str:
    """What a proof calls a routing whose channels kinds of packets use from different ones on."""
    return f"{bound.name} with first channels {', '.join(map(str, kinds))}" if kinds else bound.name


def _of_kinds(made: Dependencies, kinds: Sequence[int]) -> Proof:
    """What an order of the dependencies of all kinds says; made: those of one."""
    net, each, vcs = made.bound.network, made.bound.vcs, kinds[-1] + made.bound.vcs
    indptr, wanted = made.rows
    held = holders(indptr)
    size, links = net.neighbor.size * vcs, ((held // each) * vcs + held % each, (wanted // each) * vcs + wanted % each)
    pairs = np.unique(np.concatenate([(links[0] + k) * size + links[1] + k for k in kinds]))
    rows = row_starts(pairs // size, size), pairs % size
    place = np.flatnonzero(made.used)
    used = np.unique(np.concatenate([place // each * vcs + place % each + k for k in kinds]))
    return proof_by_order(
        net,
        vcs,
        rows,
        "unproved" if made.choices else "deadlock",
        "of packets of all kinds" + ("" if made.whole else f",{of_more(made)}"),
        spec=net.spec,
        routing=name_of_kinds(made.bound, kinds),
        adaptive=made.adaptive,
        channels=len(used),
        dependencies=len(pairs),
        states=made.states,
        basis=replace(made.basis, kinds=tuple(kinds)),
        network=net,
    )
