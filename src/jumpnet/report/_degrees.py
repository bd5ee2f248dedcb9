"""Links of the nodes of a built network: how many, and of which ranks.

Used by inoguchi1996srt, kudoh1995rhbd, nishi1997router and yang2001rdt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from jumpnet.networks import Network
from jumpnet.papers import claim, evaluate
from jumpnet.report._section import Cell, Golden, Rows, claimed
from jumpnet.terms import I64, NO_ROUTER
from jumpnet.topology import build

__all__ = [
    "ONE_UPPER", "PERFECT", "fewer_links", "links_of_a_node", "one_or_range", "one_upper_rows", "perfect_degree",
    "upper_rank",
]  # fmt: skip

PERFECT = ("prdt:16", "prdt:32", "prdt:64", "prdt:128", "prdt:256", "prdt:256,R=4", "prdt:108,n=3", "prdt:10,n=3")
"""Perfect RDTs whose degree is compared."""
ONE_UPPER = ("rdt:128", "rdt:256")
"""RDT(2,4,1)/alpha of more than ten thousand nodes: with one upper torus a node, and all four ranks."""


class Links(NamedTuple):
    """Links of the nodes of a network."""

    word: str
    """The number that all nodes have, or `least to most`."""
    detail: str


def upper_rank(net: Network) -> I64:
    """(R,) highest rank, or level, of each router's links; 0 where it has none but those of the base torus or ring.

    >>> np.bincount(upper_rank(build("rdt:128"))).tolist()
    [0, 4096, 4096, 4096, 4096]
    """
    rank = np.where(net.neighbor != NO_ROUTER, net.class_rank[net.link_class], 0)
    return rank.max(axis=1).astype(np.int64)


def one_or_range(degrees: Sequence[int]) -> str:
    """The number that all have, or `least to most`.

    >>> one_or_range([4, 4]), one_or_range([4, 2, 3])
    ('4', '2 to 4')
    """
    least, most = min(degrees), max(degrees)
    return str(least) if least == most else f"{least} to {most}"


def links_of_a_node(spec: str) -> Links:
    """How many links a node has: one number only where all nodes have it.

    >>> links_of_a_node("torus:4x4").word, links_of_a_node("mesh:4x4")
    ('4', Links(word='2 to 4', detail='of 16 nodes 4 have 2, 8 have 3, 4 have 4'))
    """
    degrees = build(spec).degrees.tolist()
    kinds = sorted(set(degrees))
    counts = ", ".join(f"{degrees.count(k)} have {k}" for k in kinds)
    return Links(one_or_range(degrees), f"of {len(degrees)} nodes {counts}")


def fewer_links(spec: str) -> str:
    """For a figure that is the largest degree: how many nodes have fewer links; empty where none has.

    >>> fewer_links("torus:4x4"), fewer_links("mesh:4x4")
    ('', 'largest degree; of 16 nodes 4 have 2, 8 have 3, 4 have 4')
    """
    links = links_of_a_node(spec)
    return "" if links.word.isdigit() else f"largest degree; {links.detail}"


def one_upper_rows(golden: Golden, name: str) -> Rows:
    """A row for each size of the network with one upper torus a node."""
    found = ((spec, links_of_a_node(spec)) for spec in ONE_UPPER)
    return [
        (f"links of a node, {spec}", [claimed(golden, name, links.word, detail=links.detail)]) for spec, links in found
    ]


def perfect_degree(golden: Golden, spec: str) -> Cell:
    """The degree of a perfect RDT beside what the formula gives for its highest rank."""
    net, links = build(spec), links_of_a_node(spec)
    printed = str(
        evaluate(claim(golden, "prdt_degree"), R=int(net.class_rank[net.link_class[net.neighbor >= 0]].max()))
    )
    return claimed(golden, "prdt_degree", links.word, printed=printed, detail=links.detail)
