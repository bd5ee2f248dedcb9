"""The Python face: what `dir` says, curves, short words for results, notebooks, frames."""

from __future__ import annotations

import ast
import inspect
import pydoc
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import get_type_hints

import networkx
import pytest
from tests.type_checker import checked

import jumpnet
from jumpnet.analysis.reconfigure import reconfigure
from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.fault.array import WaferArray
from jumpnet.fault.yields import wafer_yield
from jumpnet.lab._attributes import Arrays
from jumpnet.lab.setting_types import RunSettings, SearchSettings, Settings, Several, SweepSettings
from jumpnet.networks import Network
from jumpnet.routings import Routing
from jumpnet.routings.fields import RoutingFields
from jumpnet.sim.config import SimConfig
from jumpnet.sim.result import figures
from jumpnet.sim.saturation import find_saturation
from jumpnet.sim.simulate import simulate
from jumpnet.study.quick import Points

SHORT = {"packet_flits": "1", "warmup_cycles": 50, "measure_cycles": 300}


def test_dir_names_what_people_use_and_every_part() -> None:
    names = dir(jumpnet)
    assert {"network", "simulate", "paper", "routing", "topology", "sim", "lab", "__version__"} <= set(names)
    assert not {"sys", "Any", "ModuleType", "import_module"} & set(names)
    for name in names:
        assert getattr(jumpnet, name) is not None


