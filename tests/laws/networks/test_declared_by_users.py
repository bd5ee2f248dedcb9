"""What a user's own family, network or routing declares: believed where it is shown, refused where it is wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

import jumpnet
from jumpnet.analysis.deadlock.dependency import dependencies
from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.loads import channel_loads
from jumpnet.analysis.routes.paths import path_figures
from jumpnet.errors import JumpnetError
from jumpnet.graph.metrics import metrics
from jumpnet.networks import Network, Orbits, from_links
from jumpnet.own import load
from jumpnet.routings import INTERMEDIATE, STATE, Routing, _routing, bind
from jumpnet.topology import Family, build, family
from jumpnet.topology.orbits import held_orbits, why_no_automorphism
from jumpnet.traffic import bind as pattern

PRISM = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
RIGID = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (6, 7), (7, 0), (0, 2), (1, 3), (4, 6), (5, 7)]
"""Three links a router, and routers at other distances around some of them."""


def own(links, orbits=None, maps=(), claims=None):
    """A family of a user's own with one network."""

    @dataclass(frozen=True)
    class Declared(Family):
        sort: int = 0
        name: ClassVar[str] = "declared"

        def build(self) -> Network:
            return from_links(self.spec, self.name, routers, np.array(links), orbits=orbits)

        def automorphisms(self, net):
            yield from map(np.array, maps)

        def claims(self):
            return claims or {}

    routers = 1 + max(map(max, links))
    return Declared()


def ring(n):
    return [(i, (i + 1) % n) for i in range(n)]


def path(n):
    return [(i, i + 1) for i in range(n - 1)]


ONE = Orbits.transitive


@pytest.mark.parametrize(
    ("links", "orbits", "maps", "line"),
    [
        (path(6), ONE(6), (), r"router 0 has 1 link, router 1, said to be like it, has 2 links"),
        (path(6), Orbits([0, 1], [2, 4]), (), r"orbits: 2 routers, such as 2, have 1, 2, 2, 1 routers at distance"),
        (RIGID, ONE(8), (), r"router 0 has 1, 3, 3, 1 routers at distance 0, 1, ..., router"),
        (ring(6), ONE(6), ([1, 0, 2, 3, 4, 5],), r"automorphisms: the link of routers 0 and 5 goes to 1 and 5, where"),
        (path(3), Orbits([0, 1], [1, 2]), (), r"2 routers, such as 0, have 1 link, 1 are declared to"),
    ],
)
def test_wrong_orbits_are_one_line_with_the_place(links, orbits, maps, line):
    with pytest.raises(JumpnetError, match=line) as told:
        own(links, orbits, maps).build()
    assert str(told.value).startswith("family declared: ") and f"{__file__}:" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("links", "orbits", "maps", "searches"),
    [
        (ring(6), ONE(6), ([1, 2, 3, 4, 5, 0],), 1),  # shown
        (ring(6), ONE(6), (), 6),  # right, but nothing shows it
        (ring(6), ONE(6), ([2, 3, 4, 5, 0, 1],), 6),  # the maps join half of them only
        (ring(6), Orbits([0, 1], [3, 3]), ([1, 2, 3, 4, 5, 0],), 2),  # finer than what is shown
        (PRISM, ONE(6), ([1, 2, 0, 4, 5, 3], [3, 4, 5, 0, 1, 2]), 1),
        (path(6), Orbits([0, 1, 2], [2, 2, 2]), ([5, 4, 3, 2, 1, 0],), 3),
    ],
)
def test_orbits_are_used_where_maps_show_them(links, orbits, maps, searches):
    net = own(links, orbits, maps).build()
    found = metrics(net)
    assert found.searches == searches
    assert found.distance_counts == metrics(replace(net, orbits=None)).distance_counts


def test_a_network_handed_over_has_the_orbits_that_its_family_shows():
    regular = from_links("mine", "mine", 8, np.array(RIGID))
    lied = replace(regular, orbits=ONE(8))
    assert jumpnet.network(lied).metrics() == jumpnet.network(regular).metrics()
    torus = build("torus:4x4")
    assert jumpnet.network(torus).orbits is not None
    assert jumpnet.network(family("torus:4x4").build()).orbits is not None
    assert jumpnet.network(replace(torus, spec="mine", family="mine")).orbits is None


