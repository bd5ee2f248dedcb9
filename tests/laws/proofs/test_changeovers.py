"""From one routing to another: held against a plain search from every state of every packet, and both certified."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.agree.campaign import FLOWS, ONE
from tests.agree.changes import places_of_change
from tests.attack.files.certificates import accepted, accepted_by_page
from tests.naive.buffers import explore
from tests.naive.certificate import is_true

from jumpnet.analysis.deadlock.certificates.text import write_changeover_certificate
from jumpnet.analysis.deadlock.changes import changeover as changeover_module
from jumpnet.analysis.deadlock.changes.changeover import Changeover, prove_changeover
from jumpnet.analysis.deadlock.changes.words import explain_changeover
from jumpnet.analysis.deadlock.cycles.checker import accepts_rows
from jumpnet.analysis.deadlock.walks import walkers as walks
from jumpnet.analysis.deadlock.ways_to_graph.dimensions.changes import change_by_dimension
from jumpnet.cli._answers.fault_sequence import after_faults
from jumpnet.errors import JumpnetError
from jumpnet.fault.degraded import degraded
from jumpnet.networks import from_neighbors
from jumpnet.routings import BoundRouting, Routing, bind
from jumpnet.routings.view import ESCAPE, KIND, NEXT_STATE, PORT, STATE, VC, new_head, new_out
from jumpnet.topology import build

Channel = tuple[int, int, int]


def moves(bound: BoundRouting, here: int, sink: int, state: int) -> list[tuple[Channel, int]]:
    """(channel, next state) of every way on."""
    head, out = new_head(here, sink), new_out()
    head[STATE] = state
    count = bound.routing.relation(bound.view, here, head, out)
    return [((here, int(row[PORT]), int(row[VC])), int(row[NEXT_STATE])) for row in out[: max(0, count)]]


def start(bound: BoundRouting, here: int, sink: int) -> int:
    """The state in which a packet begins."""
    head = new_head(here, sink)
    if bound.routing.start is not None:
        bound.routing.start(bound.view, head, 0, np.zeros(bound.network.ports, np.int64))
    return int(head[STATE])


def may_stand(change: Changeover, bound: BoundRouting, here: int, sink: int) -> bool:
    """Whether both are there still, and the old links have a way from one to the other."""
    old, left = (one.network.neighbor.tolist() for one in (change.old, bound))
    met, todo = {here}, [here]
    while todo:
        more = {r for r in old[todo.pop()] if r >= 0} - met
        met |= more
        todo += more
    return sink in met and all(max(left[r]) >= 0 or any(r in row for row in left) for r in (here, sink))


def plain(change: Changeover) -> set[tuple[Channel, Channel]]:
    """All dependencies, each packet followed through every moment at which a change may come."""
    net, found, seen = change.old.network, set(), set()
    bounds = (change.old, *change.new)
    for sink in np.flatnonzero(net.sinks > 0).tolist():
        todo = [
            (None, which, r, start(bound, r, sink))
            for which, bound in enumerate(bounds)
            for r in range(net.routers)
            if (which or net.terminals[r]) and r != sink and may_stand(change, bound, r, sink)
        ]
        while todo:
            held, which, here, state = item = todo.pop()
            if (sink, item) in seen or here == sink:
                continue
            seen.add((sink, item))
            for later in range(which + 1, len(bounds)):
                if may_stand(change, bounds[later], here, sink):
                    todo.append((held, later, here, start(bounds[later], here, sink)))
            for channel, after in moves(bounds[which], here, sink, state):
                found.update([(held, channel)] if held is not None else [])
                todo.append((channel, which, int(net.neighbor[channel[:2]]), after))
    return found


def marked(bound: BoundRouting, here: int, sink: int, state: int) -> list[tuple[Channel, int, bool]]:
    """(channel, next state, whether it is an escape) of every way on; all are escapes where none is marked."""
    head, out = new_head(here, sink), new_out()
    head[STATE] = state
    kinds = out[: max(0, bound.routing.relation(bound.view, here, head, out)), KIND] & ESCAPE != 0
    found = moves(bound, here, sink, state)
    return [(*way, bool(kind) or not kinds.any()) for way, kind in zip(found, kinds, strict=True)]


def plainly_extended(change: Changeover) -> set[tuple[Channel, Channel]]:
    """Duato's dependencies, each packet followed from every channel that it may hold, at each hop by any routing."""
    net, bounds, found, seen = change.old.network, (change.old, *change.new), set(), set()
    ways: dict[tuple[int, int, int, int], list[tuple[Channel, int, bool]]] = {}
    todo = [
        (None, sink, which, r, start(bound, r, sink))
        for sink in range(net.routers)
        for which, bound in enumerate(bounds)
        for r in range(net.routers)
        if r != sink and (bound.network.neighbor[[r, sink]] >= 0).any(axis=1).all()
    ]
    while todo:
        held, sink, which, here, state = item = todo.pop()
        if item in seen or here == sink:
            continue
        seen.add(item)
        for later in range(which + 1, len(bounds)):
            if (bounds[later].network.neighbor[[here, sink]] >= 0).any(axis=1).all():
                todo.append((held, sink, later, here, start(bounds[later], here, sink)))
        key = (sink, which, here, state)
        if key not in ways:
            ways[key] = marked(bounds[which], here, sink, state)
        for channel, after, escape in ways[key]:
            found.update([(held, channel)] if escape and held is not None else [])
            far = int(net.neighbor[channel[:2]])
            todo += [(one, sink, which, far, after) for one in {channel, channel if escape else held}]
    escapes = {channel for among in ways.values() for channel, _, escape in among if escape}
    return {(a, b) for a, b in found if a in escapes}


