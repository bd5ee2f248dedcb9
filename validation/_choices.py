"""What `drawn` draws from seed 1001 on instead: what no seed before could, found by one who looked for differences.

Graphs from files on which packets have a choice of ways, over links of unequal length in each direction; tori of sides
of two, and with odd numbers of virtual channels, both of which jumpnet refuses.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from random import Random
from typing import Any

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.routings import bind
from jumpnet.topology import build

__all__ = ["ROUTERS_OF_GRAPH", "graph_text", "with_choices"]

Settings = dict[str, Any]

ROUTERS_OF_GRAPH = 8
MORE_LINKS = 3
LONGEST_LINK_CYCLES = 6
GONE = (
    "network_file", "k", "n", "c", "x", "y", "xr", "yr", "use_read_write", "classes", "class_priority",
    "injection_process", "write_fraction", "noq",
)  # fmt: skip
"""Keys of other networks, and of packets that these may not carry."""


def _drawn_graph(rng: Random) -> str:
    """A tree of routers with a node each, and links besides; each direction has a length of its own."""
    links = [(rng.randrange(router), router) for router in range(1, ROUTERS_OF_GRAPH)]
    while len(links) < ROUTERS_OF_GRAPH - 1 + MORE_LINKS:
        link = tuple(sorted(rng.sample(range(ROUTERS_OF_GRAPH), 2)))
        links += [] if link in links else [(link[0], link[1])]
    lines = [f"router {router} node {router}" for router in range(ROUTERS_OF_GRAPH)]
    both = [pair for one, other in links for pair in ((one, other), (other, one))]
    lines += [f"router {here} router {there} {rng.randint(1, LONGEST_LINK_CYCLES)}" for here, there in both]
    return "\n".join(lines) + "\n"


def graph_text(seed: int) -> str:
    """The first drawn graph in BookSim's words whose ways of least latency are proved free of deadlock on one channel.

    >>> graph_text(1).splitlines()[0]
    'router 0 node 0'
    """
    rng = Random(f"graph {seed}")
    while True:
        text = _drawn_graph(rng)
        with tempfile.TemporaryDirectory() as folder:
            (path := Path(folder) / "graph.anynet").write_text(text, encoding="ascii")
            if prove(bind("file.booksim", build(f"file:{path}"))).deadlock_free:
                return text


def with_choices(seed: int, found: Settings) -> Settings:
    """Settings that are drawn already on one of these networks, with packets that can go on being sent there."""
    rng = Random(f"choices {seed}")
    kept = {key: value for key, value in found.items() if key not in GONE and not key.endswith(("_vc", "_subnet"))}
    kept |= {"traffic": "uniform", "packet_size": rng.choice((1, 2, 4, 5, 9))}
    kind = rng.choice(("graph", "graph", "odd", "pairs"))
    if kind == "graph":
        return {**kept, "topology": "anynet", "network_file": "graph", "routing_function": "min",
                "num_vcs": rng.choice((1, 2, 3, 4))}  # fmt: skip
    torus = {**kept, "topology": "torus", "n": 2, "routing_function": "dim_order"}
    return torus | ({"k": 4, "num_vcs": rng.choice((3, 5))} if kind == "odd" else {"k": 2, "num_vcs": 4})