def test_terminals_go_with_the_routers():
    net = build("torus:4")
    ends = np.array([2, 1, 2, 1], np.int32)
    with pytest.raises(JumpnetError, match="router 0 has 2 terminals, router 1, said to be like it, has 1 terminal"):
        replace(net, terminals=ends, sinks=ends)
    uneven = replace(net, terminals=ends, sinks=ends, orbits=Orbits([0, 1], [2, 2]))
    assert "router 0 with 2 terminals goes to router 1 with 1" in why_no_automorphism(uneven, np.array([1, 2, 3, 0]))
    assert held_orbits("mine", uneven, [np.array([2, 3, 0, 1])]) is uneven


@pytest.mark.parametrize(
    ("claims", "line"),
    [
        ({"diameter": 2}, r"claims\(\) says diameter 2, declared has 3"),
        ({"average_distance": 1.5}, r"claims\(\) says average_distance 1.5, declared has 9/5"),
        ({"diametre": 3}, r"claims\(\) names 'diametre', which is no figure"),
        ({"links": 7}, r"declared has links 6, claims\(\) says 7"),
        ({"routers": 6, "degree": 3}, r"declared has degree 2, claims\(\) says 3"),
    ],
)
def test_claims_that_do_not_come_out_are_one_line(claims, line):
    with pytest.raises(JumpnetError, match=line):
        metrics(own(ring(6), claims=claims))
    assert metrics(own(ring(6), claims={"diameter": 3, "average_distance": 1.8, "links": 6})).diameter == 3


def lopsided(net, here, head, out):
    """To the right, but from even sources the short way: sources are not alike."""
    ahead = (head[1] - here) % net.params[0]
    if ahead == 0:
        return 0
    out[0, 0] = 1 if head[0] % 2 == 0 and 2 * ahead > net.params[0] else 0
    out[0, 1] = out[0, 2] = out[0, 3] = 0
    return 1


def test_symmetric_is_not_believed_of_ones_own():
    lying = Routing("own.lopsided", lopsided, symmetric=lambda net: True)
    net = build("torus:8")
    one, every = lying.bind(net), Routing("own.lopsided", lopsided).bind(net)
    assert path_figures(one).counts == path_figures(every).counts
    loads = [channel_loads(bound, pattern("uniform", net)).load for bound in (one, every)]
    assert np.array_equal(*loads)


def test_a_cover_is_held_against_all_pairs():
    dateline = bind("torus.dateline", build("torus:5")).routing
    pairs = [lambda: (np.zeros(4, int), np.arange(1, 5), np.full(4, 5))]
    right = dateline.changed(name="own.covers", cover=lambda net, view: pairs)
    assert (
        path_figures(Routing("own.covers", dateline.relation, 2, cover=right.cover).bind(build("torus:5"))).maximum == 2
    )
    wrong = Routing(
        "own.covers", dateline.relation, 2, cover=lambda net, view: [lambda: tuple(a[:2] for a in pairs[0]())]
    )
    with pytest.raises(JumpnetError, match="cover does not stand for all pairs"):
        path_figures(wrong.bind(build("torus:5")))


def by_the_draw(net, head, draw, queue):
    head[INTERMEDIATE] = draw


def back_to_zero(net, head, draw, queue):
    head[INTERMEDIATE] = 0


def in_two_orders(net, head, draw, queue):
    head[STATE], head[INTERMEDIATE] = 2 * (draw % 2), draw // 2


def straight(net, here, head, out):
    """The short way to the destination."""
    ahead = (head[1] - here) % net.params[0]
    out[0, 0] = 1 if 2 * ahead > net.params[0] else 0
    out[0, 1] = out[0, 3] = 0
    out[0, 2] = head[STATE]
    return 0 if ahead == 0 else 1


def soon_in_the_second(net, here, head, out):
    """Only the first hop goes by the router that was drawn."""
    to = head[1] if head[STATE] == 1 or here == head[INTERMEDIATE] else head[INTERMEDIATE]
    ahead = (to - here) % net.params[0]
    out[0, 0] = 1 if 2 * ahead > net.params[0] else 0
    out[0, 1] = out[0, 3] = 0
    out[0, 2] = 1
    return 0 if ahead == 0 else 1


