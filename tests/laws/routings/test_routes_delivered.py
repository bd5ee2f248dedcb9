"""Every RDT, SRT and RDN routing delivers between all pairs, at several sizes, and never below the distance."""

from __future__ import annotations

import linecache
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from jumpnet.analysis.routes.follow import lengths
from jumpnet.analysis.routes.paths import adaptive_figures, path_figures, route
from jumpnet.errors import JumpnetError
from jumpnet.jit.decorator import DISABLED
from jumpnet.networks import from_links
from jumpnet.routings import bind, routing
from jumpnet.routings.follow import calls_of
from jumpnet.routings.rdn.recursive import recursive_over
from jumpnet.routings.rdt.partitioned import inside
from jumpnet.routings.view import new_head, new_out
from jumpnet.topology import build

MIXED = "rdt:16,R=2,m=2,assignment=1+2.0.1.2.0.1+2.2.1"
NO_RANK_1 = "rdt:16,R=2,assignment=2.0.2.0.2.0.2.0"
DELIVER = {
    "rdt.floating": ["rdt:4", "rdt:8", "rdt:16", "rdt:24", "rdt:32", "rdt:16,assignment=none", MIXED, NO_RANK_1],
    "rdt.floating:ties=away,order=ascending,moves=near": ["rdt:16", "rdt:32"],
    "rdt.fixed": ["rdt:8", "rdt:16", "rdt:32", MIXED],
    "rdt.fixed:order=best,moves=compass": ["rdt:16", "rdt:32"],
    "rdt.fixed:moves=plain,ties=up": ["rdt:16"],
    "rdt.deadlock_free": ["rdt:4", "rdt:8", "rdt:16", "rdt:24", "rdt:16,assignment=none", "prdt:16"],
    "rdt.deadlock_free:moves=x": ["rdt:16", "rdt:32"],
    "rdt.partitioned": ["rdt:4", "rdt:8", "rdt:16", "rdt:24", "rdt:16,assignment=none", MIXED],
    "rdt.partitioned:order=descending,ties=zero": ["rdt:16"],
    "rdt.partitioned:levels=one": ["rdt:16", "rdt:24"],
    "rdt.duato": ["rdt:8", "rdt:16", "prdt:8"],
    "rdt.turn_model": ["rdt:8", "rdt:16", "prdt:8"],
    "prdt.vector": ["prdt:8", "prdt:32,R=3", "prdt:18,n=3,R=2", "prdt:12,R=1"],
    "prdt.vector:ties=away": ["prdt:16"],
    "prdt.vector:ties=best": ["prdt:10,n=3", "prdt:12", "prdt:20", "prdt:14,n=5"],
    "srt.hierarchical": ["srt1d:8", "srt1d:64,variant=ss", "srt2d:8,variant=ls", "srt2d:16,shift=uniform"],
    "srt.minimal_table": ["srt1d:32,variant=ls", "srt2d:8,variant=ss", "srt2d:16,shift=5"],
    "rdn.recursive": ["rdn:3,k=0", "rdn:3,k=2", "rdn:5x5,k=1", "rdn:3,k=1,base=hypercube", "rdn:4,k=1,base=complete"],
}  # fmt: skip


@pytest.mark.parametrize(("name", "spec"), [(n, s) for n, specs in DELIVER.items() for s in specs])
def test_delivers(name, spec):
    net = build(spec)
    found = path_figures(bind(name, net))
    assert found.pairs == net.routers * (net.routers - 1) and found.counts[0] == 0
    assert found.average >= found.shortest_average
    if name in ("srt.minimal_table", "prdt.vector", "rdn.recursive"):
        assert found.average == found.shortest_average


