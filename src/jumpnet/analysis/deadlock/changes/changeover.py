"""From one routing to another, or several in turn, while packets are on their way: whether a deadlock can come of it.

Packets that are in the network at the change hold channels of the old routing; each head is routed again where it
stands, as if its packet began there, and packets that come later begin by the new routing. So the dependencies are
those of the old routing, those of the new one from every router, and those of a head that holds a channel of the old
routing and asks for one of the new. Where all of them together have an order, no deadlock comes of a change at any
moment, the same for all packets or another for each, so long as none goes back to the old routing (the argument of
Dally and Seitz 1987; its use here is ours). The new network may lack links and routers of the old one: what stands
there is lost, all else is as above. Of several changes, one after another, a head may meet some before it moves on, so
it goes from the routing of any to that of any later one. The states of all, of which a certificate is made, are put
together likewise. Called by `cli/prove` and users; `meeting` asks the same of the packets of one moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from jumpnet.analysis.deadlock.as_made import seal
from jumpnet.analysis.deadlock.changes._waits import add_waits
from jumpnet.analysis.deadlock.changes.standing import standing
from jumpnet.analysis.deadlock.conditions.bubble import rings_hold
from jumpnet.analysis.deadlock.conditions.duato import Extended, extended_by_sections
from jumpnet.analysis.deadlock.conditions.rings import Rings, rings_of
from jumpnet.analysis.deadlock.how import Basis, How
from jumpnet.analysis.deadlock.proof import ESCAPE_RINGS, NO_RINGS, RINGS, Condition, Proof, named_hops, proof_by_order
from jumpnet.analysis.deadlock.rows.bit_rows import unpack, words_of
from jumpnet.analysis.deadlock.rows.compressed_rows import row_starts, spans
from jumpnet.analysis.deadlock.start_hooks.followed import SOME, Seen, start_seen
from jumpnet.analysis.deadlock.walks.limits import expect
from jumpnet.analysis.deadlock.walks.packet_states import Section, sections
from jumpnet.analysis.deadlock.walks.walkers import job_anywhere, job_from, job_of
from jumpnet.analysis.deadlock.ways_to_graph.digits.changes import change_by_digits
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.changes import change_by_dimension
from jumpnet.errors import JumpnetError
from jumpnet.memory import require
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import ESCAPE
from jumpnet.terms import I64

__all__ = ["Changeover", "prove_changeover"]

GRID_ROUTERS = 256
"""Routers from which on packets on grids are not followed."""
SETS_ROUTERS = 256
"""Likewise on networks of digits, by sets of destinations."""
PAIR_SECONDS = 5e-7
"""CPU seconds at least of the packets of a routing, from a router to a destination (0.8 to 2 microseconds measured)."""
MANY_ROUTERS = 1024
"""Routers from which on they are not followed for Duato's condition either, where classes of channels say nothing."""


