"""Proofs by every way that can do a case, against all packets followed: graphs, verdicts, and the twin's graph."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from random import Random
from typing import Any
from unittest.mock import patch

import numpy as np
from tests.attack.drawn import drawn_networks
from tests.attack.pairs import Seen
from tests.naive.dependency import dependency_sets

from jumpnet.analysis.deadlock import dependency as dependency_module
from jumpnet.analysis.deadlock.conditions import escape_numbers as escapes_module
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.graph import Dependencies
from jumpnet.analysis.deadlock.proof import Proof
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.deadlock.rows import pieces as pieces_module
from jumpnet.analysis.deadlock.ways_to_graph.digits import graph as digits_module
from jumpnet.analysis.deadlock.ways_to_graph.digits import rows as rows_module
from jumpnet.analysis.deadlock.ways_to_graph.inequalities.kinds import kinds_of_packets
from jumpnet.analysis.deadlock.ways_to_graph.shortest import graph as shortest_module
from jumpnet.errors import JumpnetError
from jumpnet.routings import BoundRouting, bind

__all__ = ["compared"]

ALL = ("DIGITS_ROUTERS", "GRID_ROUTERS", "ORBITS_ROUTERS", "SHORTEST_ROUTERS", "MANY_WALKS", "LONG_WALKS")
WAYS: list[tuple[str, ...]] = [
    (), *((name,) for name in ALL), ("MANY_STEPS",), ("KINDS",), ("MANY_STEPS", "ORBITS_ROUTERS"),
    ("MANY_WALKS", "DIGITS_ROUTERS"), (*ALL, "MANY_STEPS"), ("SHORTEST_ROUTERS", "ALL_WAYS"),
    ("DIGITS_ROUTERS", "PIECES"),
]  # fmt: skip
"""Limits from which on other ways are taken that are 0, the others out of reach; KINDS: sides from 4 on are long;
ALL_WAYS: shortest ways take long; PIECES: rows of bits are not held."""
TWIN = 30_000
"""Triples of source, destination and draw that the twin follows."""


def _proof(bound: BoundRouting, low: tuple[str, ...], apart: bool, threads: int) -> tuple[Proof, Dependencies]:
    """A proof, and the graph it begins with."""
    with ExitStack() as stack:
        for name in (*ALL, "MANY_STEPS"):
            module = escapes_module if name == "MANY_STEPS" else dependency_module
            stack.enter_context(patch.object(module, name, 0 if name in low else 1 << 50))
        if "DIGITS_ROUTERS" in low:
            stack.enter_context(patch.object(digits_module, "SHARE", 0))
        if "ALL_WAYS" in low:
            stack.enter_context(patch.object(shortest_module, "LONG_SECONDS", 0))
        if "PIECES" in low:
            stack.enter_context(patch.object(pieces_module, "WHOLE_BYTES", 0))
            stack.enter_context(patch.object(rows_module, "PIECE_BYTES", 2048))
        if "KINDS" in low:
            kinds = partial(kinds_of_packets, longest=3)
            stack.enter_context(patch.object(dependency_module, "kinds_of_packets", kinds))
        made = dependencies(bound, threads, apart=apart, beyond=apart)
        return prove(bound, threads, made=None if apart else made), made


def _graphs(made: Dependencies, whole: Dependencies) -> str:
    """How a graph differs from that of all packets."""
    bits = np.tile(made.bits, (made.shared_by, 1)) if made.alike else made.bits
    bits = bits if made.pieces is None else np.concatenate(list(made.pieces.each()))
    if not made.whole:
        less = made.to is not None
        few, many = (bits, whole.bits) if less else (whole.bits, bits)
        return f"{made.by}: dependencies {'more' if less else 'missing'}" if (few & ~many).any() else ""
    for name, mine in (("bits", bits), ("used", made.used), ("escape", made.escape)):
        if (mine != getattr(whole, name)).any():
            return f"{made.by}: {name} differ at {np.argwhere(mine != getattr(whole, name))[:4].tolist()}"
    names = ("adaptive", "choices", "has_escape")
    said = [f"{n} {getattr(made, n)}" for n in names if getattr(made, n) != getattr(whole, n)]
    return f"{made.by}: {said}" if said else ""


def _verdicts(one: Proof, base: Proof) -> str:
    if one.by == "kinds" and one.verdict == "unproved":  # what it cannot tell it leaves open
        return ""
    if one.verdict != base.verdict:
        return f"verdict {one.verdict} ({one.method}), {base.verdict} ({base.method}) by all packets"
    if one.cycle is not None and base.cycle is not None and one.method == base.method:
        mine, theirs = len(one.cycle), len(base.cycle)
        return f"a cycle of {mine}, {theirs} by all packets ({one.method})" if mine != theirs else ""
    return ""


def _twin(bound: BoundRouting, whole: Dependencies) -> str:
    """The graph by runs of the relation in plain Python."""
    net, vcs = bound.network, bound.vcs
    indptr, indices = whole.rows
    holder = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    named = [(c // (net.ports * vcs), c // vcs % net.ports, c % vcs) for c in range(len(indptr) - 1)]
    rows = {(named[c], named[b]) for c, b in zip(holder.tolist(), indices.tolist(), strict=True)}
    home = bound.draws > 1 and (vcs < bound.needed or bound.routing.others_home)  # packets home may then go round
    _, edges = dependency_sets(bound, queues=bool(bound.view.queues), home=home)
    return f"twin: {sorted(rows ^ edges)[:3]} in one of the graphs alone" if rows != edges else ""


def compared(draw: Random, seen: Seen) -> tuple[Any, str]:
    """One case, and how it differs."""
    net = drawn_networks.network(draw, draw.choice([16, 40, 90]))
    name = drawn_networks.fitting(draw, net)
    needed = bind(name, net).vcs
    vcs = max(1, needed - 1) if draw.random() < 0.3 else needed + (draw.random() < 0.15)
    bound = bind(name, net, vcs)
    case = f"{net.spec} {name} vcs {vcs}"
    if bound.draws * net.routers**2 > 1 << 20:
        return case, ""
    base, whole = _proof(bound, (), False, 1)
    seen[f"verdict: {base.verdict}"] += 1
    if bound.draws * net.routers**2 <= TWIN:
        seen["the twin"] += 1
        if how := _twin(bound, whole):
            return case, how
    for low in WAYS:
        try:
            proof, made = _proof(bound, low, True, draw.randint(1, 2))
        except JumpnetError as error:
            return case, f"{low}: {error}"
        in_pieces = "" if made.pieces is None else ", in pieces"
        seen[f"by {made.by}{in_pieces}{'' if made.whole else ', not whole'}{', phased' if made.phased else ''}"] += 1
        if how := _graphs(made, whole) or _verdicts(proof, base):
            return case, f"{low}: {how}"
    how = _verdicts(_proof(bind(name, drawn_networks.bare(net), vcs), (), True, 1)[0], base)
    return case, f"without orbits: {how}" if how else ""
