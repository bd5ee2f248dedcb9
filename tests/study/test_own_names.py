"""What no family names is named by what it is: networks, routings and patterns of a user's own."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import networkx
import numpy as np
import pandas
import pytest

import jumpnet
from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import from_edges, from_networkx
from jumpnet.jit import sources
from jumpnet.jit.sources import content_key
from jumpnet.networks import Network, from_links, from_neighbors
from jumpnet.routings import DESTINATION, KIND, NEXT_STATE, PORT, VC, Routing
from jumpnet.sim.config import SimConfig
from jumpnet.sim.result import point_cache
from jumpnet.sim.result.point_cache import point_key
from jumpnet.study.point import evaluate, resolve
from jumpnet.topology import Family
from jumpnet.topology import register as register_family
from jumpnet.traffic import Pattern, register

SHORT: dict[str, Any] = {"load": 0.05, "packet_flits": "1", "warmup_cycles": 20, "measure_cycles": 50}


def test_graphs_are_named_by_their_content() -> None:
    ring, full = networkx.cycle_graph(8), networkx.complete_graph(8)
    assert jumpnet.network(ring).spec == jumpnet.network(networkx.cycle_graph(8)).spec
    assert jumpnet.network(ring).spec != jumpnet.network(full).spec
    assert jumpnet.network(ring).spec.startswith("graph:")
    assert from_networkx(ring, spec="mine").spec == "mine"
    assert from_edges([(0, 1)]).spec != from_edges([(0, 1), (1, 2)]).spec


@pytest.mark.parametrize(
    "field",
    [
        "latency", "terminals", "sinks", "labels", "directed", "coord", "params", "link_class", "class_names",
        "class_rank", "family",
    ],
)  # fmt: skip
def test_every_part_of_a_network_tells_it_apart(field: str) -> None:
    net = jumpnet.network("mesh:2x2").net
    other: dict[str, Any] = {
        "latency": np.ones_like(net.neighbor),
        "terminals": net.terminals + 1,
        "sinks": net.sinks + 1,
        "link_class": np.where(net.link_class >= 0, 0, -1),
        "class_names": tuple(f"other {name}" for name in net.class_names),
        "labels": ("a", "b", "c", "d"),
        "directed": True,
        "coord": net.coord + 1,
        "params": np.array([7]),
        "class_rank": net.class_rank + 1,
        "family": "mine",
    }
    made = replace(net, **{field: other[field]})
    assert made.digest != net.digest and point_key(made, None, SimConfig()) != point_key(net, None, SimConfig())


def test_ports_that_pair_otherwise_tell_networks_apart() -> None:
    double = np.array([[1, 1], [0, 0]])
    straight, crossed = (from_neighbors("d", "mine", double, mirror=np.array(way)) for way in ([0, 1], [1, 0]))
    assert straight.far_port.tolist() != crossed.far_port.tolist() and straight.digest != crossed.digest
    turned = from_neighbors("d", "mine", np.array([[1, -1], [0, -1]]))
    assert turned.digest != from_neighbors("d", "mine", np.array([[-1, 1], [-1, 0]])).digest


def _ring(ways: list[list[int]]) -> Any:
    return from_neighbors("mine:1", "mine", np.array(ways))


def _onward(step: int) -> Routing:
    def relation(net, here, head, out):  # type: ignore[no-untyped-def]
        out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = step, 0, 0, 0
        return 0 if here == head[DESTINATION] else 1

    return Routing("mine.onward", relation)


def test_networks_and_routings_of_one_name_give_points_of_other_names() -> None:
    one, two = _ring([[1, 3], [2, 0], [3, 1], [0, 2]]), _ring([[3, 1], [0, 2], [1, 3], [2, 0]])
    names = {jumpnet.simulate(net, routing, **SHORT).hash for net in (one, two) for routing in (_onward(0), _onward(1))}
    assert len(names) == 4
    assert jumpnet.simulate(one, _onward(0), **SHORT).hash in names


def _sends(places: int) -> Pattern:
    return Pattern("mine", lambda own, source, draw: (source + places) % own[0], lambda net, o: [net.endpoints])


def test_patterns_of_one_name_give_points_of_other_names() -> None:
    found = []
    for places in (1, 2):
        register(_sends(places))
        found.append(jumpnet.simulate("torus:4x4", traffic="mine", **SHORT).hash)
    assert found[0] != found[1]
    net = jumpnet.network("torus:4x4").net
    assert point_key(net, None, SimConfig(traffic="mine")) is None, "remembered by a name that may mean anything"
    assert point_key(net, None, SimConfig()) is not None


@pytest.mark.parametrize(
    "edited",
    [
        "routings/torus/dateline.py",
        "traffic/uniform.py",
        "sim/measure/run.py",
        "sim/engine/cycle.py",
        "sim/config/parameters.py",
    ],
)
def test_an_edited_source_gives_remembered_points_other_names(edited: str, monkeypatch: pytest.MonkeyPatch) -> None:
    net, digest = jumpnet.network("torus:4x4").net, sources._digest
    before = point_key(net, None, SimConfig())
    monkeypatch.setattr(sources, "_digest", lambda path: digest(path) + path.endswith(edited) * b"edited")
    sources.source_key.cache_clear()
    point_cache._entries_key.cache_clear()
    assert point_key(net, None, SimConfig()) != before
    monkeypatch.undo()
    sources.source_key.cache_clear()
    point_cache._entries_key.cache_clear()
    assert point_key(net, None, SimConfig()) == before


def test_a_point_that_needs_what_was_added_by_hand_says_so() -> None:
    register(_sends(1))
    with pytest.raises(JumpnetError, match="what was added by hand in one process; a file to --load expected"):
        evaluate(resolve({"network": "torus:4x4", "traffic": "mine"}, 0.1))


@dataclass(frozen=True)
class Row(Family):
    """`row:3`: as a notebook defines it."""

    routers: int

    name: ClassVar[str] = "row"

    def build(self) -> Network:
        return from_links(self.spec, self.name, self.routers, np.array([(r, r + 1) for r in range(self.routers - 1)]))


def test_a_family_of_a_notebook_is_swept_by_what_it_is() -> None:
    register_family(Row)
    net = jumpnet.network("row:3")
    (swept,) = net.sweep(workers=1, **SHORT)
    as_arrays = jumpnet.network(net.net.renamed("mine")).sweep(workers=1, **SHORT)
    assert swept["spec"] == f"graph:{net.net.digest}"
    assert swept["hash"] == as_arrays[0]["hash"] and len(as_arrays[:1]) == len(as_arrays[1:]) + 1
    assert swept["packets"] == net.simulate(**SHORT).figures["packets"]


def test_points_of_ours_keep_their_names() -> None:
    result = jumpnet.simulate("torus:4x4", "torus.dateline", **SHORT)
    assert result.own == {}


def test_a_pattern_may_be_called_network() -> None:
    """Its hash and that of the network stand beside each other in a point."""
    jumpnet.add_graph("called", networkx.cycle_graph(8))
    names = set()
    for step in (1, 2):
        own = np.array([step])
        register(Pattern("network", lambda own, source, draw: (source + own[0]) % 8, lambda net, options, own=own: own))
        names.add(str(resolve({"network": "graph:called", "traffic": "network"}, 0.1)["content"]))
    assert len(names) == 2


SIDE = np.array([1, 0])


def _port(turn):  # type: ignore[no-untyped-def]
    return _turned(turn)


def _turned(turn):  # type: ignore[no-untyped-def]
    return SIDE[turn]


def _to_the_side(net, here, head, out):  # type: ignore[no-untyped-def]
    out[0, PORT], out[0, VC], out[0, NEXT_STATE], out[0, KIND] = _port(0), 0, 0, 0
    return 0 if here == head[DESTINATION] else 1


def test_what_a_helper_does_is_part_of_the_name_and_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper of a helper, and a constant that it reads, in one process, as in a notebook."""
    ring, made = jumpnet.network("torus:5"), Routing("mine.side", _to_the_side)

    def found() -> tuple[str, int]:
        return ring.simulate(made, **SHORT).hash, len(ring.route(0, 1, routing=made))

    names = {}
    for value in ([1, 0], [0, 1]):
        monkeypatch.setattr(f"{__name__}.SIDE", np.array(value))
        names[str(value)] = found()
    assert [hops for _, hops in names.values()] == [4, 1]
    monkeypatch.setattr(f"{__name__}._turned", lambda turn: SIDE[turn] * 1)
    names["helper"] = found()
    assert len({name for name, _ in names.values()}) == 3


