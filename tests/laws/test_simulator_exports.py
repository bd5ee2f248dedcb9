"""Files for Merlin and Garnet say the whole network: each is read as its simulator reads it; and the export verb."""

from __future__ import annotations

import json
import sys
import types
from pathlib import Path
from typing import Any

import networkx
import numpy as np
import pytest
from typer.testing import CliRunner

from jumpnet.cli import app
from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import from_edges
from jumpnet.graph.garnet import garnet_lines, write_garnet
from jumpnet.graph.merlin import merlin_lines, write_merlin
from jumpnet.topology import build


class Made:
    """What gem5's Router, IntLink and ExtLink are to a topology: a keeper of keywords."""

    def __init__(self, **words: Any) -> None:
        self.words = words


def gem5_reads(path: Path, controllers: int) -> types.SimpleNamespace:
    """Run the topology class of a file the way gem5 does, with stand-ins for its modules."""
    stand_ins = {name: types.ModuleType(name) for name in ("m5", "m5.objects", "m5.params", "topologies")}
    base = types.ModuleType("topologies.BaseTopology")
    base.SimpleTopology = object  # type: ignore[attr-defined]
    with pytest.MonkeyPatch.context() as patch:
        for name, module in {**stand_ins, "topologies.BaseTopology": base}.items():
            patch.setitem(sys.modules, name, module)
        scope: dict[str, Any] = {}
        exec(compile(path.read_text(), str(path), "exec"), scope)
        network = types.SimpleNamespace()
        options = types.SimpleNamespace(router_latency=1, link_latency=7)
        scope[path.stem](list(range(controllers))).makeTopology(options, network, Made, Made, Made)
    return network


@pytest.mark.parametrize("spec", ["torus:4x3", "dragonfly:2", "fattree:2,n=3", "cmesh:2x2", "file:example.anynet"])
def test_garnet_topology_makes_every_channel(tmp_path: Path, spec: str) -> None:
    net = build(spec)
    write_garnet(net, tmp_path / "Lab.py")
    made = gem5_reads(tmp_path / "Lab.py", 2 * net.endpoints)
    assert [r.words["router_id"] for r in made.routers] == list(range(net.routers))
    rows, cols = np.nonzero(net.neighbor >= 0)
    cycles = np.full(net.neighbor.shape, 7) if net.latency is None else net.latency
    wanted = {
        (r, int(net.neighbor[r, p]), f"out{p}", f"in{net.far_port[r, p]}", int(cycles[r, p]))
        for r, p in zip(rows.tolist(), cols.tolist(), strict=True)
    }
    found = {
        (
            link.words["src_node"].words["router_id"],
            link.words["dst_node"].words["router_id"],
            link.words["src_outport"],
            link.words["dst_inport"],
            link.words["latency"],
        )
        for link in made.int_links
    }
    assert found == wanted and len(made.int_links) == net.channels
    at = [link.words["int_node"].words["router_id"] for link in made.ext_links]
    assert at == 2 * net.terminal_router.tolist()
    ids = [link.words["link_id"] for link in made.ext_links + made.int_links]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("spec", ["torus:4x3", "dragonfly:2", "fattree:2,n=3"])
def test_merlin_graph_has_endpoints_and_links_in_the_order_of_the_routers(tmp_path: Path, spec: str) -> None:
    net = build(spec)
    write_merlin(net, tmp_path / "net.graphml")
    graph = networkx.read_graphml(tmp_path / "net.graphml")
    assert type(graph) is networkx.Graph
    graph = networkx.convert_node_labels_to_integers(graph)
    assert [graph.nodes[r]["endpoints"] for r in range(net.routers)] == net.terminals.tolist()
    for r in range(net.routers):
        assert sorted(graph[r]) == sorted(x for x in net.neighbor[r].tolist() if x >= 0)


