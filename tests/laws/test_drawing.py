"""Pictures of networks: every link is drawn once, from its routers, past others; the same bytes; bad input refused."""

from __future__ import annotations

import json
from itertools import pairwise

import matplotlib
import numpy as np
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

from jumpnet.cli import draw as draw_verb
from jumpnet.cli import search as search_verb
from jumpnet.errors import JumpnetError
from jumpnet.graph.exchange import from_edges
from jumpnet.graph.layout import linear_layout
from jumpnet.jit.decorator import DISABLED
from jumpnet.networks import from_links, from_neighbors
from jumpnet.plot._arrows import ON_THE_WAY
from jumpnet.plot._shapes import frame, link_shapes
from jumpnet.plot.curves import ABOVE, draw_curves
from jumpnet.plot.draw import drawer, fits, size_inches
from jumpnet.plot.figure import PALETTE, logarithmic, render
from jumpnet.plot.line import line_drawer, wire_paths
from jumpnet.plot.styles import node_ranks, places, rank_colours, rank_names, ranked
from jumpnet.topology import build, families

SPECS = [f.samples[0] for f in families().values() if f.samples] + [
    "rdt:16", "srt1d:32", "srt2d:8", "rdn:3,k=1", "rdn:3x3,k=1", "torus:4x4x4", "torus:3x3x3x3", "hypercube:4",
    "torus:5",
]  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_every_link_is_drawn_once_from_router_to_router(spec):
    net = build(spec)
    place = places(net)
    assert place.position.shape == (net.routers, 2)
    assert len(np.unique(place.position.round(6), axis=0)) == net.routers, "two routers at one place"
    shapes = link_shapes(net, place)
    loops = int((net.neighbor == np.arange(net.routers)[:, None]).sum())
    loops = loops if net.directed else loops // 2
    whole, stubs = [s for s in shapes if not s.stub], [s for s in shapes if s.stub]
    assert len(whole) + len(stubs) / 2 == net.links - loops
    for s in whole:
        assert np.allclose(s.points[0], place.position[s.ends[0]])
        assert np.allclose(s.points[-1], place.position[s.ends[1]])
    low, high = frame(place, 1.0)
    for s in stubs:
        assert np.allclose(s.points[0], place.position[s.ends[0]])
        assert len(s.points) > 1 and ((s.points >= low - 1e-9) & (s.points <= high + 1e-9)).all()
    assert {s.rank for s in shapes} <= set(rank_names(net)) == set(rank_colours(net))


def test_links_that_lead_one_way_are_arrows():
    """A ring of three, drawn turned round, is another picture; of a network of two-way links nothing is an arrow."""

    def heads(net):
        figure = Figure()
        drawer(net)(figure)
        return [h.get_paths() for h in figure.axes[0].collections if isinstance(h, PolyCollection)]

    there, back = (np.array(ends) for ends in ([[0, 1], [1, 2], [2, 0]], [[1, 0], [2, 1], [0, 2]]))
    place = places(from_links("ring", "mine", 3, there, directed=True)).position
    for ends in (there, back):
        ((*paths,),) = heads(from_links("ring", "mine", 3, ends, directed=True))
        tips = sorted(tuple(path.vertices[0]) for path in paths)
        expected = sorted(tuple(place[r] + ON_THE_WAY * (place[s] - place[r])) for r, s in ends)
        assert np.allclose(tips, expected)
    assert heads(from_links("ring", "mine", 3, there)) == [] == heads(build("torus:4x4"))


def test_both_stubs_of_a_one_way_link_point_onward():
    ring = from_links("ring", "torus", 4, np.array([[0, 1], [1, 2], [2, 3], [3, 0]]), directed=True)
    shapes = link_shapes(ring, places(build("torus:4")))
    assert {(s.ends, s.onward) for s in shapes if s.stub} == {((3, 0), True), ((0, 3), False)}
    assert all(s.onward for s in shapes if not s.stub)


