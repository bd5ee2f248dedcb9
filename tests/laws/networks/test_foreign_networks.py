"""Networks without a routing of their own get one that is free of deadlock, and the best that they can afford."""

from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

import jumpnet
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.loads import channel_loads
from jumpnet.cli import main
from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import from_networkx
from jumpnet.networks import Network
from jumpnet.routings import _foreign as foreign
from jumpnet.routings import bind, default_choice, default_routing
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_traffic

BALANCED = "lash:paths=balanced"
REGULAR = [(3, 20), (4, 64), (6, 64), (3, 128)]


def _regular(degree: int, routers: int) -> Network:
    return from_networkx(nx.random_regular_graph(degree, routers, seed=degree))


def _largest_load(net: Network, name: str, vcs: int | None = None) -> float:
    return channel_loads(bind(name, net, vcs), bind_traffic("uniform", net)).maximum


@pytest.mark.parametrize(("degree", "routers"), REGULAR)
@pytest.mark.parametrize("vcs", [None, 1, 2])
def test_a_random_graph_gets_a_routing_that_is_free_of_deadlock(degree: int, routers: int, vcs: int | None) -> None:
    net = _regular(degree, routers)
    bound = bind(default_routing(net, vcs), net, vcs)
    assert prove(bound).deadlock_free
    assert bound.vcs >= bound.needed


@pytest.mark.parametrize(("degree", "routers"), REGULAR)
def test_it_carries_more_than_a_tree_would(degree: int, routers: int) -> None:
    net = _regular(degree, routers)
    tree = _largest_load(net, "up_down")
    assert _largest_load(net, default_routing(net)) < 0.6 * tree
    if routers > 20:
        assert _largest_load(net, default_routing(net)) < 0.35 * tree
        assert _largest_load(net, default_routing(net, 2), 2) < tree


def test_its_paths_are_those_of_dfsssp() -> None:
    net = _regular(4, 64)
    ours, theirs = (bind(name, net).view.table[: net.routers] for name in (BALANCED, "dfsssp"))
    assert np.array_equal(ours, theirs) and not np.array_equal(ours, bind("lash", net).view.table[: net.routers])


def test_too_few_channels_or_too_many_layers_leave_nue(monkeypatch: pytest.MonkeyPatch) -> None:
    net = _regular(4, 64)
    layers = bind(BALANCED, net).needed
    assert layers > 2
    assert default_routing(net, layers) == BALANCED
    assert default_choice(net, layers - 1) == (
        "nue",
        f"graph has no routing of its own: layers of shortest paths would need {layers} virtual channels",
    )
    monkeypatch.setattr(foreign, "LIMIT_BYTES", 1)
    assert default_routing(net) == "nue"


def test_a_large_network_gets_what_is_made_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    net = _regular(3, 20)
    assert default_routing(net) == BALANCED
    monkeypatch.setattr(foreign, "LARGEST", 19)
    assert default_routing(net) == "up_down" and "19 routers" in default_choice(net)[1]


def test_one_way_links_get_layers_and_parts_that_are_apart_a_plain_refusal() -> None:
    ring = from_networkx(nx.DiGraph([(0, 1), (1, 2), (2, 0)]))
    assert ring.directed and default_routing(ring) == BALANCED and default_routing(ring, 1) == "lash"
    apart = from_networkx(nx.Graph([(0, 1), (2, 3)]))
    with pytest.raises(JumpnetError, match="it needs a connected network, and router 2 has no way from router 0"):
        jumpnet.network(apart).prove()


def test_a_graph_of_networkx_is_simulated_by_it() -> None:
    found = jumpnet.network(nx.random_regular_graph(4, 20, seed=1)).simulate(load=0.1, packet_flits="1")
    assert found.routing == BALANCED and not found.saturated


@pytest.mark.parametrize("words", [["prove"], ["simulate", "--load", "0.05", "--cycles", "400"]], ids=lambda w: w[0])
def test_the_command_says_why(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(spec: str, *more: str) -> str:
        monkeypatch.setattr("sys.argv", ["jumpnet", words[0], spec, *words[1:], *more])
        with pytest.raises(SystemExit):
            main()
        return capsys.readouterr().out

    spec = "random:20,d=3,seed=1"
    row, why = json.loads(said(spec, "--json")), default_choice(build(spec))[1]
    assert row["routing"] == BALANCED and row["routing_why"] == why
    assert "routing_why" not in json.loads(said(spec, "--routing", BALANCED, "--json"))
    assert "routing_why" not in json.loads(said("torus:4x4", "--json"))
    assert why in " ".join(said(spec).split())
