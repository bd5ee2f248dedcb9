"""Runs that the page makes give native figures whatever is chosen there; so do faults of one's own, and trees."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.web.conftest import Shown
from tests.web.simulator.in_node import answers, node_here, runs_of

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels import run_image, trees
from jumpnet.explore.kernels.presets import BUFFERS, routing_row
from jumpnet.explore.packed import unpack
from jumpnet.explore.runs import FILLED, MOST_WORST, bindings, found_later, runs_text, traffic_of
from jumpnet.fault.degraded import degraded
from jumpnet.multicast import scheme
from jumpnet.multicast.territory import territories
from jumpnet.multicast.tree import multicast_tree
from jumpnet.routings import bind, refilled, routings
from jumpnet.routings.view import make_view
from jumpnet.sim.resolve.by_routing import offers_escape
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build
from jumpnet.traffic import bind as bind_traffic
from jumpnet.traffic import patterns

PHASES = {"warmup_cycles": 300, "measure_cycles": 900}
NAMES = (
    "packets", "flit_hops", "accepted_load", "packet_latency_mean_cycles", "cycles", "saturated",
    "channel_load_mean", "channel_load_max", "fairness_jain", "accepted_min_by_source", "buffer_occupancy_mean_flits",
)  # fmt: skip


def assert_same_figures(got: dict[str, Any], result: Any, what: Any) -> None:
    for name in NAMES:
        assert got["figures"][name] == result.figures[name], (what, name)


def test_presets_buffers_channels_and_traffic_are_those_of_simulate() -> None:
    spec, chosen = "torus:4x4", []
    for k, (preset, buffer) in enumerate((p, b) for p in ("booksim", "yang2001", "jump1") for b in (4, 16)):
        vcs, traffic = (2, 3, 4)[k % 3], ("uniform", "transpose", "tornado")[k % 3]
        chosen.append({"routing": "torus.dateline", "preset": preset, "buffer": buffer, "vcs": vcs, "traffic": traffic})
    chosen.append({"routing": "torus.duato", "preset": "jump1", "buffer": 16, "vcs": 6, "traffic": "hotspot"})
    chosen.append({"routing": "torus.bubble", "preset": "booksim", "buffer": 32, "vcs": 1, "traffic": "uniform"})
    assert {each["buffer"] for each in chosen} <= {*BUFFERS}
    load, page = 0.25, runs_of(build(spec))
    jobs = [
        {**page, "phases": PHASES, "which": each, "set": {"packet_flits": 3, "seed": 7, "load": load}}
        for each in chosen
    ]
    for which, got in zip(chosen, answers(jobs), strict=True):
        settings = {"vcs": which["vcs"], "buffer_flits": which["buffer"], "traffic": which["traffic"]}
        more = {"flow_control": "cut_through"} if which["routing"] == "torus.bubble" else {}
        settings |= {**PHASES, **more, "drain": True, "packet_flits": "3", "seed": 7, "load": load}
        assert_same_figures(got, simulate(spec, which["routing"], name=which["preset"], **settings), which)


HALVED = [
    ("mesh:4x4", "mesh.o1turn_booksim", "transpose"), ("mesh:4x4", "mesh.o1turn_adaptive_booksim", "transpose"),
    ("mesh:4x4", "mesh.romm_booksim", "transpose"), ("cmesh:4x4", "cmesh.express_o1turn_booksim", "transpose"),
    ("flatfly:3", "hyperx.o1turn_booksim", "tornado"), ("flatfly:3", "hyperx.o1turn_adaptive_booksim", "tornado"),
    ("flatfly:3", "hyperx.valiant_booksim", "tornado"), ("flatfly:3", "hyperx.ugal_booksim", "tornado"),
    ("flatfly:3", "hyperx.ugal_o1turn_booksim", "tornado"),
]  # fmt: skip
"""Routings whose classes have half of the virtual channels each: of an odd number both have the middle one."""


def test_runs_with_odd_and_even_channels_are_those_of_simulate() -> None:
    jobs, cases, changed = [], [], {"packet_flits": 7, "seed": 3, "load": 0.3}
    nets = {spec: build(spec) for spec, *_ in HALVED}
    known = {(spec, counts[0].name): counts for spec, net in nets.items() for counts in bindings(net)}
    for spec, routing, _ in HALVED:
        assert len({offers_escape(bound) for bound in known[spec, routing]}) == 2, routing
    node_here()
    pages = {spec: runs_of(net) for spec, net in nets.items()}
    for spec, routing, traffic in HALVED:
        for vcs in (4, 5):
            which = {"routing": routing, "vcs": vcs, "traffic": traffic, "preset": "booksim", "buffer": 8}
            cases.append((spec, which))
            jobs.append({**pages[spec], "phases": PHASES, "which": which, "set": changed})
    for (spec, which), got in zip(cases, answers(jobs), strict=True):
        settings = {"vcs": which["vcs"], "traffic": which["traffic"], "packet_flits": "7", "seed": 3, "load": 0.3}
        assert_same_figures(got, simulate(spec, which["routing"], drain=True, **PHASES, **settings), (spec, which))


def test_what_a_routing_says_holds_with_all_its_channels() -> None:
    """But for escapes, which the page has for each count where they differ."""
    specs = "mesh:4x4 mesh:4x4x4 torus:4x4 hypercube:4 rdt:8 hyperx:4x4 cmesh:4x4 dragonfly:2"
    for spec in specs.split():
        net = build(spec)
        rows = {row["routing"]: row for row in unpack(runs_text(net))["routings"]}
        for counts in bindings(net):
            name = counts[0].name
            says = [routing_row(bound, escapes=name not in FILLED) for bound in counts]
            told = rows[name].get("careful", [rows[name]["says"]["careful"]] * len(counts))
            assert [rows[name]["says"] | {"careful": each} for each in told] == says, (spec, name)


LARGE = [
    ("torus:16x16x16", "torus.valiant", 8, "tornado", "booksim", 8),
    ("mesh:64x64", "mesh.odd_even", 2, "transpose", "jump1", 16),
    ("rdt:32", "rdt.turn_model", 5, "uniform", "booksim", 32),
    ("hypercube:10", "hypercube.ugal", 3, "bit_complement", "yang2001", 8),
    ("crossedcube:10", "up_down", 4, "random_permutation", "booksim", 4),
    ("random:512,d=6", "minimal", 7, "hotspot", "booksim", 8),
    ("srt2d:32", "lash", 9, "uniform", "jump1", 8),
    ("dragonfly:4", "dragonfly.ugal_g", 6, "bad_dragonfly", "booksim", 8),
    ("midimew:256", "nue", 3, "neighbor", "booksim", 8),
    ("star:6", "star.sort", 8, "uniform", "booksim", 16),
    ("debruijn:2,n=11", "debruijn.shift", 6, "shuffle", "booksim", 8),
    ("file:example.anynet", "dfsssp", 2, "uniform", "booksim", 8),
]
"""Routings of families and of any network, whose tables the page fills, on networks up to 4096 routers."""


def test_runs_of_larger_networks_are_those_of_simulate() -> None:
    node_here()
    phases, jobs = {"warmup_cycles": 100, "measure_cycles": 300}, []
    for spec, routing, vcs, traffic, preset, buffer in LARGE:
        which = {"routing": routing, "vcs": vcs, "traffic": traffic, "preset": preset, "buffer": buffer}
        changed = {"packet_flits": 2, "seed": 3, "load": 0.06}
        jobs.append({**runs_of(build(spec)), "phases": {**phases, "drain": False}, "which": which, "set": changed})
    for case, got in zip(LARGE, answers(jobs), strict=True):
        spec, routing, vcs, traffic, preset, buffer = case
        settings = {
            "vcs": vcs,
            "buffer_flits": buffer,
            "traffic": traffic,
            "packet_flits": "2",
            "seed": 3,
            "load": 0.06,
        }
        assert_same_figures(got, simulate(spec, routing, name=preset, drain=False, **phases, **settings), case)


def test_the_page_has_every_shipped_routing_of_a_family_on_every_network() -> None:
    """With all channels up to eight, or those that it needs where they are more; traffic that fits."""
    for spec in ("torus:64x64", "rdt:64", "star:7", "hypercube:12", "fattree:8,n=3", "dragonfly:4"):
        net = build(spec)
        found = {counts[0].name: [bound.vcs for bound in counts] for counts in bindings(net)}
        fit = {name for name, each in routings().items() if "." in name and not each.own and each.misfit(net) is None}
        assert fit <= set(found), (spec, fit - set(found))
        for name, counts in found.items():
            least = 1 if found_later(name, net) else bind(name, net).vcs
            bubbles = routings()[name].bubble
            assert counts == [least, *(range(least + 1, 9) if not bubbles else ())], (spec, name)
        fitting = {name for name in patterns() if name not in ("worst", "trace") and _binds(name, net)}
        assert set(traffic_of(net)) == fitting, spec


def test_the_worst_permutations_of_few_routes_are_those_of_python() -> None:
    for spec in ("torus:4x4", "fattree:2,n=4", "fly:2,n=3", "rdt:8"):
        net = build(spec)
        rows = {row["traffic"]: row for row in unpack(runs_text(net))["traffic"]}
        worst = {name for name in rows if name.startswith("worst:")}
        few = [bound for bound, *_ in bindings(net) if net.endpoints**2 * bound.draws <= MOST_WORST]
        assert worst == {f"worst:routing={bound.name}" for bound in few} and len(worst) > 1, spec
        for name in worst:
            there = bind_traffic(name, net)
            assert rows[name]["own"].tolist() == there.own.tolist() and rows[name]["draws"] == there.draws, (spec, name)


def test_a_run_under_the_worst_permutation_is_that_of_simulate() -> None:
    spec, phases = "torus:8x8", {"warmup_cycles": 200, "measure_cycles": 600, "drain": False}
    which = {"routing": "torus.duato", "vcs": 3, "traffic": "worst:routing=torus.dateline"}
    (got,) = answers(
        [{**runs_of(build(spec)), "which": which, "phases": phases, "set": {"load": 0.2, "packet_flits": 4}}]
    )
    settings = {"vcs": 3, "traffic": which["traffic"], "load": 0.2, "packet_flits": "4"}
    assert_same_figures(got, simulate(spec, "torus.duato", **phases, **settings), which)


def test_worst_traffic_follows_the_routing_that_is_chosen(shown: Callable[..., Shown]) -> None:
    it = shown("net=mesh:4x4&panel=simulate&traffic=worst")
    traffic = it.page.get_by_label("Traffic", exact=True)
    it.page.wait_for_function("() => location.hash.includes('worst:routing=mesh.dimension_order')")
    assert traffic.input_value() == "worst:routing=mesh.dimension_order"
    it.page.get_by_label("Routing", exact=True).select_option("mesh.west_first")
    it.page.wait_for_function("() => location.hash.includes('worst:routing=mesh.west_first')")
    assert "--traffic worst:routing=mesh.west_first" in it.page.inner_text("code[aria-label=Command]")
    assert it.errors == []


def _binds(traffic: str, net: Any) -> bool:
    try:
        bind_traffic(traffic, net)
    except JumpnetError:
        return False
    return True


def test_an_image_is_the_same_wherever_the_arrays_lie() -> None:
    images, kept = set(), []
    for k in range(1, 4):
        kept.append(np.ones(k * 1000))  # so that the next arrays lie elsewhere
        images.add(run_image("torus:4x4", "torus.dateline", "torus.duato", vcs=3))
    assert len(images) == 1


def _faults(draw: random.Random, net: Any, most: int) -> tuple[list[int], list[int]]:
    channels = [r * net.ports + p for r, p in np.argwhere(net.neighbor >= 0).tolist()]
    return draw.sample(range(net.routers), draw.randrange(most)), draw.sample(channels, draw.randrange(1, 7))


def test_tables_round_faults_are_those_of_prepare() -> None:
    draw, outcomes = random.Random(2), set()
    for spec in ("mesh:5x4", "rdt:8", "fattree:2,n=4", "prdt:12,R=1"):
        net = build(spec)
        for k in range(4):
            routers, links = _faults(draw, net, 4)
            if k == 0:  # router 0 is cut off
                routers = [r for r in net.neighbor[0].tolist() if r >= 0]
            left = degraded(net, routers, [divmod(c, net.ports) for c in links])
            for name, entry in refilled.ROUTED.items():
                if name == "rdt.fault_tolerant" and net.family not in ("rdt", "prdt"):
                    continue
                fill = getattr(refilled, entry)
                vcs = 1 + k if name == "nue" else None
                own = bind(name, net, vcs).view
                arrays = (left.neighbor, left.far_port, left.link_class, left.coord, left.params)
                view, _kept = make_view(*arrays, own.own.copy(), own.table.copy(), own.vcs)
                ends = (left.terminals + left.sinks).astype(np.int32)
                size = (
                    40 * net.routers + net.neighbor.size * (7 + max(refilled.LAYERS.values()) * (2 + net.ports)) + 4096
                )
                scratch = np.zeros(size, np.int32)
                found = fill(view.address, ends.ctypes.data, scratch.ctypes.data)
                outcomes.add(found > 0)
                try:
                    wanted = bind(name, left, vcs).view
                except JumpnetError:
                    assert found <= 0
                    continue
                assert found > 0 and (view.own == wanted.own).all() and (view.table == wanted.table).all()
    assert outcomes == {True, False}


def test_a_run_round_faults_is_that_of_the_degraded_network() -> None:
    draw, cases = random.Random(5), []
    for spec, routing in (
        ("torus:8x8", "up_down"),
        ("rdt:8", "lash"),
        ("mesh:4x4", "up_down"),
        ("dragonfly:2", "lash"),
        ("rdt:8", "rdt.fault_tolerant"),
        ("torus:8x8", "minimal"),
        ("torus:4x4", "dfsssp"),
        ("mesh:4x4", "nue"),
    ):
        net = build(spec)
        image = run_image(net, routing, vcs=6, load=0.1, packet_flits="5")
        for _ in range(2):
            routers, links = _faults(draw, net, 3)
            cases.append((net, routing, routers, links, image))
    cases.append((build("mesh:4x4"), "up_down", [1, 4], [], cases[4][4]))  # a corner is cut off
    jobs = [
        {"image": image, "phases": PHASES, "broken": {"routers": routers, "links": links}}
        for _, _, routers, links, image in cases
    ]
    done = 0
    for (net, routing, routers, links, _), got in zip(cases, answers(jobs), strict=True):
        left = degraded(net, routers, [divmod(c, net.ports) for c in links])
        try:
            result = simulate(left, routing, vcs=6, load=0.1, packet_flits="5", **PHASES)
        except JumpnetError:
            assert "in pieces" in got["refused"]
            continue
        assert_same_figures(got, result, (net.spec, routing, routers, links))
        done += 1
    assert 0 < done < len(cases)


def _grown(where: Any, name: str, source: int, to: list[int]) -> dict[str, Any] | None:
    try:
        tree = multicast_tree(where, scheme(name), source, to)
    except JumpnetError:
        return None
    parts = {
        "receivers": sorted(tree.receivers),
        "remade": sorted(tree.remade),
        "hops": [list(hop) for hop in tree.hops],
    }
    return {"top": tree.address.top, "root": tree.root, "steps": tree.steps, **parts}


def test_trees_are_those_of_multicast_tree() -> None:
    draw, jobs = random.Random(3), []
    for spec in ("rdt:8", "prdt:16", "rdt:32", "prdt:18,n=3"):
        where = territories(spec)
        sent = []
        for _ in range(3):
            source, *to = draw.sample(range(where.routers), draw.randrange(2, 9))
            sent += [[name, source, to] for name in trees.SCHEMES]
        jobs.append(
            {"spec": spec, "tables": trees.tree_tables(where).tolist(), "rows": trees.tree_rows(where), "sent": sent}
        )
    found: list[Any] = []
    for job, got in zip(jobs, answers(jobs), strict=True):
        for (name, source, to), tree in zip(job["sent"], got["trees"], strict=True):
            assert tree == _grown(territories(job["spec"]), name, source, to), (job["spec"], name, source, to)
            found.append(tree)
    assert None in found or len(found) == 72


@pytest.mark.parametrize("name", trees.SCHEMES)
def test_trees_natively(name: str) -> None:
    where, draw = territories("rdt:16"), random.Random(4)
    tables, most = trees.tree_tables(where), trees.tree_rows(where)
    for _ in range(3):
        source, *to = draw.sample(range(where.routers), 5)
        targets = np.array(to, np.int32)
        out, work = np.zeros(trees.TOLD + 19 * most, np.int32), np.zeros(4 + 6 * most + 512, np.int32)
        places = [array.ctypes.data for array in (tables, targets, out, work)]
        assert trees.grow_tree(places[0], source, places[1], 4, trees.SCHEMES.index(name), places[2], most, places[3])
        expected = _grown(where, name, source, to)
        hops = out[trees.TOLD :][: 4 * out[3]].reshape(-1, 4).tolist()
        assert expected is not None and sorted(hops) == expected["hops"] and out[2] == expected["steps"]