@pytest.mark.parametrize("spec", ["rdt:16", "srt2d:8", "torus:6x6", "prdt:8", "hypercube:4", "mesh:5x5"])
def test_no_link_runs_over_a_third_router(spec):
    net = build(spec)
    place = places(net)
    for shape in link_shapes(net, place):
        others = np.delete(place.position, list(shape.ends), axis=0)
        if shape.stub or not len(others):
            continue
        middle = shape.points[1:-1] if len(shape.points) > 2 else shape.points.mean(axis=0, keepdims=True)
        gap = np.hypot(*(others[None] - middle[:, None]).transpose(2, 0, 1)).min()
        assert gap > 0.05, f"{shape.ends} comes within {gap:.3f} of a router"


def test_wraps_leave_the_frame_on_both_sides():
    net = build("torus:4x4")
    stubs = [s for s in link_shapes(net, places(net)) if s.stub]
    assert len(stubs) == 16
    place = places(net)
    low, high = place.position.min(axis=0), place.position.max(axis=0)
    for s in stubs:
        end = s.points[-1]
        assert (end < low).any() or (end > high).any()


def test_colours_follow_the_ranks():
    net = build("rdt:16")
    assert rank_names(net) == {0: "rank 0", 1: "rank 1", 2: "rank 2"}
    assert len(set(rank_colours(net).values())) == 3
    highest = node_ranks(net)
    assert highest is not None
    assert set(highest.tolist()) == {0, 1, 2}
    assert node_ranks(build("torus:4x4")) is None


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_same_bytes_every_time(kind):
    net = build("rdt:8")
    one, two = (
        render(drawer(net, [0, 1]), name="x", size_inches=size_inches(net), formats=(kind,))[kind] for _ in range(2)
    )
    assert one == two
    assert len(one) > 1000
    assert kind != "svg" or b"<dc:date>" not in one


def test_too_big_a_network_shows_its_pattern():
    net = build("rdt:64")
    assert not fits(net)
    picture = render(drawer(net), size_inches=size_inches(net), formats=("png",))["png"]
    assert picture[:4] == b"\x89PNG"
    with pytest.raises(JumpnetError, match="up to 1024 routers"):
        render(drawer(net, [0, 1]), formats=("png",))


@pytest.mark.parametrize("spec", ["rdt:8", "debruijn:2,n=3,directed=true"])
def test_links_beside_a_path_are_fainter(spec):
    net = build(spec)
    opacity = []
    for path in ((), (0, int(net.neighbor[0].max()))):
        figure = Figure()
        drawer(net, path)(figure)
        opacity.append([c.get_alpha() for c in figure.axes[0].collections if c.get_zorder() == 1])
    assert all(faint < 0.5 * (full or 1) for full, faint in zip(*opacity, strict=True))


def test_a_path_must_follow_links():
    with pytest.raises(JumpnetError, match="no link from 0 to 5"):
        drawer(build("torus:4x4"), [0, 1, 0, 5])
    with pytest.raises(JumpnetError, match="router 99 found, 0 to 15 expected"):
        drawer(build("torus:4x4"), [99])


@pytest.mark.parametrize("net", [build("mesh:1"), from_edges([], routers=3), build("fly:3,n=1")], ids=["1", "3", "fly"])
def test_a_network_without_links_is_drawn(net):
    picture = render(drawer(net), size_inches=size_inches(net), formats=("svg",))["svg"]
    routers = picture.partition(b'id="PathCollection_1"')[2].partition(b'<g id="text')[0]
    assert routers.count(b"<use") == net.routers


def test_wires_run_in_their_tracks_without_touching():
    layout = linear_layout(build("srt1d:16"))
    paths = wire_paths(layout)
    spans = sorted((p[1][1], p[1][0], p[2][0]) for p in paths)
    for (y, _, right), (other, left, _) in pairwise(spans):
        assert y != other or right < left
    assert len({p[1][1] for p in paths}) == layout.tracks
    stems = [x for p in paths for x in (p[0][0], p[3][0])]
    assert len(set(np.round(stems, 9))) == len(stems)


def test_lines_have_limits():
    with pytest.raises(JumpnetError, match="at most 256"):
        line_drawer(build("torus:17x17"))
    with pytest.raises(JumpnetError, match="tracks found"):
        line_drawer(build("complete:64"))


