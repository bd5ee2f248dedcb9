"""What is known about deadlock of a routing on a network: the result of `prove` and similar functions.

Made by `prove`, `changeover` and `multicast`; shown by `explain`, the command line and plots.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from jumpnet.above import call_above
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.cycles.order import order_or_cycle
from jumpnet.analysis.deadlock.how import HOW, Basis, How
from jumpnet.api.shown import Shown, columns
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting
from jumpnet.terms import I64

__all__ = ["Condition", "Hop", "Proof", "Verdict", "named_hops", "proof_by_order"]

Verdict = Literal["free", "deadlock", "unproved"]
Condition = Literal["acyclic", "escape", "rings", "escape-rings"]
"""That of Dally and Seitz, of Duato, of bubbles, of bubbles in escape channels: the words that certificates have."""


@dataclass(frozen=True)
class Hop:
    """One virtual channel, named for people."""

    router: int
    port: int
    vc: int
    to: int
    """Router it leads to."""
    link: str
    """Its link class, e.g. `dimension 0 +`."""
    coord: tuple[int, ...]
    """Coordinates of `router`."""
    name: str = ""
    """Label of `router` in a network from outside that has labels (NetworkX, files)."""
    to_name: str = ""
    """Label of `to`."""


NEEDS = "bubble flow control (cut-through, packets of one length, buffers of two)"
RINGS = f"{NEEDS}: every cycle is a ring that packets enter leaving room for one more packet"
NO_RINGS = "bubble flow control fails: a cycle that is no ring, or a ring entered without a bubble"
ESCAPE_RINGS = f"{NEEDS}: escape channels form rings that packets enter leaving room for one more packet"
SHORTEST = "; no cycle can be shorter"
LONGER = "; a shortest of theirs, and none of any packets has fewer than {} channels"
AMONG = "; free because all the routing's dependencies are among those of "
"""Ends of `method` where `Dependencies.whole` is False, besides those of `how`."""


@dataclass(frozen=True, eq=False)
class Proof(Shown):
    """What is known about deadlock of one routing on one network with one number of virtual channels."""

    spec: str
    routing: str
    vcs: int
    verdict: Verdict
    """`deadlock`: channels can be held by packets each of which waits only for channels of the set (a knot); whether
    they can all get there is not examined; it may take buffers of two packets, or long ones. `unproved`: there is a
    cycle of dependencies, but no knot, so that nothing deadlocks under virtual cut-through, and no (or too weak) escape
    channels are marked, which wormhole flow control needs; or it is of a routing for bubble flow control that breaks
    the condition, for which a cycle does not decide; or there is no cycle, but packets for the router where they enter,
    which go by drawn routers on fewer channels than the routing needs, are too many to be followed."""
    method: str
    """What the verdict rests on, in words."""
    adaptive: bool
    """Whether some packet may choose between ports."""
    channels: int
    """Number of (channel, vc) that some packet may take."""
    dependencies: int
    """Number of dependencies between them."""
    states: int
    """Number of (destination, packet state) pairs that were followed."""
    cycle: tuple[Hop, ...] | None
    """A shortest cycle of dependencies (between escape channels when those were examined), None when free. One of some
    packets, which need not be a shortest of all, where `basis.at_least` says how short any can be."""
    certificate: I64 | None = field(repr=False)
    """(C,) number of each channel (router * P + port) * V + vc by which every dependency ascends; by Duato's condition
    only escape channels are numbered, the others -1; by that of bubbles the channels of a ring have one number. None
    when not free."""
    certificate_checked: bool
    """Whether the separate checker accepted the certificate: all dependencies, or those of classes of escape channels
    on a large grid; where packets of a large network were followed for Duato's condition (`escape_numbers`), whether a
    last round through all their states found the numbers ascending."""
    escape_channels: int | None = None
    """Number of escape channels whose extended dependency graph was examined; None without Duato's condition."""
    escape_dependencies: int | None = None
    """Number of dependencies in that graph; None where numbers made it unnecessary."""
    may_circle: bool = False
    """Whether an adaptive packet may come back to a state it was in (not minimal: needs a bound on misrouting); of the
    packets that were followed, where `method` says that these are a few."""
    condition: Condition = "acyclic"
    """The condition that was examined last, which holds where it is free."""
    basis: Basis = field(default=Basis(), repr=False)
    """Which way made the dependencies, and with what."""
    network: Network | None = field(default=None, repr=False)
    """Where a cycle is drawn; None of proofs about trees."""
    bound: BoundRouting | None = field(default=None, repr=False)
    """The routing on the network, for further questions; None of proofs about trees."""

    def __repr__(self) -> str:
        """One line: the verdict, and what it rests on."""
        against = f", {len(self.cycle)} channels in a cycle" if self.cycle is not None else ""
        return f"Proof({self.routing} on {self.spec}, {self.vcs} vcs: {self.verdict}, {self.method}{against})"

    @columns(
        {
            "spec, routing, vcs": "network, routing, virtual channels of a port",
            "verdict, method": "free, deadlock or unproved, and what that rests on",
            "adaptive, may_circle": "whether a packet may choose ports; whether it may come back to a state",
            "channels, dependencies, states": "of the dependency graph, counted",
            "condition": "acyclic, escape, rings or escape-rings: the last that was examined",
            "by": f"how packets were looked at: {', '.join(HOW)}",
            "certificate_checked": "whether the separate checker accepted the certificate",
            "escape_channels, escape_dependencies": "of the escape channels' graph, counted",
            "cycle": "length of the cycle shown, channels: a shortest unless `method` says so",
        }
    )
    def rows(self) -> list[dict[str, Any]]:
        """The proof in one row, with the length of its cycle."""
        (row,) = super().rows()
        return [{**row, "by": self.by, "cycle": len(self.cycle) if self.cycle is not None else None}]

    @property
    def deadlock_free(self) -> bool:
        """Whether freedom from deadlock is proved."""
        return self.verdict == "free"

    @property
    def by(self) -> How:
        """How packets were looked at, see `Dependencies.by`."""
        return self.basis.by

    @property
    def of_bubbles(self) -> bool:
        """Whether a condition of bubble flow control was examined."""
        return self.condition in ("rings", "escape-rings")

    @property
    def whole_cycle(self) -> bool:
        """Whether each channel of the cycle begins where the one before ends; else there are others between."""
        cycle = self.cycle or ()
        return all(a.to == b.router for a, b in zip(cycle, (*cycle[1:], *cycle[:1]), strict=True))

    def explain(self) -> str:
        """In words: what was followed, what it rests on, and why it is free, or the packets that wait (`explain`).

        Of a proof that was changed since it was made the routing is proved again. Raises JumpnetError where that says
        something else.
        """
        return str(call_above("explanation_of_proof", self))