def test_a_curve_stops_where_the_network_saturates_and_is_made_of_single_points(tmp_path: Path) -> None:
    net = jumpnet.network("torus:4x4")
    curve = net.curve([0.9, 0.1, 0.95, 0.2], "torus.dimension_order", **SHORT)
    assert [point.config.load for point in curve] == [0.1, 0.2, 0.9] and len(curve) == 3
    assert [point.saturated for point in curve] == [False, False, True]
    alone = net.simulate("torus.dimension_order", load=0.2, **SHORT)
    assert curve.points[1].row().keys() == alone.row().keys()
    assert curve.points[1].packet_latency_mean_cycles == alone.packet_latency_mean_cycles
    lines = repr(curve).splitlines()
    assert lines[0].startswith("torus:4x4, torus.dimension_order: load 0.1, latency") and "saturates" in lines[2]
    assert curve[0] is curve.points[0] and curve[-1].saturated and len(curve[:2]) == 2
    assert repr(net.curve(0.1, "torus.dimension_order", **SHORT)) == lines[0]
    with pytest.raises(JumpnetError, match=r"loads '0.1..0.3' found"):
        net.curve("0.1..0.3")
    other = net.curve([0.1], "torus.dateline", **SHORT)
    both = curve + other
    assert sum([curve, other]).points == both.points
    assert len(both) == 4 and list(both.to_pandas()["routing"].unique()) == ["torus.dimension_order", "torus.dateline"]
    assert "torus.dateline" in both._repr_svg_()
    both.plot(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(JumpnetError, match="unknown picture format 'gif'"):
        both.plot("curve.gif")


def test_a_result_in_words_in_a_notebook_and_in_a_frame() -> None:
    result = jumpnet.network("mesh:3x3").simulate(load=0.1, **SHORT)
    row = result.row()
    assert repr(result).startswith("Result(mesh:3x3, mesh.dimension_order, load 0.1: accepted ")
    assert f"{row['packet_latency_mean_cycles']:.4g} cycles" in repr(result)
    assert (
        f"<th>packet_latency_mean_cycles</th><td>{row['packet_latency_mean_cycles']:.4g}</td>" in result._repr_html_()
    )
    assert "<th>saturated</th><td>no</td>" in result._repr_html_() and "False" not in result._repr_html_()
    assert result.to_pandas()["packet_latency_mean_cycles"][0] == row["packet_latency_mean_cycles"]


def test_a_picture_is_shown_in_a_notebook_and_a_word_at_a_prompt(tmp_path: Path) -> None:
    net = jumpnet.network("mesh:3x3")
    for made in (net.draw(), net.metrics().plot()):
        assert made._repr_svg_() == made.decode() and made._repr_png_() is None
        assert repr(made) == f"<picture: svg, {len(made):,} bytes>"
    png = net.draw(tmp_path / "net.png")
    assert png._repr_png_() == (tmp_path / "net.png").read_bytes() == png and png._repr_svg_() is None


def test_numbers_of_faults_and_seeds_in_words_that_people_use() -> None:
    net = jumpnet.network("torus:3x3")
    assert net.degrade(1, seeds=2).rows() == net.degrade([1], seeds=[1, 2]).rows()
    alone = net.degrade([0, 1], seeds=1)._repr_html_()
    assert "<th>endpoints</th>" in alone and "half_width" not in alone, "one seed has no confidence interval"
    for wrong in ({"faults": "many"}, {"seeds": 1.5}, {"faults": [0.5]}):
        (name,) = wrong
        with pytest.raises(JumpnetError, match=f"{name} .* found, whole numbers such as"):
            net.degrade(**wrong)


def test_a_network_answers_for_its_graph_its_saturation_and_its_faults() -> None:
    net = jumpnet.network("torus:4x4")
    assert networkx.diameter(net.to_networkx()) == net.metrics().diameter
    assert "<svg" in (net._repr_svg_() or "") and jumpnet.network("torus:64x64")._repr_svg_() is None
    found = net.find_saturation(
        "torus.dateline", packet_flits="1", warmup_cycles=200, measure_cycles=500, resolution=0.2
    )
    assert 0.1 < found.load < found.saturated_load
    rows = net.degrade([0, 1], "up_down", seeds=[1], kind="links")
    assert [row["endpoints"]["mean"] for row in rows] == [16.0, 16.0]


SUBMODULES = """
import jumpnet
found = dir(jumpnet)
import jumpnet.networks as n, jumpnet.report, jumpnet.routings.up_down as up, jumpnet.topology as t
assert dir(jumpnet) == found and up is jumpnet.routings.up_down and n is jumpnet.networks and t is jumpnet.topology
"""


def test_the_face_is_functions_none_of_whose_names_is_a_modules() -> None:
    """`dir` says the same before submodules are loaded as after, and no submodule takes a function's place."""
    done = subprocess.run([sys.executable, "-c", SUBMODULES], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    for name in ("network", "paper", "routing", "simulate", "add_graph"):
        found = getattr(jumpnet, name)
        assert inspect.isfunction(found) and found.__module__ == "jumpnet" and found.__doc__
        assert pydoc.render_doc(f"jumpnet.{name}").startswith(f"Python Library Documentation: function {name} in")
        assert find_spec(f"jumpnet.{name}") is None, f"jumpnet.{name} is a module too"
    assert type(jumpnet) is ModuleType


def test_settings_have_the_names_and_types_of_the_simulator() -> None:
    hints = get_type_hints(Settings)
    expected = {name: get_type_hints(SimConfig)[name] for name in SimConfig.model_fields}
    assert hints == {**expected, "packet_flits": str | int}  # one length may be given as a number
    assert get_type_hints(SweepSettings) == {name: Several[kind] for name, kind in hints.items()}
    for typed, function in ((RunSettings, simulate), (SearchSettings, find_saturation)):
        given = inspect.signature(function).parameters.keys() - {"network", "routing", "settings"}
        assert get_type_hints(typed).keys() == hints.keys() | given


def test_a_network_under_study_has_the_attributes_of_its_arrays() -> None:
    public = {name for name in dir(Network) if not name.startswith("_")} | {one.name for one in fields(Network)}
    net = jumpnet.network("torus:4x4")
    assert set(Arrays.__annotations__) == public - {"spec"} and public <= set(dir(net))
    assert "net" not in vars(net), "its tables are not made for its names"
    assert net.routers == 16 and net.neighbor.shape == (16, 4)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("diameter", r"a network has no 'diameter'; its metrics\(\) have it: \.metrics\(\)\.diameter"),
        ("metric", "a network has no 'metric'; did you mean 'metrics'?"),
        ("neighbors", "a network has no 'neighbors'; did you mean 'neighbor'?"),
        ("quux", r"a network has no 'quux'; dir\(\) names what it has"),
    ],
)
def test_an_attribute_that_a_network_lacks_is_told_with_where_it_is(name: str, told: str) -> None:
    net = jumpnet.network("torus:4x4")
    with pytest.raises(AttributeError, match=told.replace("?", r"\?")):
        getattr(net, name)
    assert "net" not in vars(net), "its tables are not made for a wrong name"


@pytest.mark.parametrize("ask", ["simulate", "prove", "paths"])
def test_a_number_in_the_place_of_a_routing_is_called_a_routing(ask: str) -> None:
    """`net.simulate(0.1)` is meant as a load; it was told that a spec such as rdt:64 is expected."""
    with pytest.raises(JumpnetError, match=r"^routing 0\.1 found, the name of one expected, such as minimal$"):
        getattr(jumpnet.network("torus:4x4"), ask)(0.1)


def test_the_keywords_of_a_routing_are_its_fields() -> None:
    hints = get_type_hints(Routing)
    assert get_type_hints(RoutingFields) == {name: hints[name] for name in hints if name not in ("name", "relation")}
    with pytest.raises(JumpnetError, match=r"unknown field of a routing 'sumary'; did you mean 'summary'\?"):
        jumpnet.routing("x.y", sumary="left")  # type: ignore[call-arg]
    with pytest.raises(JumpnetError, match=r"routing x\.y: vcs '2' found, a whole number or a function expected"):
        jumpnet.routing("x.y", vcs="2")(lambda net, here, head, out: 0)  # type: ignore[arg-type]