def test_the_verb_writes_what_it_says(tmp_path, capsys):
    out = tmp_path / "x.png"
    draw_verb.run("rdt:8", str(out), "0,0 1,0", "plane", "", True)
    row = json.loads(capsys.readouterr().out)
    assert row == {"spec": "rdt:8", "file": str(out), "bytes": out.stat().st_size, "drawn": "links"}
    draw_verb.run("srt1d:16", str(tmp_path / "y.svg"), "", "line", "", False)
    assert (tmp_path / "y.svg").read_bytes().startswith(b"<?xml")


@pytest.mark.parametrize(
    ("out", "path", "layout", "words"),
    [
        ("x.gif", "", "plane", "picture format"),
        ("x", "", "plane", "picture format"),
        ("x.svg", "0 9", "plane", "no link"),
        ("x.svg", "0 z", "plane", "'z'"),
        ("x.svg", "", "circle", "layout"),
        ("x.svg", "0 1", "line", "plane expected"),
        ("no/such/folder/x.svg", "", "plane", "no/such/folder not found"),
    ],
)
def test_bad_input_is_one_line(tmp_path, out, path, layout, words):
    with pytest.raises(JumpnetError, match=words) as caught:
        draw_verb.run("torus:4x4", str(tmp_path / out), path, layout, "", False)
    assert "\n" not in str(caught.value)


@pytest.mark.skipif(DISABLED, reason="1771 candidates take minutes without compiled kernels")
def test_search_answers_in_json(capsys):
    search_verb.run("rdt:8", "diameter", 2, False, 1, True)
    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [row["place"] for row in rows] == [1, 2, None]
    assert build(rows[0]["network"]).routers == 64
    assert rows[0]["diameter"] <= rows[1]["diameter"] <= rows[2]["diameter"]
    search_verb.run("rdt:8", "local:1", 1, True, 1, False)
    assert "with the best" in " ".join(capsys.readouterr().out.split())
    with pytest.raises(JumpnetError, match="equally many"):
        search_verb.run("rdt:16,R=3,assignment=none", "diameter", 1, True, 1, True)
    with pytest.raises(JumpnetError, match="--top"):
        search_verb.run("rdt:8", "diameter", 0, False, 1, True)


def test_logarithmic_axes_show_plain_numbers():
    seen = []

    def draw(figure):
        axes = figure.subplots()
        axes.plot([1, 2], [45.0, 350.0])
        logarithmic(axes)
        ticks = [*axes.yaxis.get_major_ticks(), *axes.yaxis.get_minor_ticks()]
        figure.canvas.draw()
        seen.extend(tick.label1.get_text() for tick in ticks)

    render(draw, formats=("png",))
    assert {"60", "100", "200"} <= set(seen)


def test_loads_of_a_curve_are_shared_out_to_links_by_hand() -> None:
    """torus:4x4 has 16 terminals and 32 links: half a terminal for each link."""
    from matplotlib.figure import Figure

    from jumpnet.plot.axis import load_axis

    row = {"spec": "torus:4x4", "load": 0.2, "accepted_load": 0.2, "offered_load": 0.25, "saturated": False}
    row |= {"packet_latency_mean_cycles": 10.0}
    for over, log, per, place in (
        ("accepted", False, "terminal", 0.2), ("offered", True, "terminal", 0.25), ("accepted", False, "link", 0.1),
        ("accepted", False, "port", 0.2 * 16 / 96),
    ):  # fmt: skip
        axes = load_axis(over, per, log)
        figure = Figure()
        draw_curves(figure, [row], ["spec"], kind=axes)
        assert figure.axes[0].lines[0].get_xdata().tolist() == [pytest.approx(place)]
        assert figure.axes[0].get_yscale() == ("log" if axes.logarithmic else "linear")
        assert axes.unit in figure.axes[0].get_xlabel()


