"""From one routing to another while packets are on their way: whether a deadlock can come of it, whenever it happens.

Packets that are in the network at the change hold channels of the old routing; each head is routed anew where it
stands, as if its packet began there, and packets that come later begin by the new routing. So the dependencies are
those of the old routing, those of the new one from every router, and those of a head that holds a channel of the old
routing and asks for one of the new. Where all of them together have an order, no deadlock comes of a change at any
moment, the same for all packets or another for each, so long as none goes back to the old routing (the argument of
Dally and Seitz 1987; its use here is ours). The new network may lack links and routers of the old one: what stands
there is lost, all else is as above. The states of both routings, of which a certificate is made, are put together
likewise. Called by `cli/prove` and users; `sim.faults.meeting` asks the same of the packets of one moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from jumpnet.analysis.deadlock.packet_states import Section, sections
from jumpnet.analysis.deadlock.proof import Proof, proof_by_order
from jumpnet.analysis.deadlock.walks import job_of
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["Changeover", "prove_changeover"]


@dataclass(frozen=True, eq=False)
class Changeover:
    """An old routing and the one that takes its place; raises JumpnetError where the two do not fit together."""

    old: BoundRouting
    new: BoundRouting

    def __post_init__(self) -> None:
        """Both must look at nothing that a head at its place does not have anew, and number routers and ports alike."""
        before, after = self.old.network.neighbor, self.new.network.neighbor
        if before.shape != after.shape or ((after != before) & (after >= 0)).any():
            raise JumpnetError(
                f"{self.new.network.spec} found after {self.old.network.spec}, the same links or fewer expected"
            )
        for bound in (self.old, self.new):
            job = job_of(bound)
            if job.by_channel or job.by_source or bound.routing.bubble:
                raise JumpnetError(
                    f"{bound.name} found in a changeover, a routing expected that looks neither at the channel by "
                    "which a packet came nor at its source, and without bubbles"
                )

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.old.name} then {self.new.name}"

    @property
    def vcs(self) -> int:
        """Virtual channels of a port, as many as the one that has more."""
        return max(self.old.vcs, self.new.vcs)

    def sections(self) -> Iterator[Section]:
        """The states of all packets before, during and after, destination by destination.

        Those of the new routing follow those of the old, and each way of an old one that leads to a router where the
        packet goes on is there again, leading to every state with which the new routing begins there.
        """
        job = job_of(self.new)
        routers = np.flatnonzero((self.new.network.neighbor >= 0).any(axis=1)).astype(np.int32)
        after = sections(self.new, job._replace(sources=routers))
        later = next(after, None)
        for section in sections(self.old, job_of(self.old)):
            before = self._wide(section, self.old.vcs)
            if later is None or later.sink != section.sink:
                yield before  # the sink is gone
                continue
            yield _together(before, self._wide(later, self.new.vcs), self.old.network.neighbor, self.vcs)
            later = next(after, None)

    def _wide(self, section: Section, vcs: int) -> Section:
        """The same with channels numbered as for all virtual channels."""
        ways = section.ways.copy()
        ways[:, 1] = ways[:, 1] // vcs * self.vcs + ways[:, 1] % vcs
        return section._replace(ways=ways)

    def dependencies(self) -> tuple[I64, I64, int]:
        """(pairs (D, 2) in ascending order, channels used, states)."""
        size = self.old.network.neighbor.size * self.vcs
        found, used, states = np.zeros(0, np.int64), np.zeros(size, bool), 0
        for section in self.sections():
            left, channel, _, after = section.ways.T
            first = np.searchsorted(left, np.arange(len(section.router) + 1))
            many = first[after + 1] - first[after]
            start = np.repeat(first[after] - np.cumsum(many) + many, many)
            wanted = channel[start + np.arange(len(start))]
            found = np.union1d(found, np.repeat(channel, many) * size + wanted)
            used[channel] = True
            states += len(section.router)
        return np.stack([found // size, found % size], axis=1), np.flatnonzero(used), states


def _together(before: Section, later: Section, neighbor: I64, vcs: int) -> Section:
    """The states of both, with the ways from the old to the new."""
    count, starts = len(before.router), np.flatnonzero(later.begins)
    starts = starts[np.argsort(later.router[starts], kind="stable")]
    far = neighbor.reshape(-1)[before.ways[:, 1] // vcs]
    low, high = (np.searchsorted(later.router[starts], far, side=side) for side in ("left", "right"))
    many = np.where(far == before.sink, 0, high - low)
    turned = np.repeat(before.ways, many, axis=0)
    turned[:, 3] = count + starts[np.repeat(low - np.cumsum(many) + many, many) + np.arange(len(turned))]
    ways = np.concatenate([before.ways, turned, later.ways + np.array([count, 0, 0, count])])
    return Section(
        before.sink,
        -1,
        np.concatenate([before.router, later.router]),
        np.concatenate([before.begins, later.begins]),
        np.concatenate([before.key, later.key]),
        ways[np.argsort(ways[:, 0], kind="stable")],
    )


def prove_changeover(change: Changeover) -> Proof:
    """Whether a change of routings can end in a deadlock: a certificate that the checker accepted, or a shortest cycle.

    `unproved` with a cycle where there is no order: packets of both may, not must, come to wait for each other. Cost:
    the states of both routings and their dependencies, sorted for each destination; seconds for some hundred routers.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> net = build("mesh:4x4")
    >>> prove_changeover(Changeover(bind("mesh.dimension_order", net), bind("mesh.west_first", net))).verdict
    'free'
    >>> prove_changeover(Changeover(bind("mesh.west_first", net), bind("mesh.north_last", net))).verdict
    'unproved'
    """
    net, vcs = change.old.network, change.vcs
    pairs, used, states = change.dependencies()
    indptr = np.searchsorted(pairs[:, 0], np.arange(net.neighbor.size * vcs + 1))
    return proof_by_order(
        net,
        vcs,
        (indptr, pairs[:, 1].copy()),
        "unproved",
        "of both routings and of packets routed anew where they stand",
        spec=net.spec if change.new.network is net else f"{net.spec}, then {change.new.network.spec}",
        routing=change.name,
        adaptive=bool(change.old.routing.adaptive or change.new.routing.adaptive),
        channels=len(used),
        dependencies=len(pairs),
        states=states,
        network=net,
    )