WRONG = """
import jumpnet
net = jumpnet.network("torus:4x4")
net.sweep(lod=0.1)
net.sweep(load=[0.1], vcs="2")
net.degrade(kind="nodez")
net.diametr
net.simulate(load=0.1).packet_latency_mean
jumpnet.routing("x", sumary="left")
jumpnet.routing("x", vcs="2")
"""
RIGHT = """
import jumpnet
net = jumpnet.network("torus:4x4")
print(net.sweep(load=[0.1], vcs=range(2, 4), packet_flits="1").rows(), net.routers + 1, net.neighbor.shape)
print(net.simulate(load=0.1).reply_packet_latency_mean_cycles + 1, net.degrade(kind="links"))
jumpnet.routing("x", summary="left", vcs=lambda net, options: 2)
"""
BOTH = """
import jumpnet.routings.torus.dateline as dateline
import jumpnet.networks, jumpnet.report, jumpnet.routings
import jumpnet
import jumpnet.routings as r
from jumpnet import topology
from jumpnet.routings import Routing
reveal_type(r.bind)
reveal_type(jumpnet.routings.bind)
reveal_type(jumpnet.network("torus:4x4"))
reveal_type(jumpnet.routing("my.own"))
reveal_type(jumpnet.paper("li2009rdn"))
reveal_type(topology.families)
reveal_type(jumpnet.__version__)
"""
"""User's code that names functions and the submodules of similar names."""
ROUTING = "jumpnet.routings._routing.Routing"
BOUND = "jumpnet.routings._routing.BoundRouting"
BIND = f"def (name: str | {ROUTING}, net: jumpnet.networks.Network, vcs: int | None =) -> {BOUND}"
TYPES = [
    BIND,
    BIND,
    "jumpnet.lab.network.LabNetwork",
    f"def (def (*Any, **Any) -> int) -> {ROUTING}",
    "typing.Iterator[jumpnet.lab.report_part.ReportPart]",
    "def () -> dict[str, type[jumpnet.topology._family.Family]]",
    "str",
]