def test_partitioned_routes_stay_inside():
    net = build("rdt:16")
    bound = bind("rdt.partitioned", net)
    for source in range(0, 256, 3):
        for destination in range(256):
            for side in (4, 8):
                corner = net.coord[source] // side
                if source != destination and (net.coord[destination] // side == corner).all():
                    passed = [hop.router for hop in route(bound, source, destination)]
                    assert (net.coord[passed] // side == corner).all()


@pytest.mark.parametrize("spec", ["rdt:8", "rdt:16", "rdt:24", "rdt:32", "rdt:16,assignment=none", MIXED])
def test_representative_pairs_stand_for_all(spec):
    net = build(spec)
    bound = bind("rdt.partitioned", net)
    source, destination = (g.reshape(-1) for g in np.meshgrid(np.arange(net.routers), np.arange(net.routers)))
    apart = source != destination
    pairs = source[apart], destination[apart], np.ones(apart.sum(), np.int64)
    counts, failed = np.zeros(64, np.int64), np.zeros(4, np.int64)
    lengths(calls_of(bound), 1, *pairs, 64, counts, failed)
    found = path_figures(bound).counts
    assert list(counts[: len(found)]) == list(found) and counts.sum() == net.routers * (net.routers - 1)


def test_alike_pairs_have_one_length():
    """Each representative of a partition stands for disjoint sources, as many as there are pairs."""
    net = build("rdt:16")
    bound = bind("rdt.partitioned", net)
    assert bound.routing.cover is not None
    covered = 0
    for chunk in bound.routing.cover(net, bound.view):
        source, destination, weight = chunk()
        assert (source != destination).all() and (weight > 0).all()
        covered += weight.sum()
    assert covered == 256 * 255


@pytest.mark.parametrize("levels", ["all", "one"])
def test_figures_of_one_partition_are_those_of_all_its_pairs(levels):
    """`inside` against every pair of one partition, followed one by one; routes of one level stay in it."""
    net = build("rdt:16")
    bound = bind(f"rdt.partitioned:levels={levels}", net)
    corner = [y * 16 + x for y in range(8, 16) for x in range(8)]
    hops = [route(bound, s, d) for s in corner for d in corner if s != d]
    assert all((net.coord[[h.router for h in way]] // 8 == [0, 1]).all() for way in hops)
    found = path_figures(bound, pairs=inside(net, bound.view))
    assert found.pairs == 4 * 64 * 63 and found.maximum == max(map(len, hops))
    assert found.average == Fraction(sum(map(len, hops)), len(hops))


@pytest.mark.parametrize("name", ["rdt.duato", "rdt.turn_model"])
def test_adaptive_routes_end(name):
    bound = bind(name, build("rdt:8"))
    found = adaptive_figures(bound)
    assert found.longest >= path_figures(bound).maximum
    assert float(found.longest_average) + 1e-9 >= found.expected_average > 1


def test_algorithm_1_over_another_base_routing():
    base = build("torus:5x5")
    found = path_figures(bind(recursive_over(bind("torus.dimension_order", base)), build("rdn:5x5,k=1")))
    assert found.maximum == 2 * 4 + 2
    with pytest.raises(JumpnetError, match="start hook"):
        recursive_over(bind("torus.valiant", base))


@pytest.mark.parametrize(
    ("name", "spec", "message"),
    [
        ("rdt.floating", "torus:8x8", "it needs a network of family rdt or prdt"),
        ("prdt.vector", "rdt:8", "it needs a network of family prdt"),
        ("rdt.deadlock_free", NO_RANK_1.replace("2.0.2.0.2.0.2.0", "1.0.0.0.0.0.0.0"), "such as alpha"),
        ("srt.hierarchical", "torus:8", "srt1d or srt2d"),
        ("rdn.recursive", "torus:8", "family rdn"),
        ("rdt.floating:order=bset", "rdt:8", "did you mean 'best'"),
        ("torus.dateline:order=best", "torus:4x4", "it has no settings"),
        ("torus.dateline:vcs=3", "torus:4x4", "setting 'vcs' of torus.dateline found"),
        ("minimal:self=3", "torus:4x4", "unknown setting of minimal 'self'"),
    ],
)
def test_misfits_say_what_is_needed(name, spec, message):
    with pytest.raises(JumpnetError, match=message):
        bind(name, build(spec))


@pytest.mark.parametrize(("middles", "vcs", "candidates"), [(127, 1, 127), (128, 1, 128), (129, 1, 128), (43, 3, 126)])
def test_as_many_shortest_ways_as_there_are_rows(middles, vcs, candidates):
    """Two routers joined by many others: each is one port, all virtual channels of a port are candidates or none."""
    middle = np.arange(2, 2 + middles)
    ends = [np.stack([np.full(middles, hub), middle], axis=1) for hub in (0, 1)]
    bound = bind("minimal:ports=all", from_links("hubs", "drawn", 2 + middles, np.concatenate(ends)), vcs)
    out = new_out()
    assert bound.routing.relation(bound.view, 0, new_head(0, 1), out) == candidates
    assert [tuple(row) for row in out[:candidates, :2].tolist()] == [divmod(k, vcs) for k in range(candidates)]


def test_loop_is_shown():
    @routing("test.loop", summary="never leaves x", source="a test")
    def loop(net, here, head, out):
        out[0, 0] = out[0, 1] = out[0, 2] = out[0, 3] = 0
        return 1 if here != head[1] else 0

    with pytest.raises(JumpnetError, match=r"from router 0 to 4: it loops through routers \d -> ") as caught:
        path_figures(bind("test.loop", build("torus:4x4")))
    assert "\n" not in str(caught.value)


def _cell(text: str, name: str) -> None:
    """Run a notebook's cell: source that lies in no file, known to `inspect` by a name of its own."""
    linecache.cache[name] = (len(text), None, [line + "\n" for line in text.splitlines()], name)
    exec(compile(text, name, "exec"), {"routing": routing, "__name__": "__main__"})


def test_a_routing_of_a_notebook_runs_and_its_faults_name_their_line():
    head = "@routing({!r}, summary='', source='')\ndef relation(net, here, head, out):\n"
    head += "    if here == head[1]:\n        return 0\n"
    hop = (
        "    out[0, 0] = 0 if here % 4 != head[1] % 4 else 2\n    out[0, 1] = out[0, 2] = out[0, 3] = 0\n    return 1\n"
    )
    _cell(head.format("test.cell") + hop, "<ipython-input-1-a>")
    _cell(head.format("test.cell_bad") + "    return 'a' + here\n", "<ipython-input-2-b>")
    _cell(head.format("test.cell_field") + "    return head[8]\n", "<ipython-input-3-c>")
    net = build("torus:4x4")
    assert path_figures(bind("test.cell", net)).maximum == 6
    with pytest.raises(JumpnetError, match="<ipython-input-3-c>:5: header field 8 found, 0 to 5 expected"):
        route(bind("test.cell_field", net), 0, 5)
    if not DISABLED:
        with pytest.raises(JumpnetError, match="does not compile: <ipython-input-2-b>:5: ") as caught:
            route(bind("test.cell_bad", net), 0, 5)
        assert "\n" not in str(caught.value)


def test_compile_error_names_the_line():
    @routing("test.bad", summary="adds words to numbers", source="a test")
    def bad(net, here, head, out):
        if here == head[1]:
            return 0
        return "hello" + here  # the line that is wrong

    source = Path(__file__).read_text(encoding="utf-8").splitlines()
    line = next(k for k, text in enumerate(source, 1) if text.endswith("# the line that is wrong"))
    bound = bind("test.bad", build("torus:4x4"))
    if DISABLED:
        pytest.skip("nothing is compiled")
    with pytest.raises(JumpnetError, match=rf"test_routes_delivered\.py:{line}: ") as caught:
        path_figures(bound)
    assert "\n" not in str(caught.value)


def test_header_field_out_of_range():
    @routing("test.field", summary="reads a field that is not there", source="a test")
    def field(net, here, head, out):
        return head[9]

    with pytest.raises(JumpnetError, match="header field 9 found, 0 to 5 expected"):
        path_figures(bind("test.field", build("torus:4x4")))
