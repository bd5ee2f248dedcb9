"""Every shipped routing is proved free of deadlock at several sizes, and without its extra channels shown not to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from jumpnet.analysis.deadlock.prove import prove
from jumpnet.analysis.routes.paths import path_figures, route
from jumpnet.errors import JumpnetError
from jumpnet.routings import DESTINATION, IN_PORT, SOURCE, Routing, bind, default_routing, routings
from jumpnet.routings.classes import put_class
from jumpnet.routings.view import MAX_CANDIDATES
from jumpnet.sim.simulate import simulate
from jumpnet.topology import build, families

FREE = {
    "torus.dateline": ["torus:5", "torus:4x4", "torus:4x3x2", "torus:8x8x8"],
    "torus.booksim": ["torus:8x8", "torus:5x4", "torus:3x4x2", "torus:2x2x2,double=true", "torus:4x2,double=true"],
    "torus.balanced_booksim": ["torus:6x6", "torus:5x4", "torus:2x2x2,double=true"],
    "torus.noninterfering": ["torus:4x4", "torus:5x3", "torus:2x2x2,double=true"],
    "torus.bubble": ["torus:5", "torus:4x4", "torus:4x3x2", "torus:8x8x8"],
    "torus.bubble_adaptive": ["torus:5", "torus:4x4", "torus:4x3x2"],
    "torus.duato": ["torus:6x6", "torus:4x3x2"],
    "torus.min_adapt_booksim": ["torus:6x6", "torus:5x4", "torus:4x3x2"],
    "torus.min_adapt_booksim:asks=beside": ["torus:6x6", "torus:4x3x2"],
    "torus.valiant": ["torus:5x5", "torus:6"],
    "torus.romm": ["torus:5x4", "torus:8"],
    "torus.ugal": ["torus:5x4"],
    "mesh.dimension_order": ["mesh:8x8", "mesh:4x3x3"],
    "mesh.west_first": ["mesh:7x6"],
    "mesh.north_last": ["mesh:6x7"],
    "mesh.negative_first": ["mesh:6x6", "mesh:3x3x4"],
    "mesh.odd_even": ["mesh:7x6", "mesh:6x7"],
    "mesh.duato": ["mesh:6x6", "mesh:3x3x3"],
    "mesh.min_adapt_booksim": ["mesh:6x6", "mesh:3x3x3"],
    "mesh.min_adapt_booksim:asks=beside": ["mesh:5x4"],
    "mesh.planar_adaptive": ["mesh:6x6", "mesh:3x3x3", "mesh:3x2x2x2", "mesh:7"],
    "mesh.planar_adapt_booksim": ["mesh:6x6", "mesh:3x3x3"],
    "mesh.valiant": ["mesh:5x4"],
    "mesh.romm": ["mesh:5x4", "mesh:3x3x2", "mesh:7"],
    "mesh.ugal": ["mesh:5x4", "mesh:3x2x2"],
    "mesh.o1turn": ["mesh:5x4", "mesh:3x3x2", "cmesh:3x3,c=4,express=false"],
    "mesh.o1turn_adaptive": ["mesh:5x4", "mesh:3x3x2"],
    "mesh.romm_booksim": ["mesh:5x4", "mesh:3x3x2"],
    "mesh.o1turn_booksim": ["mesh:5x4", "cmesh:3x3,c=4,express=false"],
    "mesh.o1turn_adaptive_booksim": ["mesh:5x4"],
    "cmesh.express": ["cmesh:4x4", "cmesh:8x6,c=2", "cmesh:2x2"],
    "cmesh.express_o1turn_booksim": ["cmesh:4x4", "cmesh:2x4,c=2"],
    "hypercube.ecube": ["hypercube:3", "hypercube:8"],
    "hypercube.duato": ["hypercube:2", "hypercube:5"],
    "hypercube.valiant": ["hypercube:4"],
    "hypercube.ugal": ["hypercube:2", "hypercube:4"],
    "debruijn.shift": ["debruijn:2,n=6", "debruijn:3,n=3", "debruijn:2,n=5,directed=true"],
    "kautz.shift": ["kautz:2,n=5", "kautz:3,n=3", "kautz:2,n=4,directed=true"],
    "star.sort": ["star:3", "star:4", "star:5"],
    "ccc.ecube": ["ccc:3", "ccc:4", "ccc:6"],
    "fly.destination_tag": ["fly:2,n=4", "fly:3,n=3"],
    "fattree.nca": ["fattree:2,n=4", "fattree:4,n=3"],
    "fattree.nca:up=random": ["fattree:2,n=4"],
    "fattree.nca:up=destination": ["fattree:3,n=3"],
    "fattree.anca_booksim": ["fattree:2,n=4", "fattree:4,n=3"],
    "clos.nca": ["clos:4,4,8"],
    "clos.nca:up=random": ["clos:4,4,8"],
    "clos.nca:up=destination": ["clos:3,2,5"],
    "threetier.nca": ["threetier:4", "threetier:4,aggregation=1,core=1", "threetier:3,core=2"],
    "threetier.nca:up=first": ["threetier:4", "threetier:3,core=2"],
    "hyperx.dimension_order": ["hyperx:4x4x4", "flatfly:4"],
    "hyperx.adaptive": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.valiant": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.ugal": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.valiant_booksim": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.ugal_booksim": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.o1turn_booksim": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.o1turn_adaptive_booksim": ["hyperx:4x3", "flatfly:3,n=3"],
    "hyperx.ugal_o1turn_booksim": ["hyperx:4x3"],
    "dragonfly.minimal": ["dragonfly:2", "dragonfly:2,arrangement=palmtree", "dragonfly:2,p=1,a=3,g=4"],
    "dragonfly.booksim": ["dragonfly:2", "dragonfly:2,arrangement=palmtree", "dragonfly:2,p=1,a=3,g=4"],
    "dragonfly.valiant": ["dragonfly:2", "dragonfly:2,arrangement=palmtree"],
    "dragonfly.ugal": ["dragonfly:2", "dragonfly:2,p=1,a=3,g=4"],
    "dragonfly.ugal_g": ["dragonfly:2", "dragonfly:2,arrangement=palmtree", "dragonfly:2,p=1,a=3,g=4"],
    "dragonfly.par": ["dragonfly:2", "dragonfly:2,arrangement=palmtree", "dragonfly:2,p=1,a=3,g=4"],
    "up_down": ["torus:5x5", "random:30,d=4,seed=3", "slimfly:5", "rdt:16"],
    "up_down:ports=all,root=first": ["random:30,d=4,seed=3"],
    "prdt.vector": ["prdt:16"],
    "rdt.chip": ["rdt:4", "rdt:16", "prdt:8"],
    "rdt.deadlock_free": ["rdt:16", "rdt:32", "prdt:16"],
    "rdt.deadlock_free:moves=x": ["rdt:16"],
    "rdt.duato": ["rdt:16"],
    "rdt.turn_model": ["rdt:16"],
    "file.booksim": ["file:example.anynet", "file:example.edgelist"],
    "dfsssp": ["torus:6x6", "random:30,d=4,seed=3", "debruijn:2,n=5,directed=true", "rdt:8", "fattree:2,n=3"],
    "rdt.partitioned:layers=least": ["rdt:8", "rdt:16"],
    "rdt.partitioned:order=descending,ties=zero,layers=least": ["rdt:8"],
    "srt.hierarchical:layers=least": ["srt1d:64", "srt2d:8,variant=ls", "srt2d:16,shift=uniform"],
    "srt.minimal_table:layers=least": ["srt1d:64", "srt2d:8,variant=ss", "srt2d:16,shift=5"],
    "rdn.recursive": ["rdn:3,k=1", "rdn:3,k=2", "rdn:5,k=1", "rdn:3x3,k=1", "rdn:4,k=1,base=complete"],
    "lash": ["torus:6x6", "random:30,d=4,seed=3", "debruijn:2,n=5,directed=true", "rdt:16"],
    "lash:paths=balanced": ["torus:6x6", "random:30,d=4,seed=3", "debruijn:2,n=5,directed=true", "slimfly:5"],
    "nue": ["torus:6x6", "random:30,d=4,seed=3", "rdt:16", "fattree:2,n=3"],
}  # fmt: skip

DEADLOCKS = [
    ("torus.dimension_order", "torus:5x5", 1),
    ("torus.dimension_order", "torus:4x4", 3),
    ("torus.dateline", "torus:6x6", 1),
    ("torus.booksim", "torus:6x6", 1),
    ("torus.booksim:middle=shared", "torus:6x6", 1),
    ("torus.balanced_booksim", "torus:6x6", 1),
    ("torus.balanced_booksim:middle=shared", "torus:4x4", 1),
    ("torus.noninterfering", "torus:6x6", 1),
    ("torus.valiant", "torus:5x5", 1),
    ("torus.valiant", "torus:5x5", 2),
    ("torus.romm", "torus:6x6", 1),
    ("torus.ugal", "torus:5x5", 1),
    ("torus.duato", "torus:6x6", 1),
    ("torus.min_adapt_booksim", "torus:6x6", 1),
    ("mesh.valiant_booksim", "mesh:4x4", 2),
    ("mesh.valiant_booksim", "mesh:2", 4),
    ("torus.valiant_booksim", "torus:4x4", 4),
    ("torus.valiant_booksim", "torus:3x3", 8),
    ("torus.valiant_booksim", "torus:4x4", 5),
    ("torus.valiant_booksim", "torus:2x2,double=true", 4),
    ("mesh.duato", "mesh:4x4", 1),
    ("mesh.planar_adaptive", "mesh:4x4", 1),
    ("cmesh.express_o1turn_booksim", "cmesh:4x4", 1),
    ("mesh.valiant", "mesh:4x4", 1),
    ("mesh.romm", "mesh:4x4", 1),
    ("mesh.ugal", "mesh:4x4", 1),
    ("mesh.o1turn", "mesh:4x4", 1),
    ("mesh.o1turn_adaptive", "mesh:4x4", 1),
    ("mesh.romm_booksim", "mesh:4x4", 1),
    ("mesh.o1turn_booksim", "mesh:4x4", 1),
    ("mesh.o1turn_adaptive_booksim", "mesh:4x4", 1),
    ("torus.booksim:middle=unmarked", "torus:6x6", 1),
    ("hypercube.duato", "hypercube:4", 1),
    ("hypercube.valiant", "hypercube:4", 1),
    ("hypercube.ugal", "hypercube:4", 1),
    ("debruijn.shift", "debruijn:2,n=5", 1),
    ("kautz.shift", "kautz:2,n=5", 1),
    ("star.sort", "star:4", 1),
    ("ccc.ecube", "ccc:4", 1),
    ("ccc.ecube", "ccc:6", 2),
    ("hyperx.adaptive", "hyperx:4x3", 1),
    ("hyperx.valiant", "hyperx:4x3", 1),
    ("hyperx.ugal", "hyperx:4x3", 1),
    ("hyperx.valiant_booksim", "hyperx:4x3", 1),
    ("hyperx.ugal_booksim", "hyperx:4x3", 1),
    ("hyperx.o1turn_booksim", "hyperx:4x3", 1),
    ("hyperx.o1turn_adaptive_booksim", "hyperx:4x3", 1),
    ("hyperx.ugal_o1turn_booksim", "hyperx:4x3", 2),
    ("dragonfly.minimal", "dragonfly:2", 1),
    ("dragonfly.valiant", "dragonfly:2", 2),
    ("dragonfly.ugal", "dragonfly:2", 2),
    ("dragonfly.ugal_booksim", "dragonfly:1", 3),
    ("dragonfly.booksim", "dragonfly:2", 1),
    ("dragonfly.ugal_g", "dragonfly:2", 2),
    ("dragonfly.par", "dragonfly:2", 3),
    ("minimal", "torus:5", 1),
    ("minimal:ports=all", "mesh:4x4", 1),
    ("lash", "torus:6x6", 1),
    ("lash:paths=balanced", "torus:6x6", 1),
    ("dfsssp", "torus:6x6", 1),
    ("dfsssp", "torus:5", 1),
    ("prdt.vector", "prdt:16", 1),
    ("rdt.chip", "rdt:16", 1),
    ("rdt.deadlock_free", "rdt:16", 1),
    ("rdt.deadlock_free", "rdt:16", 2),
    ("rdt.deadlock_free:moves=x", "rdt:16", 2),
    ("rdt.duato", "rdt:16", 2),
    ("rdt.fixed", "rdt:16", 1),
    ("rdt.floating", "rdt:16", 1),
    ("rdt.partitioned", "rdt:16", 1),
    ("srt.hierarchical", "srt1d:32", 1),
    ("srt.minimal_table", "srt1d:32", 1),
    ("rdt.partitioned:layers=least", "rdt:8", 1),
    ("srt.hierarchical:layers=least", "srt1d:32", 1),
    ("srt.minimal_table:layers=least", "srt2d:8", 1),
    ("rdt.fault_tolerant", "rdt:16", 1),
    ("rdn.recursive", "rdn:3,k=1", 1),
    ("rdn.recursive", "rdn:3,k=2", 2),
    ("rdn.recursive", "rdn:5,k=1", 2),
]


@pytest.mark.parametrize(("name", "spec"), [(n, s) for n, specs in FREE.items() for s in specs])
def test_free_of_deadlock(name, spec):
    bound = bind(name, build(spec))
    proof = prove(bound)
    assert proof.deadlock_free
    assert proof.certificate_checked
    assert proof.cycle is None
    assert bound.vcs == bound.needed


@pytest.mark.parametrize(("name", "spec", "vcs"), DEADLOCKS)
def test_deadlocks_without_its_channels(name, spec, vcs):
    net = build(spec)
    proof = prove(bind(name, net, vcs))
    assert proof.verdict == "deadlock"
    assert proof.certificate is None
    if proof.escape_channels is None:
        for hop, after in zip(proof.cycle, proof.cycle[1:] + proof.cycle[:1], strict=True):
            assert net.neighbor[hop.router, hop.port] == hop.to == after.router


def test_every_registered_routing_is_in_one_of_the_lists():
    listed = {name.split(":")[0] for name in FREE} | {name.split(":")[0] for name, _, _ in DEADLOCKS}
    ours = ("jumpnet.routings.", "jumpnet.chip.")
    shipped = {name for name, known in routings().items() if known.relation.__module__.startswith(ours)}
    assert shipped == listed


@pytest.mark.parametrize("vcs", [3, 4, 5])
def test_more_channels_than_needed_stay_free(vcs):
    for name, spec in [
        ("torus.dateline", "torus:5x4"),
        ("mesh.duato", "mesh:4x4"),
        ("dragonfly.minimal", "dragonfly:1"),
    ]:
        assert prove(bind(name, build(spec), vcs)).deadlock_free


def test_a_smaller_ring_is_a_shorter_cycle():
    for k in (4, 5, 7, 9):
        assert len(prove(bind("torus.dimension_order", build(f"torus:{k}x12"))).cycle) == k


def test_duato_needs_the_escape_channels_apart():
    assert prove(bind("torus.duato", build("torus:6x6"), 3)).method.startswith("Duato's condition: acyclic")
    assert not prove(bind("torus.duato", build("torus:6x6"), 2)).deadlock_free


@pytest.mark.parametrize("vcs", [3, 5])
def test_halves_that_share_a_channel_are_free_by_the_outermost_ones(vcs):
    """As BookSim 2 has them; with an even number of channels nothing is shared, and no escape needed."""
    for name, spec in [
        ("torus.booksim:middle=shared", "torus:5x4"),
        ("torus.booksim:middle=shared", "torus:6"),
        ("mesh.romm_booksim", "mesh:4x3"),
        ("mesh.o1turn_booksim", "mesh:4x4"),
        ("mesh.o1turn_booksim", "mesh:3x2x2"),
        ("mesh.o1turn_adaptive_booksim", "mesh:3x3"),
        ("hyperx.valiant_booksim", "hyperx:4x3"),
        ("hyperx.ugal_booksim", "hyperx:4x3"),
        ("hyperx.o1turn_booksim", "hyperx:4x3"),
        ("cmesh.express_o1turn_booksim", "cmesh:4x4"),
        ("torus.balanced_booksim:middle=shared", "torus:5x4"),
    ]:
        proof = prove(bind(name, build(spec), vcs))
        assert proof.deadlock_free and proof.method.startswith("Duato's condition: acyclic"), name
        even = prove(bind(name, build(spec), vcs + 1))
        assert even.deadlock_free and even.method == "acyclic channel dependency graph", name


def test_quarters_of_channels_are_free_where_none_is_left_over_or_by_the_outermost_ones():
    """UGAL in drawn orders as BookSim 2 has it: with odd numbers orders share a channel too, and it stays open."""
    net = build("hyperx:3x3")
    said = {vcs: prove(bind("hyperx.ugal_o1turn_booksim", net, vcs)) for vcs in (4, 5, 6, 8)}
    assert [proof.verdict for proof in said.values()] == ["free", "unproved", "free", "free"]
    assert said[4].method == said[8].method == "acyclic channel dependency graph"
    assert said[6].method.startswith("Duato's condition: acyclic")


def test_default_routing_of_every_family_is_free_of_deadlock():
    for name, family in families().items():
        if name == "file":
            continue
        net = build(family.samples[0])
        routing = default_routing(net)
        if net.routers > 300:
            continue
        assert prove(bind(routing, net)).deadlock_free, (name, routing)


@pytest.mark.parametrize("spec", ["srt1d:32", "srt2d:8", "rdn:3,k=2", "rdn:3x3,k=1"])
def test_recursive_networks_have_a_free_routing(spec):
    assert prove(bind("lash", build(spec))).deadlock_free


def turns_back(net, here, head, out):
    """One hop up, then down, then up again."""
    if here == head[DESTINATION]:
        return 0
    out[0, 0] = 0 if head[IN_PORT] != 1 else 1
    out[0, 1] = 0
    out[0, 2] = 0
    out[0, 3] = 0
    return 1


def stops_early(net, here, head, out):
    """Believes to have arrived after a hop."""
    if here != head[SOURCE]:
        return 0
    out[0, 0] = 0
    out[0, 1] = 0
    out[0, 2] = 0
    out[0, 3] = 0
    return 1


def astray(net, here, head, out):
    """Takes a virtual channel that there is not."""
    if here == head[DESTINATION]:
        return 0
    out[0, 0] = 0
    out[0, 1] = 7
    out[0, 2] = 0
    out[0, 3] = 0
    return 1


def gives_up(net, here, head, out):
    """Knows no way."""
    return -1 if here != head[DESTINATION] else 0


@pytest.mark.parametrize(
    ("relation", "said"),
    [
        (stops_early, "packet from 4 to 1, IN_PORT 1: "),
        (astray, "candidate 0 names virtual channel 7, which is not there: 0 alone (vcs=1) expected"),
        (gives_up, "has no route: -1 returned"),
        (turns_back, "goes round"),
    ],
)
def test_a_routing_that_does_not_deliver_is_named_with_the_pair(relation, said):
    with pytest.raises(JumpnetError) as caught:
        prove(Routing("test.wrong", relation).bind(build("torus:5")))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "spec"), [("rdt.partitioned", "rdt:8"), ("srt.hierarchical", "srt2d:8"), ("srt.minimal_table", "srt2d:8")]
)
def test_layers_change_no_path_and_each_pair_keeps_to_one(name, spec):
    net = build(spec)
    plain, layered = bind(name, net), bind(f"{name}:layers=least", net)
    for source in range(0, net.routers, 7):
        for destination in range(net.routers):
            hops, own = route(plain, source, destination), route(layered, source, destination)
            assert [(hop.router, hop.port) for hop in hops] == [(hop.router, hop.port) for hop in own]
            assert len({hop.vc for hop in own}) <= 1
    assert path_figures(plain) == replace(path_figures(layered), routing=name)


@pytest.mark.parametrize("vcs", [1.5, "2", True])
def test_channels_are_a_whole_number(vcs):
    with pytest.raises(JumpnetError, match=r"^bind: vcs .* found, a whole number or None expected$"):
        bind("torus.dateline", build("torus:4x4"), vcs)


def test_candidates_beyond_the_last_row_are_counted_and_not_written():
    out = np.full((MAX_CANDIDATES + 8, 4), -1)
    assert put_class(out, MAX_CANDIDATES - 1, 3, 0, 1, 5, 0, 0) == MAX_CANDIDATES + 4
    assert (out[MAX_CANDIDATES - 1] == [3, 0, 0, 0]).all() and (out[MAX_CANDIDATES:] == -1).all()


def test_no_more_channels_than_candidates_have_rows():
    with pytest.raises(JumpnetError, match="65 virtual channels found, at most 64 expected"):
        bind("torus.dateline", build("torus:4x4"), 65)
    with pytest.raises(JumpnetError, match=r"offers too many ways: .* more than 128 candidates"):
        prove(bind("hypercube.duato", build("hypercube:5"), 64))


def too_few(net, here):
    """A relation that forgot the header and the candidates."""
    return 0


def test_a_relation_takes_four_arguments():
    routing = Routing(name="x.few", relation=too_few)
    with pytest.raises(JumpnetError, match=r"^routing x.few: too_few\(net, here\) found, \(net, here, head, out\) exp"):
        prove(routing.bind(build("torus:3")))


def test_detours_are_bounded_by_the_dimensions():
    proof = prove(bind("hyperx.adaptive", build("hyperx:3x3")))
    assert proof.deadlock_free and not proof.may_circle


def test_more_ways_up_than_may_be_written_are_refused_before_a_packet_goes() -> None:
    for spec, name, vcs in (("clos:m=129,n=1,r=2", "clos.nca", 1), ("fattree:65", "fattree.nca", 2)):
        line = (
            r"ways up on .* found, at most 128 candidates expected: up=adaptive does not exist there, to be proved or"
        )
        with pytest.raises(JumpnetError, match=line):
            prove(bind(name, build(spec), vcs))
        with pytest.raises(JumpnetError, match=line):
            simulate(build(spec), name, load=0.1, vcs=vcs)
        assert prove(bind(f"{name}:up=destination", build(spec), vcs)).verdict == "free"
    assert prove(bind("clos.nca", build("clos:m=64,n=1,r=2"), 2)).verdict == "free"
    assert prove(bind("fattree.nca", build("fattree:200,n=1"))).verdict == "free"