def _legend(curves: list[dict[str, object]], settings: list[str]) -> list[str]:
    """What the legend says of curves of one point each."""
    from matplotlib.figure import Figure

    point = {"load": 0.2, "accepted_load": 0.2, "saturated": False, "packet_latency_mean_cycles": 10.0}
    figure = Figure(figsize=(7.2, 5.0), layout="constrained")
    draw_curves(figure, [{**point, **curve} for curve in curves], settings)
    figure.draw_without_rendering()
    for legend in figure.legends:
        box, places = legend.get_window_extent(), [text.get_window_extent() for text in legend.get_texts()]
        assert box.x0 >= 0 and box.x1 <= figure.bbox.x1, "all of it is on the picture"
        assert not any(a.overlaps(b) for k, a in enumerate(places) for b in places[:k])
        assert not any(box.overlaps(axes.get_tightbbox()) for axes in figure.axes)
    return [text.get_text() for legend in figure.legends for text in legend.get_texts()]


@pytest.mark.parametrize("spec", ["torus:2x3x5", "torus:2x9", "rdt:16"])
def test_all_of_a_networks_legend_is_on_the_picture(spec: str) -> None:
    """A narrow picture has fewer columns: the last words were cut off."""
    net = build(spec)
    figure = Figure(figsize=size_inches(net), layout="constrained")
    drawer(net)(figure)
    figure.draw_without_rendering()
    (box,) = (legend.get_window_extent() for legend in figure.legends)
    assert box.x0 >= 0 and box.x1 <= figure.bbox.x1


SETTINGS = ["spec", "routing", "traffic", "vcs"]


def test_a_legend_names_the_network_beside_the_routing() -> None:
    def curve(spec: str, routing: str, vcs: int = 2) -> dict[str, object]:
        return {"spec": spec, "routing": routing, "traffic": "uniform", "vcs": vcs}

    one, other = curve("torus:8x8", "torus.dateline"), curve("torus:8x8", "torus.duato")
    assert _legend([one, other], SETTINGS) == ["torus:8x8, torus.dateline", "torus:8x8, torus.duato"]
    mesh = curve("mesh:8x8", "mesh.dimension_order")
    assert _legend([one, mesh], SETTINGS) == ["torus:8x8, torus.dateline", "mesh:8x8, mesh.dimension_order"]
    assert _legend([curve("torus:8x8", "lash"), curve("mesh:8x8", "lash")], SETTINGS) == [
        "torus:8x8, lash", "mesh:8x8, lash",
    ]  # fmt: skip
    assert _legend([one, {**one, "vcs": 4}], SETTINGS) == ["vcs=2", "vcs=4"]
    assert _legend([one], SETTINGS) == []
    many = _legend([curve(f"torus:{k}x{k}", "torus.dateline") for k in range(3, 15)], SETTINGS)
    assert len(set(many)) == 12
    long = curve("file:" + "a/long/folder/" * 12 + "net.anynet", "lash")
    assert "".join(_legend([one, long], SETTINGS)[1].split("\n")).replace(" ", "").endswith("net.anynet,lash")


def test_no_two_of_many_curves_look_the_same() -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 8.0))
    point = {"load": 0.2, "accepted_load": 0.2, "saturated": False, "packet_latency_mean_cycles": 10.0}
    with matplotlib.rc_context({"axes.prop_cycle": matplotlib.cycler(color=PALETTE)}):
        draw_curves(figure, [{**point, "spec": f"torus:{k}"} for k in range(3, 35)], ["spec"])
        looks = {(to_hex(mark.get_color()), mark.get_marker()) for mark in figure.legends[0].legend_handles}
    assert len(looks) == 32