MESH, TORUS = build("mesh:4x3"), build("torus:4x3")
CLOS, TREE, BUSES, FLY = (build(spec) for spec in ("clos:2,2,3", "fattree:2,n=3", "hypermesh:3", "fly:3,n=3"))
PAIRS = [
    ("mesh.dimension_order", "mesh.west_first", MESH, MESH),
    ("mesh.west_first", "mesh.north_last", MESH, MESH),
    ("up_down", "up_down", MESH, degraded(MESH, routers=[5])),
    ("torus.dateline", "lash", TORUS, TORUS),
    ("lash", "up_down", TORUS, degraded(TORUS, links=[(0, 0)])),
    ("lash", "lash lash", MESH, degraded(MESH, links=[(10, 0)])),
    ("up_down", "up_down up_down", MESH, degraded(MESH, links=[(5, 0)])),
    ("lash", "lash", CLOS, CLOS),
    ("clos.nca", "dfsssp lash", CLOS, degraded(CLOS, links=[(0, 0)])),
    ("fattree.nca", "lash", TREE, degraded(TREE, links=[(0, 0)])),
    ("up_down", "nue", TREE, TREE),
    ("lash", "dfsssp lash:paths=balanced", BUSES, BUSES),
    ("minimal", "minimal", BUSES, BUSES),
    ("fly.destination_tag", "minimal", FLY, FLY),
    ("lash", "fly.destination_tag", FLY, FLY),
]


