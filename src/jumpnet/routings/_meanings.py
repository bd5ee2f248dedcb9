"""What the options of the routings mean, in one line each for `jumpnet list`; routings of one name have one meaning.

Used by every routing with options.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MEANINGS"]

MEANINGS: Mapping[str, str] = {
    "avoid": "What is not used near a fault: the very link, or whole tori that miss a node or link.",
    "layers": "Channels of a pair: all, or those of one of few acyclic layers, which makes it free of deadlock.",
    "levels": "Whether partitions are cut into partitions again and again, or the network once only.",
    "moves": "Base hops to the next rank: those of the shortest route (best: any walk, step: one hop), to the nearest "
    "that leaves the least vector (near; compass: another order of equals) or whatever it leaves (plain), or along x.",
    "order": "Which pending rank comes next: any, as the base hops meet it, the lowest, or the highest.",
    "paths": "The path of each pair: by the first port on a shortest path, or spread over the links.",
    "ports": "Whether one port on a shortest path is offered, or every one.",
    "root": "Root of the tree: a router of least eccentricity, or the first that works.",
    "ties": "Rounding of a remainder of exactly n: what gives the shortest route, toward zero, away from it, or up.",
    "up": "Which way up: each is a candidate, the start draws one, or the destination's address says.",
}