def test_a_network_of_ones_own_is_drawn_where_its_coordinates_say() -> None:
    side = np.array([[x, y] for y in range(3) for x in range(3)], np.int32)
    ring = np.stack([(np.arange(9) + 1) % 9, (np.arange(9) - 1) % 9], axis=1).astype(np.int32)
    placed = places(from_neighbors("own", "own", ring, coord=side))
    assert placed.position.tolist() == side.tolist() and not placed.circle
    alike = places(from_neighbors("own", "own", ring, coord=side // 2))
    assert alike.circle, "coordinates that two routers share are no places"


GRIDS = "mesh:3x2 torus:3x4 rdt:4 cmesh:4x2 hyperx:3x3 hypermesh:3 mesh:2x3x2 torus:3x3x3 hypercube:5 hypercube:8"


@pytest.mark.parametrize("spec", GRIDS.split())
def test_rows_of_every_grid_are_counted_from_above(spec: str) -> None:
    net = build(spec)
    figure = Figure()
    drawer(net)(figure)
    (axes,) = figure.axes
    height = axes.transData.transform(places(net).position)[:, 1]
    nodes = np.flatnonzero(net.terminals)
    number = {tuple(net.coord[r].tolist()): r for r in nodes.tolist()}
    for place, r in number.items():
        for axis in (1, 4) if len(place) <= 7 else (1, 3, 5, 7):  # dimensions that lead up or down in the picture
            if axis < len(place) and (below := number.get((*place[:axis], place[axis] + 1, *place[axis + 1 :]))):
                assert height[below] < height[r], (spec, place)


def test_depth_leads_upward() -> None:
    net = build("mesh:2x2x2")
    figure = Figure()
    drawer(net)(figure)
    x, y = figure.axes[0].transData.transform(places(net).position)[[net.router_at("0,0,0"), net.router_at("0,0,1")]].T
    assert x[1] > x[0] and y[1] > y[0]


@pytest.mark.parametrize("side", [3, 8, 16])
def test_columns_of_a_cube_that_run_into_the_depth_do_not_meet(side: int) -> None:
    net = build(f"torus:{side}x{side}x{side}")
    place = places(net).position.reshape(side, side, side, 2)
    for axis, moved in ((0, place.transpose(2, 1, 0, 3)), (1, place.transpose(1, 2, 0, 3))):
        ends = moved[..., axis]  # of one column: the last index
        assert (ends[1:].min(axis=2) > ends[:-1].max(axis=2)).all()


def test_kinds_of_links_without_ranks_are_told_apart() -> None:
    near = np.array([[1, 3, 2], [2, 0, 3], [3, 1, 0], [0, 2, 1]], np.int32)
    kinds = np.array([[0, 1, 2]] * 4, np.int32)
    net = from_neighbors(
        "mine:4", "mine", near, link_class=kinds, class_names=("next", "previous", "chord"), mirror=np.array([1, 0, 2])
    )
    colours, names = rank_colours(ranked(net)), rank_names(ranked(net))
    assert len(set(colours.values())) == 2 and "chord" in names.values()
    figure = matplotlib.figure.Figure()
    drawer(net)(figure)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(names.values())
    assert all(ranked(shipped) is shipped for shipped in map(build, ("hyperx:6", "flatfly:8,n=1,c=8")))


def test_points_above_the_frame_are_marked_on_its_edge_and_the_legend_says_so() -> None:
    keys = ("spec", "load", "accepted_load", "saturated", "packet_latency_mean_cycles")
    rows = [
        dict(zip(keys, ("ring", load, load, latency > 100, latency), strict=True))
        for load, latency in ((0.1, 10.0), (0.2, 20.0), (0.3, 312.3))
    ]
    figure = matplotlib.figure.Figure()
    draw_curves(figure, rows, ["spec"])
    marks = [line for line in figure.axes[0].lines if line.get_marker() == ABOVE["marker"]]
    assert [list(line.get_xdata()) for line in marks] == [[0.3]] and marks[0].get_color() == "C0"
    assert 23.4 < marks[0].get_ydata()[0] < figure.axes[0].get_ylim()[1] == 26.0, "what holds fills the picture"
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["off the scale: up to 312 cycles"]
    figure = matplotlib.figure.Figure()
    draw_curves(figure, [*rows, {**rows[2], "load": 0.4, "packet_latency_mean_cycles": 25.0}], ["spec"])
    assert figure.axes[0].get_ylim()[1] == 26.0
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "hollow: saturated",
        "off the scale: up to 312 cycles",
    ]
    figure = matplotlib.figure.Figure()
    draw_curves(figure, [*rows[:2], {**rows[2], "packet_latency_mean_cycles": 10_519.7}], ["spec"])
    assert figure.legends[0].get_texts()[-1].get_text() == "off the scale: up to 10,520 cycles"  # not 1.05e+04
    figure = matplotlib.figure.Figure()
    draw_curves(figure, rows[:2], ["spec"])
    assert not figure.legends and all(line.get_marker() != ABOVE["marker"] for line in figure.axes[0].lines)