@pytest.mark.parametrize(("before", "after", "net", "left"), PAIRS)
def test_the_dependencies_are_those_of_a_plain_search(before, after, net, left, tmp_path: Path) -> None:
    struck = [left, degraded(left, routers=[net.routers // 2])]
    new = [bind(name, then) for name, then in zip(after.split(), struck, strict=False)]
    change = Changeover(bind(before, net), *new)
    pairs, _, _ = change.dependencies()
    named = [
        (c // (net.ports * change.vcs), c // change.vcs % net.ports, c % change.vcs) for c in range(pairs.max() + 1)
    ]
    assert {(named[a], named[b]) for a, b in pairs.tolist()} == plain(change)
    proof = prove_changeover(change)
    if proof.verdict == "free":
        write_changeover_certificate(tmp_path / "c", change, proof)
        data = (tmp_path / "c").read_bytes()
        assert accepted(data) and accepted_by_page(data) and is_true(data.decode())
    else:
        with pytest.raises(JumpnetError, match="is not proved free of deadlock: no certificate"):
            write_changeover_certificate(tmp_path / "c", change, proof)


@pytest.mark.parametrize(
    ("net", "names", "verdict"),
    [
        (MESH, "mesh.duato mesh.duato", "free"),
        (MESH, "mesh.west_first mesh.duato", "free"),
        (MESH, "mesh.duato mesh.north_last", "unproved"),
        (TORUS, "torus.duato torus.dateline", "free"),
        (build("hypercube:3"), "hypercube.ecube hypercube.duato hypercube.ecube", "free"),
    ],
)
def test_where_escapes_are_marked_duatos_condition_will_do(net, names, verdict, tmp_path: Path) -> None:
    change = Changeover(*(bind(name, net) for name in names.split()))
    proof, wide = prove_changeover(change), net.ports * change.vcs
    held, wanted = change.extended().pairs
    named = [(c // wide, c // change.vcs % net.ports, c % change.vcs) for c in range(net.routers * wide)]
    assert {(named[a], named[b]) for a, b in zip(held, wanted, strict=True)} == plainly_extended(change)
    assert proof.verdict == verdict and proof.method.startswith("Duato's condition")
    assert proof.escape_dependencies == len(held) and (proof.cycle is None) == (verdict == "free")
    if verdict == "free":
        written = write_changeover_certificate(tmp_path / "c", change, proof)
        data = (tmp_path / "c").read_bytes()
        assert written.condition == "escape" and written.states > 0 and accepted(data) and is_true(data.decode())
        lines = data.decode().splitlines(keepends=True)
        lacking = [line for line in lines if not line.startswith("wants 0 ")]
        assert len(lacking) < len(lines) and not accepted("".join(lacking).encode())


def test_both_verdicts_are_met_of_one_change_and_of_two() -> None:
    found = [prove_changeover(Changeover(bind(a, net), bind(b, left))).verdict for a, b, net, left in PAIRS[:5]]
    assert {"free", "unproved"} == set(found)
    left = after_faults(MESH, ["cycle=9,router=11", "cycle=3,link=10-11"])
    assert [net.links for net in left] == [MESH.links - 1, MESH.links - 2]
    for name, verdict in (("lash", "free"), ("up_down", "free")):
        two = prove_changeover(Changeover(bind(name, MESH), *(bind(name, net) for net in left)))
        assert two.verdict == verdict and two.spec.count("then") == 2
    with pytest.raises(JumpnetError, match="lash alone found in a changeover"):
        Changeover(bind("lash", MESH))


def test_what_does_not_fit_together_is_refused() -> None:
    with pytest.raises(JumpnetError, match="torus:4x3 found after mesh:4x3, the same links or fewer expected"):
        Changeover(bind("up_down", MESH), bind("up_down", TORUS))
    with pytest.raises(JumpnetError, match="booksim found in a changeover, a routing expected that looks neither"):
        Changeover(bind("up_down", TORUS), bind("torus.booksim", TORUS))
    fewer = replace(TORUS, sinks=np.r_[0, TORUS.sinks[1:]].astype(np.int32), orbits=None)
    with pytest.raises(JumpnetError, match="where router 0 takes no packets, the same that take packets or fewer"):
        Changeover(bind("torus.dateline", fewer), bind("torus.dimension_order", TORUS))


def clockwise(net, here, head, out):
    """Always by port 0."""
    out[0, 0] = out[0, 1] = out[0, 2] = out[0, 3] = 0
    return 0 if here == head[1] else 1


def by_the_middle(net, here, head, out):
    """Between routers 0 and 2 by router 1, from nowhere else."""
    out[0, 0] = 0 if head[1] == 2 else 1
    out[0, 1] = out[0, 2] = out[0, 3] = 0
    return 0 if here == head[1] else 1 if here <= 2 else -1


def test_a_head_that_finds_no_route_after_the_change_is_one_line() -> None:
    """No packet of the new routing stands there, so its own proof has not met it."""
    r = np.arange(5)
    ring = from_neighbors("r", "r", np.stack([(r + 1) % 5, (r - 1) % 5], axis=1), terminals=np.array([1, 0, 1, 0, 0]))
    old, new = (bind(Routing(name=f.__name__, relation=f), ring) for f in (clockwise, by_the_middle))
    assert new.pointer  # it is tried where its packets are
    with pytest.raises(JumpnetError, match=r"by_the_middle on r, router 3, packet from 3 to 0: .* has no route"):
        prove_changeover(Changeover(old, new))


def test_a_head_that_one_way_links_have_led_astray_is_one_line() -> None:
    """On a butterfly each head has its one way on, or none once a link has failed; also where a router is left with
    links to it alone, and packets that come later go by others."""
    fly = build("fly:2,n=3")
    tag = bind("fly.destination_tag", fly)
    for name in ("fly.destination_tag", "minimal"):
        change = Changeover(tag, bind(name, fly), tag)
        proof = prove_changeover(change)
        assert (proof.verdict, proof.channels, proof.dependencies, proof.states) == ("free", 16, 16, 3 * 28)
        assert len(explain_changeover(change, proof).groups) == 2
    for links in ([(0, 0)], [(0, 0), (0, 1)]):  # one of router 0, and all: its terminals send all the same
        with pytest.raises(JumpnetError, match=r"^no path from router 0 to 8 of fly:2,n=3 without"):
            prove_changeover(Changeover(tag, bind("minimal", degraded(fly, links=links))))
    neighbor = np.array([[1, 2], [3, -1], [3, -1], [0, -1]])
    net = from_neighbors("d", "d", neighbor, terminals=np.array([1, 0, 0, 1]), directed=True)
    left = degraded(net, links=[(1, 0)])
    with pytest.raises(JumpnetError, match=r"^no path from router 1 to 0 of d without"):
        prove_changeover(Changeover(bind("minimal", net), bind("minimal", left)))


def test_without_a_link_there_is_nothing_to_wait_for() -> None:
    net = build("fly:4,n=1")
    change = Changeover(bind("fly.destination_tag", net), bind("minimal", net))
    told = explain_changeover(change, prove_changeover(change))
    assert told.groups == told.chain == () and "No packet asks for a channel" in str(told)


def test_states_without_end_are_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walks, "MEMORY_LIMIT_BYTES", 1 << 10)
    many = bind("torus.valiant", build("torus:5x5"))
    with pytest.raises(JumpnetError, match="states of packets to 0 found, fewer expected; does STATE grow without end"):
        prove_changeover(Changeover(many, many))


@pytest.mark.parametrize(
    ("net", "names"),
    [
        ("mesh:3x3", ("mesh.west_first", "mesh.north_last")),
        ("torus:4x3", ("torus.duato", "torus.dimension_order")),
        ("mesh:3x3", ("mesh.dimension_order", "mesh.north_last", "mesh.west_first")),
    ],
)
def test_a_cycle_is_told_as_packets_that_there_are(net, names) -> None:
    """Hop by hop, each by the routing that is named, in an order in which they may follow on one another."""
    network = build(net)
    change = Changeover(*[bind(name, network) for name in names])
    bounds, proof = (change.old, *change.new), prove_changeover(change)
    told = explain_changeover(change, proof)
    assert proof.verdict == "unproved" and str(told).count("packet from") == len(proof.cycle) == len(told.turned)
    wide = network.ports * change.vcs
    for hop, after, packet in zip(proof.cycle, (*proof.cycle[1:], proof.cycle[0]), told.turned, strict=True):
        channels = [(c // wide, c // change.vcs % network.ports, c % change.vcs) for c in (*packet.way, packet.wants)]
        by = (*packet.by, packet.wants_by)
        assert channels[packet.held] == (hop.router, hop.port, hop.vc)
        assert channels[-1] == (after.router, after.port, after.vc)
        assert list(by) == sorted(by) and channels[0][0] == packet.source
        state = start(bounds[by[0]], packet.source, packet.destination)
        for k, (channel, which) in enumerate(zip(channels, by, strict=True)):
            if k and which != by[k - 1]:
                state = start(bounds[which], channel[0], packet.destination)
            ways = dict(moves(bounds[which], channel[0], packet.destination, state))
            assert channel in ways
            state = ways[channel]
            if k < len(packet.way):
                assert network.neighbor[channel[:2]] == channels[k + 1][0]


def test_a_change_that_is_free_has_an_order_in_words() -> None:
    net = build("torus:4x3")
    for names in (("torus.duato", "torus.dateline"), ("torus.dateline", "torus.dateline")):
        change = Changeover(*[bind(name, net) for name in names])
        told = explain_changeover(change, prove_changeover(change))
        assert len(told.groups) == 8 and not told.turned and "of the packets that wait one can move" in str(told)
        assert told.as_json()["groups"][0]["step"] == 1


@pytest.mark.parametrize(
    ("net", "names"),
    [
        ("mesh:4x3", ("mesh.west_first", "mesh.dimension_order")),
        ("mesh:3x3", ("mesh.west_first", "mesh.north_last")),
        ("mesh:3x3", ("mesh.duato", "mesh.north_last", "mesh.dimension_order")),
        ("mesh:3x4", ("mesh.o1turn", "mesh.o1turn")),
        ("torus:5x3", ("torus.duato", "torus.dateline")),
        ("torus:4x3", ("torus.dateline", "torus.duato")),
        ("torus:4x3", ("torus.duato", "torus.dimension_order")),
        ("hyperx:3x4", ("hyperx.dimension_order", "hyperx.dimension_order")),
    ],
)
def test_on_grids_no_packet_need_be_followed(net, names, monkeypatch: pytest.MonkeyPatch) -> None:
    network = build(net)
    change = Changeover(*[bind(name, network) for name in names])
    pairs, used, states = change.dependencies()
    followed = prove_changeover(change)
    made = change_by_dimension((change.old, *change.new), change.vcs)
    indptr, indices = made.rows
    assert np.array_equal(pairs, np.stack([np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices], axis=1))
    assert np.array_equal(np.flatnonzero(made.used), used) and made.states == states
    monkeypatch.setattr(changeover_module, "GRID_ROUTERS", 0)
    monkeypatch.setattr(changeover_module, "MANY_ROUTERS", 0)
    proof = prove_changeover(change)
    assert (proof.by, proof.verdict) == ("dimensions", followed.verdict)
    told, again = (explain_changeover(change, one) for one in (proof, followed))
    assert ", dimension by dimension; " in told.followed and told.chain == again.chain
    assert (told.groups, told.turned) == (again.groups, again.turned) or proof.cycle != followed.cycle
    if proof.escape_channels is not None:
        extended = change.extended()
        number = proof.certificate[extended.channel]
        assert (number >= 0).all() and accepts_rows(number, extended.indptr, extended.indices)


def test_on_a_grid_a_third_routing_meets_the_first_anew() -> None:
    """Packets of the first wait by the third for what neither the second nor the third waits for from there."""
    net = build("mesh:3x3")
    change = Changeover(*[bind(f"mesh.{name}", net) for name in ("west_first", "dimension_order", "duato")])
    made = change_by_dimension((change.old, *change.new), change.vcs)
    indptr, indices = made.rows
    found = np.stack([np.repeat(np.arange(len(indptr) - 1), np.diff(indptr)), indices], axis=1)
    assert np.array_equal(change.dependencies()[0], found)


def test_what_takes_minutes_says_so_once_and_a_day_is_refused(monkeypatch: pytest.MonkeyPatch, capsys) -> None:
    """Before the first packet is followed, for a proof and for its certificate; sets of destinations take no time."""
    net = build("rdt:8")
    change = Changeover(bind("rdt.deadlock_free", net), bind("rdt.turn_model", net))
    monkeypatch.setattr(changeover_module, "PAIR_SECONDS", 100 / (2 * 64 * 64))
    prove_changeover(change)
    assert capsys.readouterr().err.count("on rdt:8: packets are followed for 2 CPU minutes at least") == 1
    monkeypatch.setattr(changeover_module, "PAIR_SECONDS", 1e5 / (2 * 64 * 64))
    monkeypatch.setattr(walks, "job_anywhere", None)  # no packet goes
    again = Changeover(change.old, *change.new)
    for asked in (lambda: prove_changeover(again), lambda: list(Changeover(change.old, *change.new).sections())):
        with pytest.raises(JumpnetError, match="its proof would take 28 CPU hours at least"):
            asked()


def test_what_is_no_change_on_one_grid_is_followed() -> None:
    lash, order = bind("lash", MESH), bind("mesh.dimension_order", MESH)
    assert change_by_dimension((order, lash), max(order.vcs, lash.vcs)) is None
    assert change_by_dimension((order, bind("mesh.dimension_order", degraded(MESH, links=[(10, 0)]))), 1) is None


def test_a_large_change_is_proved() -> None:
    net = build("torus:64x64")
    proof = prove_changeover(Changeover(bind("torus.duato", net), bind("torus.dateline", net)))
    assert (proof.verdict, proof.by, proof.certificate_checked) == ("free", "dimensions", True)


@pytest.mark.parametrize("old", ["up_down", "nue"])
def test_packets_that_are_sent_out_of_their_last_router_again_are_followed(old):
    """A head at its last router, not taken yet, goes by a drawn router as any other; two wait for each other so."""
    net = build("torus:4")
    change = Changeover(bind(old, net), bind("torus.valiant", net))
    assert prove_changeover(change).verdict == "unproved"
    assert explore(places_of_change(change), FLOWS[ONE], 1000).verdict == "deadlock"