class Changeover:
    """An old routing and those that take its place, one after another; raises JumpnetError where they do not fit."""

    def __init__(self, old: BoundRouting, *new: BoundRouting) -> None:
        """They must read nothing that a rerouted head does not have, and number routers and ports alike."""
        if not new:
            raise JumpnetError(f"{old.name} alone found in a changeover, a routing that takes its place expected")
        self.old, self.new, self.some = old, new, False
        """Each of the new ones on the links that are there from then on."""
        self._told = False
        nets = [bound.network for bound in (old, *new)]
        for one, two in pairwise(nets):
            before, after = one.neighbor, two.neighbor
            if before.shape != after.shape or ((after != before) & (after >= 0)).any():
                raise JumpnetError(f"{two.spec} found after {one.spec}, the same links or fewer expected")
            more = np.flatnonzero((two.sinks > 0) & (one.sinks == 0))
            if len(more):
                found = f"{two.spec} found after {one.spec}, where router {more[0]} takes no packets"
                raise JumpnetError(f"{found}, the same that take packets or fewer expected")
        for bound in (old, *new):
            job, anew = job_of(bound), None if bound is old else job_anywhere(bound)
            seen = start_seen(bound, anew) if bound.own else Seen()
            if seen.gap is not None:
                raise JumpnetError(seen.gap)
            self.some |= seen.some
            if job.by_channel or job.by_source:
                raise JumpnetError(
                    f"{bound.name} found in a changeover, a routing expected that looks neither at the channel by "
                    "which a packet came nor at its source"
                )

    @property
    def name(self) -> str:
        """All names."""
        return " then ".join(bound.name for bound in (self.old, *self.new))

    @property
    def bubble(self) -> bool:
        """Whether any is made for bubble flow control."""
        return any(bound.routing.bubble for bound in (self.old, *self.new))

    @property
    def spec(self) -> str:
        """All networks, each named once."""
        return ", then ".join(dict.fromkeys(bound.network.spec for bound in (self.old, *self.new)))

    @property
    def vcs(self) -> int:
        """Virtual channels of a port, as many as the one that has most."""
        return max(bound.vcs for bound in (self.old, *self.new))

    def sections(self, escapes: bool = False) -> Iterator[Section]:
        """The states of all packets before, during and after, destination by destination.

        escapes: with all candidates of a state marked ESCAPE where none is.

        Those of a new routing follow those before, and each way of an earlier one is there again, leading to every
        state with which the new routing begins where it leads to; at their last router packets begin only where the new
        routing may send them out again. A destination that is gone has those before alone.
        """
        return (section for section, _ in self.sections_by_routing(escapes))

    def sections_by_routing(self, escapes: bool = False) -> Iterator[tuple[Section, I64]]:
        """The same, with the routing (0 the old one, then the new ones) that each state is of."""
        self._tell()
        later = [(bound, self._anywhere(bound)) for bound in self.new]
        now = [next(states, None) for _, states in later]
        for section in sections(self.old, job_from(self.old, job_of(self.old).sources)):
            whole, of = self._wide(section, self.old.vcs), np.zeros(len(section.router), np.int64)
            for k, (bound, states) in enumerate(later):
                more = now[k]
                if more is not None and more.sink == section.sink:
                    whole = _together(whole, self._wide(more, bound.vcs), self.old.network.neighbor, self.vcs)
                    of = np.concatenate([of, np.full(len(more.router), k + 1)])
                    now[k] = next(states, None)
            yield (_all_escapes(whole) if escapes else whole), of

    def _tell(self) -> None:
        """Say once what it takes to follow all packets, where that is long; raises JumpnetError for a day."""
        bounds = () if self._told else (self.old, *self.new)
        self._told = True
        pairs = sum(bound.network.routers * int((bound.network.sinks > 0).sum()) for bound in bounds)
        expect(f"{self.name} on {self.spec}", PAIR_SECONDS * pairs)

    def _anywhere(self, bound: BoundRouting) -> Iterator[Section]:
        """The states of packets that begin wherever their heads may stand, and by way of others at their last one."""
        for routers, sinks in standing(self.old.network, bound.network):
            yield from sections(bound, job_from(bound, routers), sinks)

    def _wide(self, section: Section, vcs: int) -> Section:
        """The same with channels numbered as for all virtual channels."""
        ways = section.ways.copy()
        ways[:, 1] = ways[:, 1] // vcs * self.vcs + ways[:, 1] % vcs
        return section._replace(ways=ways)

    def dependencies(self) -> tuple[I64, I64, int]:
        """(pairs (D, 2) in ascending order, channels used, states); JumpnetError where rows of bits do not fit."""
        neighbor, states = self.old.network.neighbor, 0
        slots = neighbor.shape[1] * self.vcs
        size, words = neighbor.size * self.vcs, words_of(slots)
        require(8 * size * words, f"{self.name} on {self.spec}: the dependencies of all channels")
        bits, used = np.zeros((size, words), np.uint64), np.zeros(size, np.uint8)
        for section in self.sections():
            add_waits(np.ascontiguousarray(section.ways), section.first, slots, bits, used)
            states += len(section.router)
        base = np.repeat(neighbor.reshape(-1).astype(np.int64), self.vcs) * slots
        indptr, wanted = unpack(bits, base)
        held = np.repeat(np.arange(size), np.diff(indptr))
        return np.stack([held, wanted.astype(np.int64)], axis=1), np.flatnonzero(used), states

    def marks_escapes(self) -> bool:
        """Whether any of the routings marks candidates ESCAPE."""
        return any((section.ways[:, 2] & ESCAPE != 0).any() for section in self.sections())

    def extended(self) -> Extended:
        """The extended dependencies between escape channels, through the ways of all routings."""
        escape = np.zeros(self.old.network.neighbor.size * self.vcs, bool)
        for section in self.sections(escapes=True):
            escape[section.ways[section.ways[:, 2] & ESCAPE != 0, 1]] = True
        return extended_by_sections(self.sections(escapes=True), escape, f"{self.name} on {self.spec}")

    def rings(self, escapes: bool) -> Rings:
        """The dependencies by kind, for bubble flow control; escapes: between escape channels alone."""
        return rings_of(self.sections(escapes), self.old.network, self.vcs, escapes)


