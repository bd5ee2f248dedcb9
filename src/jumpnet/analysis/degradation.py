"""What is left of a network with faults under a routing: reachability, path lengths, loads, and a proof of each.

Routings are bound to the degraded network, so that their tables are made anew: `rdt.fault_tolerant` (yang2001rdt
section IV.C.h) on an RDT, `lash` and `up_down` on any graph. inoguchi1996srt and li2009rdn name no routing round
faults, so SRT and RDN take the generic ones. Called by `study/degrade.py` and the report.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

from jumpnet.analysis._degradation import tally
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.fault.random_faults import with_faults, working_part
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.follow import calls_of
from jumpnet.terms import F64, I64

__all__ = ["DEFAULT_ROUTING", "DegradedFigures", "degraded_figures"]

Verdict = Literal["free", "deadlock", "unproved", "undelivered", "no routing"]
HOPS_LIMIT = 1 << 14
DEFAULT_ROUTING = "lash"
"""Shortest paths round the faults in acyclic layers, on any graph."""


@dataclass(frozen=True, eq=False)
class DegradedFigures:
    """One network with faults. Pairs are ordered pairs of terminals at different routers that work."""

    network: Network
    """The part of the degraded network that hangs together."""
    bound: BoundRouting | None
    """The routing on it, None where none can be had."""
    kind: str
    seed: int
    faults: I64
    """(F, 2) faulty nodes (router, -1) or links (router, port), nested over their number."""
    endpoints: int
    """Terminals at routers that work, whether or not they are cut off."""
    connected: Fraction
    """Part of the pairs of those terminals that lie in `network`, the largest part; `what_is_left` counts those in
    other parts too."""
    reachable: Fraction
    """Part of those pairs that the routing delivers."""
    average_distance: Fraction
    """Mean hops of shortest paths, over the pairs delivered."""
    average_route: Fraction
    """Mean hops of the routes."""
    longest_route: int
    load: F64
    """(R, P) load of each channel when every terminal of the part sends one flit a cycle, uniformly."""
    verdict: Verdict
    """What the proof says; `undelivered` when some route fails, `no routing` with the reason in `why`."""
    why: str
    """What the verdict rests on, or what stands against it."""
    certificate: I64 | None
    """(C,) numbers of the channels by which every dependency ascends (see `prove`), when free of deadlock."""
    proof: Proof | None
    """The proof itself; None where some route fails."""

    @property
    def load_maximum(self) -> float:
        """Load of the busiest channel, flits a cycle for one flit a cycle of every terminal."""
        return float(self.load.max(initial=0.0))

    @property
    def load_by_rank(self) -> dict[int, tuple[float, float]]:
        """For each rank, level or dimension: mean and largest load of its channels that are left."""
        net = self.network
        real = net.link_class >= 0
        rank = net.class_rank[net.link_class[real]]
        loads = self.load[real]
        return {int(r): (float(loads[rank == r].mean()), float(loads[rank == r].max())) for r in np.unique(rank)}

    @property
    def certificate_hash(self) -> str | None:
        """SHA-256 (first 16 digits) of the certificate as little-endian 64-bit numbers; None without one."""
        if self.certificate is None:
            return None
        return hashlib.sha256(self.certificate.astype("<i8").tobytes()).hexdigest()[:16]


@public
def degraded_figures(
    net: Network,
    kind: str = "nodes",
    faults: int = 0,
    seed: int = 1,
    routing: str = DEFAULT_ROUTING,
    vcs: int | None = None,
) -> DegradedFigures:
    """The network without the first `faults` nodes or links (`kind`) of a seed: routed anew, measured and proved anew.

    A routing that cannot be had on the degraded network (say, one that needs more layers than there may be) is an
    answer, `no routing`; on the whole network it raises JumpnetError, and so does a network in which not every router
    sends and receives at as many terminals (`fly`). Cost: all routes once, and the proof.

    >>> from jumpnet.topology import build
    >>> made = degraded_figures(build("torus:4x4"), "nodes", 3, routing="up_down")
    >>> made.endpoints, float(made.reachable), made.verdict
    (13, 1.0, 'free')
    """
    unlike = np.flatnonzero(net.terminals != net.sinks)
    if unlike.size:
        r = int(unlike[0])
        found = f"router {r} with {net.terminals[r]} terminals that send and {net.sinks[r]} that receive found"
        raise JumpnetError(f"{net.spec}: {found}, as many of both expected for figures of a routing with faults")
    damaged, order = with_faults(net, kind, faults, seed)
    part = working_part(damaged)
    ends = np.flatnonzero((part.terminals > 0) & (part.sinks > 0)).astype(np.int64)
    weight = part.terminals[ends].astype(np.int64)
    pairs, inside = _pairs(damaged.terminals), _pairs(part.terminals)
    totals, load = np.array([0, 0, 0, 0, -1, -1], np.int64), np.zeros((part.routers, part.ports))
    bound: BoundRouting | None = None
    verdict: Verdict = "no routing"
    certificate: I64 | None = None
    proof: Proof | None = None
    draws = 1
    try:
        bound = bind(routing, part, vcs)
        draws = bound.draws
        limit = min(HOPS_LIMIT, 4 * part.routers + 64)
        tally(calls_of(bound), draws, ends, weight, limit, totals, load)
        if totals[4] < 0:
            proof = prove(bound)
            verdict, why, certificate = proof.verdict, proof.method, proof.certificate
        else:
            verdict, why = "undelivered", f"no route from router {totals[4]} to {totals[5]}"
    except JumpnetError as error:
        if faults == 0:
            raise
        why = str(error)
    delivered = int(totals[0])
    load /= max(1, int(part.terminals.sum()) - 1)
    return DegradedFigures(
        network=part,
        bound=bound,
        kind=kind,
        seed=seed,
        faults=order,
        endpoints=damaged.endpoints,
        connected=Fraction(inside, max(1, pairs)),
        reachable=Fraction(delivered, max(1, pairs * draws)),
        average_distance=Fraction(int(totals[3]), max(1, delivered)),
        average_route=Fraction(int(totals[1]), max(1, delivered)),
        longest_route=int(totals[2]),
        load=load,
        verdict=verdict,
        why=why,
        certificate=certificate,
        proof=proof,
    )


def _pairs(terminals: I64) -> int:
    """Ordered pairs of terminals at different routers."""
    n = terminals.astype(np.int64)
    return int(n.sum()) ** 2 - int((n * n).sum())
