"""The papers' networks side by side, for the page: exact figures of networks of one size and about as many links.

Each row is what `jumpnet metrics --structure` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from jumpnet.explore.gallery import GALLERY
from jumpnet.graph.bisection import bisection
from jumpnet.graph.metrics import metrics
from jumpnet.topology import build, family

__all__ = ["GROUPS", "PANEL", "Group", "compared", "data", "row", "specs"]

PANEL = "papers"


class Group(NamedTuple):
    """Networks that cost about the same."""

    name: str
    title: str
    specs: tuple[str, ...]


GROUPS = (
    Group("64", "64 routers", (
        "rdt:8", "srt2d:8", "torus:8x8", "torus:4x4x4", "hypercube:6", "crossedcube:6", "random:64",
    )),
    Group("256", "256 routers, at most 8 links each", (
        "rdt:16", "srt2d:16", "srt2d:16,variant=ss", "torus:4x4x4x4", "hypercube:8", "crossedcube:8", "random:256",
    )),
    Group("648", "648 routers, 4 links each", ("rdn:3,k=2", "torus:18x36", "midimew:648", "random:648,d=4")),
    Group("1024", "1,024 routers", (
        "rdt:32", "srt2d:32", "torus:32x32", "hypercube:10", "crossedcube:10", "random:1024",
    )),
    Group("4096", "4,096 routers", (
        "rdt:64", "srt2d:64,variant=ss", "torus:64x64", "torus:16x16x16", "hypercube:12", "crossedcube:12",
        "midimew:4096", "random:4096",
    )),
)  # fmt: skip


def specs() -> list[str]:
    """Those networks that the page can draw."""
    drawn = {spec for listed in GALLERY.values() for spec in listed}
    return [spec for group in GROUPS for spec in group.specs if spec in drawn]


def data() -> dict[str, Any]:
    """All groups. Cost: some CPU seconds, most of them bisections."""
    return {
        "groups": [
            {"name": group.name, "title": group.title, "rows": [row(spec) for spec in group.specs]} for group in GROUPS
        ]
    }


def row(spec: str) -> dict[str, Any]:
    """The figures of a network; `pairs` are ordered pairs of routers by distance.

    >>> row("torus:4x4")["bisection"]
    [8, 8]
    """
    net = build(spec)
    member = family(spec)
    found, halved = metrics(member), bisection(net, member.halves(net), member.bisection_width())
    distance = found.average_distance
    assert distance is not None and found.uniform_load_bound is not None
    return {
        "spec": spec,
        "routers": found.routers,
        "links": found.links,
        "degree": [found.degree_min, found.degree],
        "diameter": found.diameter,
        "average": float(distance),
        "pairs": list(found.distance_counts),
        "bisection": [halved.lower, halved.upper] if halved.exact is None else [halved.exact, halved.exact],
        "how": halved.method,
        "capacity": float(found.uniform_load_bound),
    }


def compared(specs: Sequence[str]) -> list[dict[str, Any]]:
    """The rows of some networks, each with `equal`: its bound if all had as many wires as the one with fewest links.

    >>> [round(row["equal"], 3) for row in compared(["torus:4x4", "mesh:4x4"])]
    [1.406, 1.125]
    """
    rows = [row(spec) for spec in specs]
    least = min((row["links"] for row in rows), default=0)
    return [{**row, "equal": row["capacity"] * least / row["links"]} for row in rows]