def refused(lines: Any) -> str:
    with pytest.raises(JumpnetError) as error:
        list(lines)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_the_simulators_cannot_take_is_refused() -> None:
    assert "one-way" in refused(merlin_lines(build("fly:2,n=2")))
    assert "parallel" in refused(merlin_lines(from_edges([(0, 1), (0, 1)])))
    assert "different latency" in refused(merlin_lines(build("file:example.anynet")))
    assert "different routers" in refused(garnet_lines(build("fly:2,n=2")))
    assert "class name" in refused(garnet_lines(build("torus:4"), "os; x"))
    assert "class name" in refused(garnet_lines(build("torus:4"), "class"))
    assert "no terminals" in refused(garnet_lines(from_edges([(0, 1)], terminals=np.zeros(2, np.int32))))


@pytest.mark.parametrize("format", ["anynet", "edgelist", "graphml", "json", "merlin", "garnet"])
def test_export_verb_writes_the_same_to_a_file_and_to_the_screen(tmp_path: Path, format: str) -> None:
    out = tmp_path / "Jumpnet.txt"
    shown = CliRunner().invoke(app(), ["export", "torus:4x3", "--format", format])
    written = CliRunner().invoke(app(), ["export", "torus:4x3", "-f", format, "--out", str(out), "--json"])
    assert shown.exit_code == written.exit_code == 0
    assert out.read_text() == shown.stdout
    assert json.loads(written.stdout) == {
        "spec": "torus:4x3", "format": format, "out": str(out), "routers": 12, "links": 24,
    }  # fmt: skip


def merlin_table(text: str) -> dict[int, dict[int, list[tuple[float, list[int]]]]]:
    rows = json.loads(text)
    return {int(s): {int(d): [(w, p) for w, p in ways] for d, ways in row.items()} for s, row in rows.items()}


@pytest.mark.parametrize("routing", ["torus.dateline", "torus.valiant"])
def test_route_table_holds_walks_of_the_network_whose_weights_add_up(routing: str) -> None:
    net = build("torus:4x3")
    shown = CliRunner().invoke(app(), ["export", "torus:4x3", "--format", "routes", "--routing", routing])
    table = merlin_table(shown.stdout)
    graph = networkx.Graph((r, x) for r in range(12) for x in net.neighbor[r].tolist())
    assert sorted(table) == list(range(12))
    for source, row in table.items():
        assert sorted(row) == list(range(12))
        for destination, ways in row.items():
            assert sum(weight for weight, _ in ways) == pytest.approx(1.0)
            for _, path in ways:
                assert networkx.is_path(graph, [source, *path]) and [source, *path][-1] == destination
                if routing == "torus.dateline":
                    assert len(path) == networkx.shortest_path_length(graph, source, destination)


def test_route_table_needs_a_routing_and_single_links() -> None:
    def error(*words: str) -> str:
        result = CliRunner().invoke(app(), ["export", *words])
        assert isinstance(result.exception, JumpnetError)
        return str(result.exception)

    assert "--routing NAME" in error("torus:4x3", "--format", "routes")
    assert "--routing NAME" in error("torus:4x3", "--format", "json", "--routing", "torus.dateline")
    assert "unknown routing" in error("torus:4x3", "--format", "routes", "--routing", "torus.datelime")


def test_export_verb_names_the_nearest_format() -> None:
    result = CliRunner().invoke(app(), ["export", "torus:4x3", "--format", "anynett"])
    assert isinstance(result.exception, JumpnetError) and "did you mean 'anynet'" in str(result.exception)


@pytest.mark.parametrize(
    ("name", "format"), [("net.anynet", "anynet"), ("net.EDGES", "edgelist"), ("Net.py", "garnet"), ("net", "graphml")]
)
def test_export_verb_goes_by_the_name_of_the_file(tmp_path: Path, name: str, format: str) -> None:
    out = tmp_path / name
    words = ["export", "torus:4x3", "--out", str(out), "--json"]
    assert json.loads(CliRunner().invoke(app(), words).stdout)["format"] == format
    named = CliRunner().invoke(app(), ["export", "torus:4x3", "--format", format])
    assert out.read_text().replace("Net", "Jumpnet") == named.stdout
