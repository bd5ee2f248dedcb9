"""Whether a protocol can deadlock on a network: endpoints that wait and channels that are held, in one proof.

Where networks do not wait for each other in a cycle, and the routing within each is free of deadlock when its endpoints
take what comes, all is: the last network is always emptied, then the one before (dally2004principles chapter 14). On
small networks the whole graph is made (`transactions`), and numbered or shown as a ring, which the simulator may then
run into. Called by `cli/prove`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jumpnet.analysis.deadlock.progress import Progress, silent
from jumpnet.analysis.deadlock.proof import Proof, Verdict
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.api.public import public
from jumpnet.coherence.networks.kinds import Kinds, Pair, kinds_of
from jumpnet.coherence.networks.least import Groups, least_networks, named_groups, ring_of
from jumpnet.coherence.networks.parts import acknowledges_of, told_of, with_parts
from jumpnet.coherence.networks.programs import Program, programs_of
from jumpnet.coherence.networks.transactions import too_much, transactions
from jumpnet.coherence.protocol import Protocol
from jumpnet.routings import BoundRouting

__all__ = ["Joint", "Shared", "prove_joint", "shared_networks"]


@dataclass(frozen=True)
class Shared:
    """A protocol whose kinds of messages share virtual networks."""

    kinds: Kinds
    endpoints: str
    """One of `kinds.ENDPOINTS`."""
    groups: Groups

    @property
    def ring(self) -> tuple[Pair, ...]:
        """A ring of waits between networks, see `least.ring_of`."""
        return ring_of(self.groups, self.kinds.waits(self.endpoints))

    @property
    def lengths(self) -> Pair | None:
        """Two kinds of one network of which the first alone carries the line, so that packets have two lengths."""
        for names in self.groups:
            longer = [name for name in names if name in self.kinds.lines]
            if 0 < len(longer) < len(names):
                return longer[0], next(name for name in names if name not in self.kinds.lines)
        return None

    @property
    def programs(self) -> tuple[Program, ...]:
        """Chains of messages, see `programs_of`."""
        return programs_of(self.kinds, self.endpoints, self.groups)


@public
def shared_networks(
    protocol: Protocol, endpoints: str = "held", networks: str = "", parts: Iterable[str] = ()
) -> Shared:
    """A protocol's kinds in as few networks as are enough, or as `networks` says (see `least.named_groups`).

    parts: of the machine, that change what its messages wait for (`parts.PARTS`).

    >>> from jumpnet.coherence.protocol import protocol
    >>> shared_networks(protocol("msi"), "reserved", "1").ring
    (('Fetch', 'OwnerData'),)
    """
    kinds = with_parts(kinds_of(protocol), tuple(parts), told_of(protocol), acknowledges_of(protocol))
    return Shared(kinds, endpoints, named_groups(kinds, least_networks(kinds, endpoints), networks))


@dataclass(frozen=True, eq=False)
class Joint:
    """What is known about deadlock of a protocol on a network."""

    shared: Shared
    proof: Proof
    """Of chains of messages over the network with its endpoints; of the routing alone where those are not followed."""
    apart: str
    """Why chains are not followed, or empty."""

    @property
    def lengths(self) -> Pair | None:
        """`Shared.lengths`, where the routing is made for bubbles: those are of packets of one length."""
        bound = self.proof.bound
        return self.shared.lengths if bound is not None and bound.routing.bubble else None

    @property
    def verdict(self) -> Verdict:
        """As `Proof.verdict`; `unproved` also where networks wait for each other in a ring that the proof has not, and
        where bubbles are for packets of one length and a network has two."""
        lacks = self.shared.ring or self.lengths
        return "unproved" if self.proof.deadlock_free and lacks else self.proof.verdict

    @property
    def deadlock_free(self) -> bool:
        """Whether freedom from deadlock is proved."""
        return self.verdict == "free"


@public
def prove_joint(bound: BoundRouting, shared: Shared, progress: Progress = silent) -> Joint:
    """Prove that a protocol cannot deadlock on a network, or show the ring; bound: the routing within each network.

    Chains are followed on networks of 3 to 36 endpoints, under routings that draw nothing: seconds. `progress` as in
    `prove`. Raises JumpnetError where packets are not delivered.

    >>> from jumpnet.coherence.protocol import protocol
    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> mesh = bind("mesh.dimension_order", build("mesh:2x2"))
    >>> prove_joint(mesh, shared_networks(protocol("msi"))).proof.verdict
    'free'
    >>> prove_joint(mesh, shared_networks(protocol("msi"), networks="4")).proof.verdict
    'deadlock'
    """
    if why := too_much(bound, len(shared.groups)):
        return Joint(shared, prove(bound, progress=progress), why)
    name = f"{shared.kinds.protocol} by {bound.name}"
    chains = transactions(bound, shared.programs, len(shared.groups), name)
    return Joint(shared, prove(chains, progress=progress), "")
