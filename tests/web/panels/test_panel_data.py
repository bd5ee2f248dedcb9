"""What the panels show is what the library says: held against its own answers and plain twins, on small cases."""

from __future__ import annotations

import re
from collections import Counter, deque
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import jumpnet
from jumpnet.analysis.reconfigure import reconfigure
from jumpnet.errors import JumpnetError
from jumpnet.explore.gallery import GALLERY
from jumpnet.explore.packed import unpack
from jumpnet.explore.panels import PANELS, collectives, deadlock, faults, multicast, papers, specs, wafer
from jumpnet.explore.pieces import COMMITTED
from jumpnet.fault.degraded import degraded
from jumpnet.multicast import broadcast
from jumpnet.multicast.schedule import Schedule
from jumpnet.multicast.territory import territories
from jumpnet.networks import Network
from jumpnet.replay.deadlock import replay_deadlock
from jumpnet.topology import build

ELEMENT = re.compile(r'<script type="application/x-jumpnet-panel" data-panel="([a-z]+)">([^<]*)</script>')
HELD = dict(ELEMENT.findall(COMMITTED.read_text(encoding="utf-8")))


def _plain(value: Any) -> Any:
    """Arrays as lists, tuples too, so that what is packed and unpacked can be compared."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.mark.parametrize("panel", (multicast, collectives))
def test_the_committed_page_holds_what_the_library_says_now(panel: Any) -> None:
    assert _plain(unpack(HELD[panel.PANEL])) == _plain(panel.data())


def test_the_committed_page_holds_the_deadlocks_of_now() -> None:
    held = unpack(HELD["deadlock"])
    assert [(each["spec"], each["routing"]) for each in held["cases"]] == [case[:2] for case in deadlock.CASES]
    assert _plain(held["cases"][:1]) == _plain([deadlock.case_data(deadlock.CASES[0])])
    free = {each["spec"]: each for each in held["free"]}
    proof = jumpnet.network("ccc:3").prove()
    assert free["ccc:3"]["routing"] == proof.routing and free["ccc:3"]["channels"] == proof.channels


def test_every_panel_is_in_the_page_and_so_are_its_networks() -> None:
    assert list(HELD) == [panel.PANEL for panel in PANELS]
    assert set(specs()) <= {spec for listed in GALLERY.values() for spec in listed}


def _ends(net: Network, channel: int) -> tuple[int, int]:
    return channel // net.ports, int(net.neighbor[channel // net.ports, channel % net.ports])


def test_a_deadlock_is_that_of_the_proof_and_its_flits_add_up() -> None:
    case = deadlock.CASES[0]
    made, net = deadlock.case_data(case), build(case.spec)
    proof = jumpnet.network(case.spec).prove(case.routing, case.vcs)
    assert made["verdict"] == proof.verdict == "deadlock"
    assert [_ends(net, c) for c in made["cycle"]] == [(hop.router, hop.to) for hop in proof.cycle or ()]
    run = made["replay"]
    entered, over, held = Counter[int](), Counter[int](), {}
    for kind, packet, channel in zip(
        *(run["events"][key].tolist() for key in ("kind", "packet", "channel")), strict=True
    ):
        if kind == 0:
            entered[packet] += 1
        elif kind == 1:
            held[channel] = packet
        elif kind == 2:
            over[channel] += 1
    assert sum(entered.values()) == run["inside"] > 0  # none has arrived
    assert set(run["ring"]) == set(made["cycle"]) == set(held)
    assert set(over.values()) == {run["buffer"]}  # every buffer of the ring is full
    for one in made["waiting"]["packets"]:
        assert held[one["wants"]] != held[one["holds"]]
        assert _ends(net, one["holds"])[1] == _ends(net, one["wants"])[0]
    last = run["events"]["cycle"][run["events"]["kind"] == 2].max()
    assert last == run["moved"] < run["seen"]


def test_a_run_that_does_not_stand_as_it_did_is_refused() -> None:
    case = deadlock.CASES[0]
    replay = replay_deadlock(jumpnet.network(case.spec).prove(case.routing, case.vcs))
    with pytest.raises(JumpnetError, match="the run does not stand as it did"):
        deadlock.recorded(replace(replay, cycle=2))  # before it is over


def test_the_cure_is_in_the_order_of_its_certificate() -> None:
    case = deadlock.CASES[0]
    order = deadlock.case_data(case)["cure"]["order"]
    numbers = jumpnet.network(case.spec).prove(case.cure).certificate
    assert (
        numbers is not None
        and (np.sign(np.subtract.outer(order, order)) == np.sign(np.subtract.outer(numbers, numbers))).all()
    )


def test_directories_are_nested_and_leave_the_source_out() -> None:
    where = territories("rdt:8")
    for name in multicast.DIRECTORIES:
        order = multicast.directory(where, name)
        assert len(set(order)) == len(order) == multicast.COUNTS[-1]
        assert multicast.source_of(where) not in order


def _distances(net: Network, start: int) -> dict[int, int]:
    """Hops by a plain search."""
    found, queue = {start: 0}, deque([start])
    while queue:
        here = queue.popleft()
        for there in net.neighbor[here].tolist():
            if there >= 0 and there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def test_points_of_random_faults_are_those_of_the_faults_that_are_told() -> None:
    net = build("torus:4x4")
    for kind in ("nodes", "links"):
        rows = faults.points(net, "up_down", kind)
        count = faults.COUNTS[3]
        point = dict(zip(faults.FIELDS, rows[1][3], strict=True))
        gone = faults.faulty(net, kind, faults.SEEDS[1])[:count].tolist()
        pairs = [divmod(channel, net.ports) for channel in gone]
        left = degraded(net, routers=gone) if kind == "nodes" else degraded(net, links=pairs)
        hops = [d for r in range(16) if left.terminals[r] for s, d in _distances(left, r).items() if s != r]
        whole = int(left.terminals.sum()) * (int(left.terminals.sum()) - 1)
        assert len(hops) == whole and point["reachable"] == 1.0  # these ones leave it in one piece
        assert point["average_distance"] == pytest.approx(float(Fraction(sum(hops), whole)), abs=1e-12)
        assert point["endpoints"] == left.terminals.sum() and point["verdict"] == "free"


def test_a_wafer_is_told_element_by_element() -> None:
    net = build("srt2d:8")
    answer = reconfigure("srt2d:8", density=0.1, seed=4, method="local")
    made, found = wafer.wafer_data(net, answer), answer.configuration
    kinds = {name: made["kind"] == k for k, name in enumerate(wafer.KINDS)}
    assert made["repaired"] and (kinds["defective"] == found.bad).all() and not kinds["no path found"].any()
    used = kinds["in its own place"] | kinds["shifted"] | kinds["spare in use"]
    assert sorted(made["owner"][used]) == list(range(64)) and (made["owner"][~used] == -1).all()
    ends = made["paths"]["points"][made["paths"]["end"] - 1]
    assert (
        kinds["spare in use"].sum() == len(ends) == made["faults"]
        and kinds["spare in use"][ends[:, 1], ends[:, 0]].all()
    )
    pairs, channels = wafer.links_of(net)
    assert [tuple(sorted(_ends(net, channel))) for channel in channels.tolist()] == pairs
    assert dict(zip(pairs, made["segments"].tolist(), strict=True)) == {pair: answer.segments[pair] for pair in pairs}
    corners = made["wires"]["straight"]["points"], made["wires"]["bent"]["points"]
    assert all(len(points) and points.min() >= -100 and points.max() <= 1000 for points in corners)


def test_a_wafer_that_is_not_mended_says_so() -> None:
    made = wafer.wafer_data(build("srt2d:16"), reconfigure("srt2d:16", density=0.05, seed=1, method="exact"))
    assert not made["repaired"] and made["segments"] is None and made["why"] == "conflict"
    assert (made["kind"] == wafer.KINDS.index("no path found")).sum() == made["unrepaired"] > 0


def test_a_row_of_figures_is_that_of_metrics_and_bisection() -> None:
    row = papers.row("srt2d:8")
    found, halved = jumpnet.network("srt2d:8").metrics(), jumpnet.network("srt2d:8").bisection()
    assert (row["routers"], row["links"], row["diameter"]) == (found.routers, found.links, found.diameter)
    assert row["average"] == float(found.average_distance or 0) and row["pairs"] == list(found.distance_counts)
    assert row["bisection"] == [halved.lower, halved.upper] and row["degree"] == [found.degree_min, found.degree]
    hops = sum(d for r in range(64) for d in _distances(build("srt2d:8"), r).values())
    assert row["capacity"] == pytest.approx(found.channels / 64 / (hops / (64 * 63)), rel=1e-12)


def test_schedules_of_the_page_play() -> None:
    net = build("rdn:3,k=1")
    made = collectives.schedule_data(net, broadcast("rdn")(net, 0), "one-port")
    has = {0}
    for channel in made["channel"].tolist():
        sender, receiver = _ends(net, channel)
        assert sender in has
        has.add(receiver)
    parts = np.ones(net.routers, int)
    for channel in made["gather"]["channel"].tolist():
        sender, receiver = _ends(net, channel)
        parts[receiver] += parts[sender]
        parts[sender] = 0
    assert len(has) == net.routers == parts[0] and made["least"] <= made["steps"]


def test_a_schedule_that_leaves_a_router_out_is_refused() -> None:
    net = build("hypercube:3")
    whole = broadcast("binomial")(net, 0)
    short = Schedule(whole.spec, "short", 0, whole.step[:-1], whole.sender[:-1], whole.receiver[:-1])
    with pytest.raises(JumpnetError, match="short on hypercube:3: 7 and 7 routers reached"):
        collectives.schedule_data(net, short, "one-port")