def _all_escapes(section: Section) -> Section:
    """The same with all candidates of a state marked ESCAPE where none is."""
    ways, marked = section.ways.copy(), np.zeros(len(section.router), bool)
    marked[ways[ways[:, 2] & ESCAPE != 0, 0]] = True
    ways[~marked[ways[:, 0]], 2] |= ESCAPE
    return section._replace(ways=ways)


def _together(before: Section, later: Section, neighbor: I64, vcs: int) -> Section:
    """The states of both, with the ways from the old to the new."""
    count, starts = len(before.router), np.flatnonzero(later.begins)
    starts = starts[np.argsort(later.router[starts], kind="stable")]
    far = neighbor.reshape(-1)[before.ways[:, 1] // vcs]
    low, high = (np.searchsorted(later.router[starts], far, side=side) for side in ("left", "right"))
    many = high - low
    turned = np.repeat(before.ways, many, axis=0)
    turned[:, 3] = count + starts[spans(low, many)]
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

    By an order of all dependencies; where there is none and a routing marks escapes, by Duato's condition. `unproved`
    with a cycle where neither holds: packets of both may, not must, come to wait for each other. Cost: the states of
    both routings and their dependencies; seconds for some hundred routers. On grids of GRID_ROUTERS and more no packet
    is followed where both routings ask about one dimension at a time, nor on networks of SETS_ROUTERS and more where
    sets of destinations serve both and find an order. Raises JumpnetError where the graph of all channels does not fit,
    or that of the escape channels would take more than 4 GiB, or packets would be followed for a day; a minute and more
    are told beforehand.

    >>> from jumpnet.routings import bind
    >>> from jumpnet.topology import build
    >>> net = build("mesh:4x4")
    >>> prove_changeover(Changeover(bind("mesh.dimension_order", net), bind("mesh.west_first", net))).verdict
    'free'
    >>> prove_changeover(Changeover(bind("mesh.west_first", net), bind("mesh.north_last", net))).verdict
    'unproved'
    """
    return seal(_proved(change), change)


def _proved(change: Changeover) -> Proof:
    """The same, not sealed."""
    net, vcs = change.old.network, change.vcs
    proof = _by_dimension(change) if net.routers >= GRID_ROUTERS else None
    if proof is None and net.routers >= SETS_ROUTERS:
        proof = _by_sets(change)
    if proof is not None:
        return proof
    pairs, used, states = change.dependencies()
    indptr = row_starts(pairs[:, 0], net.neighbor.size * vcs)
    plain = _by_order(change, (indptr, pairs[:, 1].copy()), len(used), states)
    if change.bubble and not plain.deadlock_free:
        return _by_rings(change, plain)
    return plain if plain.deadlock_free or not change.marks_escapes() else _by_escapes(change, plain)


def _by_order(change: Changeover, rows: tuple[I64, I64], channels: int, states: int, by: How = "walks") -> Proof:
    """What an order of all dependencies says."""
    return proof_by_order(
        change.old.network,
        change.vcs,
        rows,
        "unproved",
        _of_all(change),
        spec=change.spec,
        routing=change.name,
        adaptive=any(bound.routing.adaptive for bound in (change.old, *change.new)),
        channels=channels,
        dependencies=len(rows[1]),
        states=states,
        basis=Basis(by),
        network=change.old.network,
    )


def _by_dimension(change: Changeover) -> Proof | None:
    """The same on a large grid, of whose packets none is followed; None where that does not fit, or says nothing."""
    made = change_by_dimension((change.old, *change.new), change.vcs)
    if made is None:
        return None
    plain = _by_order(change, made.rows, int(made.used.sum()), made.states, "dimensions")
    if plain.deadlock_free or not (made.marks_escapes or change.bubble):
        return plain
    if change.bubble:
        return None
    number = made.escape_numbers()
    if number is None and change.old.network.routers < MANY_ROUTERS:
        return None
    if number is None:
        return replace(plain, method=f"{plain.method}; no numbers of classes of escape channels were found")
    how = f"Duato's condition: numbers of the escape channels ascend along every way between them {_of_all(change)}"
    escapes = int(made.escape.sum())
    return replace(plain, **_free(how, number, "escape"), escape_channels=escapes)


def _by_sets(change: Changeover) -> Proof | None:
    """The same by sets of destinations of all routings; None where they do not fit, or find no order."""
    made = change_by_digits((change.old, *change.new))
    if made is None:
        return None
    return Proof(
        spec=change.spec,
        routing=change.name,
        vcs=change.vcs,
        verdict="free",
        method=f"acyclic channel dependency graph of sets of packets, among which are all {_of_all(change)}",
        adaptive=any(bound.routing.adaptive for bound in (change.old, *change.new)),
        channels=made.channels,
        dependencies=made.dependencies,
        states=made.states,
        cycle=None,
        certificate=made.number,
        certificate_checked=True,
        basis=Basis("digits"),
        network=change.old.network,
    )


def _by_rings(change: Changeover, plain: Proof) -> Proof:
    """What the condition of bubble flow control says, of all channels or of escapes alone.

    It may be asked of all packets before, during and after a change: a packet that is routed anew stands whole in one
    buffer, asks from then on as the later routing says, and never goes back. So when nothing moves any more each packet
    asks by one routing, and rings have had room for one more packet at any time. A head that is routed anew within a
    ring and asks to enter it again breaks the condition: then all may ask for room for two where there is room for one.
    """
    for escapes in (False, True) if change.marks_escapes() else (False,):
        found = change.rings(escapes)
        number = rings_hold(found.marked) if found.holds else None
        if number is not None:
            how = f"{ESCAPE_RINGS if escapes else RINGS}, {_of_all(change)}"
            condition: Condition = "escape-rings" if escapes else "rings"
            proof = replace(plain, **_free(how, np.where(found.among, number, -1), condition))
            return replace(proof, escape_channels=int(found.among.sum())) if escapes else proof
    return replace(plain, method=f"{NO_RINGS}, {_of_all(change)}", condition="rings")


def _free(method: str, number: I64, condition: Condition) -> dict[str, Any]:
    """Fields of a proof by another condition than that of all channels."""
    by = {"method": method, "condition": condition, "certificate": number, "certificate_checked": True}
    return {"verdict": "free", "cycle": None, **by}


def _of_all(change: Changeover) -> str:
    """Whose dependencies they are."""
    found = f"of {'both' if len(change.new) == 1 else 'all'} routings and of packets routed anew where they stand"
    return found + (SOME if change.some else "")


def _by_escapes(change: Changeover, plain: Proof) -> Proof:
    """What Duato's condition says; plain: the proof by an order of all dependencies, which fails."""
    extended = change.extended()
    order = extended.order(change.old.network.neighbor.size * change.vcs)
    graph = f"extended dependency graph of the escape channels {_of_all(change)}"
    counted = replace(
        plain, condition="escape", escape_channels=len(extended.channel), escape_dependencies=len(extended.indices)
    )
    if order.number is None:
        assert order.cycle is not None
        cycle = named_hops(change.old.network, change.vcs, order.cycle)
        return replace(counted, method=f"Duato's condition fails: cycle in the {graph}", cycle=cycle)
    return replace(counted, **_free(f"Duato's condition: acyclic {graph}", order.number, "escape"))