def named_hops(net: Network, vcs: int, nodes: I64) -> tuple[Hop, ...]:
    """Channels (router * P + port) * V + vc, named."""
    hops = []
    for c in nodes.tolist():
        r, p, v = c // (net.ports * vcs), c // vcs % net.ports, c % vcs
        name = net.class_names[net.link_class[r, p]]
        to = int(net.neighbor[r, p])
        labels = () if net.labels is None else (net.labels[r], net.labels[to])
        hops.append(Hop(r, p, v, to, name, tuple(net.coord[r].tolist()), *labels))
    return tuple(hops)


def proof_by_order(net: Network, vcs: int, rows: tuple[I64, I64], cyclic: Verdict, graph: str, **said: Any) -> Proof:
    """A proof that rests on an order of one dependency graph, or its shortest cycle, and on nothing else.

    rows: the graph, as `Dependencies.rows`. cyclic: the verdict where it has a cycle. graph: which graph it is, in
    words. said: the other fields. Cost: O(channels + dependencies) where it is acyclic.
    """
    indptr, indices = rows
    order = order_or_cycle(indptr, indices)
    free = order.number is not None
    checked = order.number is not None and accepts_rows(order.number, indptr, indices)
    assert checked == free, "the checker refused our own certificate"
    return Proof(
        vcs=vcs,
        verdict="free" if free else cyclic,
        method=f"{'acyclic' if free else 'cycle in the'} channel dependency graph {graph}",
        cycle=None if order.cycle is None else named_hops(net, vcs, order.cycle),
        certificate=order.number,
        certificate_checked=checked,
        **said,
    )
