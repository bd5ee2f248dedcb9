"""The Python face: what `dir` says, curves, short words for results, notebooks, frames."""

from __future__ import annotations

from pathlib import Path

import networkx
import pytest

import jumpnet
from jumpnet.errors import JumpnetError

SHORT = {"packet_flits": "1", "warmup_cycles": 50, "measure_cycles": 300}


def test_dir_names_what_people_use_and_every_part() -> None:
    names = dir(jumpnet)
    assert {"network", "simulate", "paper", "routing", "topology", "sim", "curve", "__version__"} <= set(names)
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
    both = curve + net.curve([0.1], "torus.dateline", **SHORT)
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
        f"<th>packet_latency_mean_cycles</th><td>{row['packet_latency_mean_cycles']:.6g}</td>" in result._repr_html_()
    )
    assert result.to_pandas()["packet_latency_mean_cycles"][0] == row["packet_latency_mean_cycles"]


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