READS = """
from pathlib import Path
import jumpnet
from jumpnet.traffic import Pattern

def shift(net, options):
    return [net.endpoints, int(Path("data.txt").read_text())]

jumpnet.traffic.register(Pattern("far.off", lambda own, source, draw: (source + own[1]) % own[0], shift))
"""
NAMED = """
import json, sys
from pathlib import Path
import jumpnet
from jumpnet.own import load
from jumpnet.sim.config import SimConfig
from jumpnet.sim.result.point_cache import point_key
from jumpnet.study.point import resolve

load("far.py")
net = jumpnet.network("torus:4x4")
for shift in ("1", "2", "1"):
    Path("data.txt").write_text(shift)
    names = []
    for asked in ({"traffic": "far.off"}, {"more_classes": [{"traffic": "far.off"}]}):
        names.append(str(resolve({"network": "torus:4x4", **asked}, 0.1)["content"]))
        names.append(point_key(net.net, None, SimConfig(**asked)))
        names.append(net.simulate(**asked, **json.loads(sys.argv[1])).hash)
    print(json.dumps(names))
"""


def test_what_prepare_reads_from_a_file_is_part_of_every_name(tmp_path: Path) -> None:
    """The source stays the same: what it makes of the file does not. For packets of the first class and of another."""
    (tmp_path / "far.py").write_text(READS)
    words = [sys.executable, "-c", NAMED, json.dumps(SHORT)]
    said = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    one, two, again = map(json.loads, said.splitlines())
    assert one == again and all(a != b for a, b in zip(one, two, strict=True)) and None not in one


class Held:
    """An object of a user's, with more in it than it says."""

    def __init__(self, value: int) -> None:
        self.rows = {"all": np.where(np.arange(2001) == 1000, value, 1)}


def _reads(value: int) -> list[Any]:
    frame = pandas.DataFrame({"a": Held(value).rows["all"], "b": "x"})
    return [lambda held=held: held for held in (Held(value), Held(value).rows, frame, frame["a"], {str(value)})]


def test_what_code_reads_counts_to_its_last_number() -> None:
    """`repr` of long arrays and tables leaves the middle out."""
    one, two, again = ([content_key(read) for read in _reads(value)] for value in (1, 7, 1))
    assert one == again and all(a != b for a, b in zip(one, two, strict=True))


def test_what_can_not_be_made_again_has_no_stable_bytes() -> None:
    held = threading.Lock()
    with pytest.raises(TypeError, match="lock has no stable bytes"):
        content_key(lambda: held)


def test_a_misspelt_node_names_the_nearest() -> None:
    net = jumpnet.network(networkx.path_graph(["Berlin", "Ulm"]))
    with pytest.raises(JumpnetError, match=r"^router 'Berln' found, .* expected; did you mean 'Berlin'\?$"):
        net.route("Berln", "Ulm")
