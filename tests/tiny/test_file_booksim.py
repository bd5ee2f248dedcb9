"""Ways of least latency as BookSim 2 finds them on networks from files: by hand, and beside NetworkX."""

from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.routings.view import new_head, new_out
from jumpnet.topology import build


def _network(folder: Path, text: str) -> Network:
    (folder / "net.anynet").write_text(text)
    return build(f"file:{folder / 'net.anynet'}")


def _way(bound: BoundRouting, source: int, to: int) -> list[int]:
    """Routers from the source on; the destination last, or None where there is no way."""
    head, way = new_head(source, to), [source]
    while True:
        out = new_out()
        count = bound.routing.relation(bound.view, way[-1], head, out)
        if count <= 0:
            return [*way, -1] if count < 0 else way
        assert count == bound.vcs and len(way) <= bound.network.routers
        way.append(int(bound.network.neighbor[way[-1], out[0, 0]]))


def test_two_short_links_go_before_a_long_one(tmp_path: Path) -> None:
    """The link from 0 to 1 takes ten cycles, by way of 2 it is two; back the direct link takes one."""
    net = _network(tmp_path, "router 0 node 0 router 1 10 router 2\nrouter 1 node 1 router 2\nrouter 2 node 2\n")
    bound = bind("file.booksim", net, 2)
    assert _way(bound, 0, 1) == [0, 2, 1] and _way(bound, 1, 0) == [1, 0]
    assert _way(bind("minimal", net), 0, 1) == [0, 1]


def test_of_equal_ways_the_one_whose_last_router_has_the_lowest_number(tmp_path: Path) -> None:
    """From 0 to 5 by 1 and 4 or by 2 and 3: of 3 and 4, both two hops away, 3 is settled first."""
    net = _network(
        tmp_path,
        "".join(f"router {r} node {r}\n" for r in range(6))
        + "router 0 router 1 router 2\nrouter 1 router 4\nrouter 2 router 3\nrouter 5 router 3 router 4\n",
    )
    bound = bind("file.booksim", net)
    assert _way(bound, 0, 5) == [0, 2, 3, 5] and _way(bound, 5, 0) == [5, 4, 1, 0]
    assert _way(bind("minimal", net), 0, 5) == [0, 1, 4, 5]


@pytest.mark.parametrize("seed", range(8))
def test_no_way_is_shorter(seed: int, tmp_path: Path) -> None:
    draw = np.random.default_rng(seed)
    cycles = {(int(a), int(b)): int(draw.integers(1, 9)) for a, b in draw.integers(0, 12, (22, 2)) if a != b}
    lines = [f"router {r} node {r}" for r in range(12)] + [f"router {a} router {b} {n}" for (a, b), n in cycles.items()]
    net = _network(tmp_path, "\n".join(lines) + "\n")
    assert net.latency is not None
    graph = nx.DiGraph()
    graph.add_nodes_from(range(net.routers))
    for r, p in np.argwhere(net.neighbor >= 0).tolist():
        graph.add_edge(r, int(net.neighbor[r, p]), cycles=int(net.latency[r, p]))
    least, bound = dict(nx.all_pairs_dijkstra_path_length(graph, weight="cycles")), bind("file.booksim", net)
    for source in range(net.routers):
        for to in range(net.routers):
            way = _way(bound, source, to)
            assert (way[-1] == to) == (to in least[source])
            if way[-1] == to:
                assert nx.path_weight(graph, way, "cycles") == least[source][to]


def test_other_networks_are_refused() -> None:
    with pytest.raises(JumpnetError, match=r"file\.booksim does not fit torus:4: it needs a network of family file"):
        bind("file.booksim", build("torus:4"))