@pytest.mark.parametrize(
    ("relation", "start", "said", "line"),
    [
        (straight, None, True, "start does not set INTERMEDIATE"),
        (straight, back_to_zero, True, "start sets STATE 0, INTERMEDIATE 0 at draw"),
        (straight, in_two_orders, "some", "start sets STATE 2 at draw .*, 0 or 1 expected"),
        (straight, by_the_draw, True, "candidates in STATE 0 follow from DESTINATION"),
        (soon_in_the_second, by_the_draw, True, "at router .* STATE 1 follows 0, 0 expected"),
    ],
)
def test_two_phases_are_held_against_packets_where_a_proof_rests_on_them(relation, start, said, line, monkeypatch):
    net = build("torus:9")
    lying = Routing("own.phases", relation, start=start, draws=lambda net, options: net.routers, two_phases=said)
    assert not dependencies(lying.bind(net)).phased  # few enough to follow them all
    monkeypatch.setattr(_routing, "MOST_TRIPLES", 0)
    with pytest.raises(JumpnetError, match=line):
        dependencies(lying.bind(net))


def test_orders_of_ones_own_are_not_followed_apart(monkeypatch):
    """Nothing holds them against packets."""
    ours = bind("torus.valiant", build("torus:3x3")).routing
    monkeypatch.setattr(_routing, "MOST_TRIPLES", 0)
    of = [ours.changed(name="own.v", start=by_the_draw, orders=orders).bind(build("torus:3x3")) for orders in (1, 2)]
    assert [bound.two_phases(1) for bound in of] == [True, False]


def test_a_proof_says_which_declaration_it_rests_on(monkeypatch):
    valiant = bind("torus.valiant", build("torus:3x3")).routing
    mine = valiant.changed(name="own.valiant", start=by_the_draw).bind(build("torus:3x3"))
    assert "declares" not in prove(mine).method
    monkeypatch.setattr(_routing, "MOST_TRIPLES", 0)
    assert prove(mine).method.endswith("; two_phases as the routing declares, and not seen of all packets")


def test_a_file_that_imports_one_beside_it_is_told_how(tmp_path):
    folder = tmp_path / "my work"  # what is told can be copied into a shell
    folder.mkdir()
    (folder / "lies_beside.py").write_text("STRIDE = 3\n")
    (folder / "imports.py").write_text("import lies_beside\n")
    with pytest.raises(
        JumpnetError,
        match=r"No module named 'lies_beside', though lies_beside\.py lies beside it; PYTHONPATH='.*/my work' finds it",
    ):
        load(folder / "imports.py")


@pytest.mark.parametrize("module", ["routing", "routing.view", "network", "topolgy"])
def test_a_file_that_imports_a_module_that_is_not_there_is_told_the_nearest(tmp_path, module):
    (tmp_path / "imports.py").write_text(f"from jumpnet.{module} import something\n")
    first = module.split(".")[0]
    meant = {"network": "networks", "topolgy": "topology"}.get(first, "routings")
    with pytest.raises(JumpnetError, match=rf"No module named 'jumpnet\.{first}'.*; did you mean 'jumpnet\.{meant}'\?"):
        load(tmp_path / "imports.py")


def test_three_axes_of_places_are_told_what_is_drawn():
    with pytest.raises(JumpnetError, match=r"position has shape .6, 3.: three axes found, two expected"):
        from_links("mine", "mine", 6, np.array(ring(6)), position=np.zeros((6, 3)))


@pytest.mark.parametrize(
    ("ends", "latency", "words"),
    [
        ([[0, 1.7], [1, 2]], None, "ends is an array of float64"),
        ([[0, 1, 2], [1, 2, 0]], None, r"ends has shape .2, 3., .links, 2. expected"),
        ([[0, 1, 2, 0]], None, r"ends has shape .1, 4."),
        ([[0, 1], [1, 2]], [[1.7, 1], [1, 1]], "latency is an array of float64"),
        ([[0, 1], [1, 2]], [[2**40, 1], [1, 1]], r"latency.0, 0. is 1099511627776"),
        ([[0, 1], [1, 2]], [[1, 1]], r"latency has shape .1, 2., .2, 2. expected"),
    ],
)
def test_links_are_neither_rounded_nor_cut_anew(ends, latency, words):
    with pytest.raises(JumpnetError, match=words):
        from_links("mine", "mine", 3, np.array(ends), latency=None if latency is None else np.array(latency))


def test_links_and_their_cycles_may_be_lists():
    assert from_links("mine", "mine", 2, [[0, 1]], latency=[[3, 4]]).latency.tolist() == [[3], [4]]
    assert from_links("mine", "mine", 2, []).neighbor.shape == (2, 0)


def test_a_declared_bisection_width_is_said_to_be_one():
    class Wide(type(family("torus:4"))):
        """A torus with a width of its own."""

        name = "wide"

        def bisection_width(self):
            return 8, "an example"

    assert Wide((4, 4)).bisection_width() == (8, "declared by family wide, not shown here: an example")
