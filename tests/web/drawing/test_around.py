"""What is seen around one router: territories up to a rank, and what links of one rank join to it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import networkx
import numpy as np
import pytest
from tests.web.conftest import Shown

from jumpnet.cli import run_words
from jumpnet.explore.kernels.trees import list_territory, tree_tables
from jumpnet.multicast.territory import territories
from jumpnet.topology import build


@pytest.mark.parametrize("spec", ["rdt:16", "prdt:18,n=3"])
def test_territories_are_those_of_the_library(spec: str) -> None:
    where = territories(spec)
    tables, out = tree_tables(where), np.zeros(where.routers + 2, np.int32)
    for source in (0, 37, 101):
        list_territory(tables.ctypes.data, source, out.ctypes.data)
        least = np.full(where.routers, -1)
        for rank in range(where.top, -1, -1):
            least[where.members(source, rank)] = rank
        assert (out[:-2] == least).all() and (least >= 0).any()


def test_territories_alone(
    shown: Callable[..., Shown], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    it = shown("net=rdt:8&panel=multicast&multicast.to=own&multicast.source=9&multicast.territory=true")
    it.page.wait_for_function("() => document.querySelector('#panel').innerText.includes('Territories: ')")
    it.page.get_by_label("Up to rank").fill("0")
    where, words = territories("rdt:8"), it.page.inner_text("#panel")
    for rank in range(where.top + 1):
        inside = np.unique(np.concatenate([where.members(9, r) for r in range(rank + 1)]))
        assert f"rank {rank} reaches {len(inside)}" in words
    assert it.part().endswith("multicast.territory=true&multicast.ranks=0") and it.errors == []
    monkeypatch.chdir(tmp_path)
    assert run_words([*shlex.split(it.page.inner_text('code[aria-label="Command"]'))[1:], "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["routers"] == len(where.members(9, 0)) == 8
    assert (tmp_path / "territory.svg").read_text().count("<path") > 8


def test_what_links_of_one_rank_join(shown: Callable[..., Shown]) -> None:
    it = shown("net=rdt:16&picked=18&network.pieces=1.1.1.1.99999.0.0")
    it.page.get_by_role("button", name="rank 2", exact=True).click()
    net, words = build("rdt:16"), it.page.inner_text("#panel")
    for router, rank in ((1, 1), (18, 2)):
        of_rank = networkx.Graph()
        for r, p in np.argwhere(net.neighbor >= 0).tolist():
            if net.class_rank[net.link_class[r, p]] == rank:
                of_rank.add_edge(r, int(net.neighbor[r, p]))
        joined = of_rank.subgraph(networkx.node_connected_component(of_rank, router))
        place = ",".join(map(str, net.coord[router].tolist()))
        counts = f"{joined.number_of_nodes()} routers, {joined.number_of_edges()} links"
        assert f"Rank {rank} through {router} = {place}: {counts}" in words
    assert it.part() == "net=rdt:16&picked=18&network.pieces=1.1.18.2" and it.errors == []