def test_type_checkers_find_wrong_names_and_values(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    (tmp_path / "wrong.py").write_text(WRONG)
    (tmp_path / "right.py").write_text(RIGHT)
    (tmp_path / "named.py").write_text(BOTH)
    said = checked(tmp_path, ["wrong.py", "right.py", "named.py"])
    places = list(dict.fromkeys(tuple(line.split(":")[:2]) for line in said.splitlines() if ": error:" in line))
    assert places == [("wrong.py", str(line)) for line in range(4, 11)], said
    told = [line.partition('is "')[2].rstrip('"') for line in said.splitlines() if line.startswith("named.py")]
    assert told == TYPES, said


def test_the_figures_of_a_point_are_declared_with_their_types() -> None:
    """The names that an editor completes are those of a run, and so are the types of plain ones."""
    declared = ast.parse(inspect.getsource(figures)).body[-1]
    told = {
        node.target.id: ast.unparse(node.annotation)
        for node in ast.walk(declared)
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    found = jumpnet.network("torus:4x4").simulate(load=0.1, **SHORT).figures
    assert list(told) == list(found)
    for name, value in found.items():
        assert value is None or told[name].partition("[")[0] == type(value).__name__, name
    with_replies = jumpnet.network("torus:4x4").simulate(load=0.1, reply_flits=2, **SHORT)
    source = inspect.getsource(figures.ReplyFigures)
    assert [name for name in with_replies.figures if name not in found] == re.findall(r"^ {8}(\w+):", source, re.M)
    with pytest.raises(AttributeError, match=r"Result has no 'accepted_lod'; did you mean 'accepted_load'\?"):
        with_replies.accepted_lod  # noqa: B018
    with pytest.raises(AttributeError, match=r"Result has no 'vcs'; its settings have it: \.config\.vcs"):
        with_replies.vcs  # noqa: B018
    assert with_replies.config.vcs == with_replies.rows()[0]["vcs"]


def test_a_sweep_runs_all_combinations_and_finds_them_again(tmp_path: Path) -> None:
    net, store = jumpnet.network("torus:4x4"), tmp_path / "own.sqlite"
    points = net.sweep("torus.dateline", store=store, workers=1, load=[0.2, 0.1], vcs=[2, 4], **SHORT)
    assert [(row["vcs"], row["load"]) for row in points] == [(2, 0.1), (2, 0.2), (4, 0.1), (4, 0.2)]
    alone = net.simulate("torus.dateline", load=0.2, vcs=4, **SHORT)
    assert points.rows()[3]["packet_latency_mean_cycles"] == alone.packet_latency_mean_cycles
    before = store.read_bytes()
    again = net.sweep(["torus.dateline"], store=store, workers=1, load=0.1, vcs=(2,), **SHORT)
    assert again.rows() == points.rows()[:1] and store.read_bytes() == before
    assert list(points.to_pandas()["vcs"]) == [2, 2, 4, 4] and "<table" in points._repr_html_()
    for settings, said in (
        ({}, "no load found"), ({"loads": [0.1]}, "unknown setting 'loads'; did you mean 'load'"),
        ({"load": 0.1, "vcs": []}, "0 points found"), ({"load": 0.1, "vsc": 2}, "did you mean"),
        ({"load": 0.1, "seed": list(range(400)), "vcs": list(range(1, 400))}, "159600 points found, 1 to 100000"),
    ):  # fmt: skip
        with pytest.raises(JumpnetError, match=said):
            net.sweep(**settings)


@pytest.mark.parametrize(
    ("verb", "setting", "meant"),
    [
        ("find_saturation", "resolutoin", "resolution"),
        ("find_saturation", "preset", "name"),
        ("simulate", "thread", "threads"),
        ("simulate", "preset", "name"),
        ("simulate", "cycles", "measure_cycles"),
        ("simulate", "lod", "load"),
        ("simulate", "rooting", "routing"),
        ("sweep", "rooting", "routing"),
        ("sweep", "worker", "workers"),
    ],
)
def test_what_a_verb_takes_beside_the_settings_is_hinted_at_too(verb: str, setting: str, meant: str) -> None:
    """`preset` and `cycles` are options of the command, and called otherwise here."""
    with pytest.raises(JumpnetError, match=f"^unknown setting '{setting}'; did you mean '{meant}'\\?$"):
        getattr(jumpnet.network("torus:4x4"), verb)(**{setting: 1})


@pytest.mark.parametrize(
    ("call", "setting", "meant"),
    [
        (partial(reconfigure, "torus:4x4"), "metod", "method"),
        (partial(reconfigure, "torus:4x4"), "spare", "spares"),
        (partial(reconfigure, "torus:4x4"), "densty", "density"),
        (partial(wafer_yield, WaferArray(4, 4), 0.1), "thread", "threads"),
        (partial(wafer_yield, WaferArray(4, 4), 0.1), "patern", "pattern"),
        (partial(Functional, 4), "colect", "collect"),
        (partial(Functional, 4), "protocl", "protocol"),
    ],
)
def test_what_is_taken_beside_the_fields_of_a_record_is_hinted_at_too(
    call: Callable[..., object], setting: str, meant: str
) -> None:
    with pytest.raises(JumpnetError, match=f"^unknown setting '{setting}'; did you mean '{meant}'\\?$"):
        call(**{setting: 1})


def test_what_is_no_graph_says_how_one_is_made() -> None:
    with pytest.raises(JumpnetError, match=r"^ndarray found, .* graph expected; networkx.from_numpy_array, "):
        jumpnet.network(networkx.to_numpy_array(networkx.cycle_graph(3)))
    with pytest.raises(JumpnetError, match=r"^int found, a spec string, a Network or a NetworkX graph expected$"):
        jumpnet.network(3)


@pytest.mark.parametrize("given", [2.5, [4], None, True, "2.5"])
def test_lengths_of_packets_that_are_none_are_one_line(given: object) -> None:
    said = rf"^packet_flits '?{re.escape(str(given))}'? found, such as 16, 1\*0.8\+5\*0.2 or 4..16 expected$"
    with pytest.raises(JumpnetError, match=said):
        jumpnet.network("torus:4x4").simulate(load=0.1, packet_flits=given)


def test_what_prints_says_what_it_is() -> None:
    graph = jumpnet.network(networkx.path_graph(["here", "there", "yonder"]))
    route = graph.route(0, 2)
    assert repr(route) == "Route('here' -> 'there' -> 'yonder')" and route.rows()[1]["next_node"] == "yonder"
    assert repr(jumpnet.network("mesh:3").route(0, 1)).startswith("(Hop(router=0")
    rows = [{"spec": "mesh:3", "routing": "minimal", "load": load} for load in (0.1, 0.3)]
    assert repr(Points(rows)) == "Points(2: mesh:3 minimal, load 0.1 to 0.3)"


def test_the_default_routing_is_one_for_the_channels_there_are() -> None:
    """As the command and the simulator choose it: layers that do not fit would deadlock."""
    net = jumpnet.network("random:30,d=4,seed=3")
    assert net.prove().routing == "lash:paths=balanced"
    with_one = net.prove(vcs=1)
    assert with_one.routing == "nue" and with_one.deadlock_free
    assert net.simulate(load=0.02, vcs=1, **SHORT).routing == "nue"
