"""What defines the modern and indirect families, beyond the laws that every family obeys."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from jumpnet.errors import JumpnetError
from jumpnet.networks import Network
from jumpnet.terms import NO_ROUTER
from jumpnet.topology import build, family
from jumpnet.topology._field import field, prime_power


def distances(net: Network, source: int) -> np.ndarray:
    """Distances from one router by a plain breadth-first search; -1 where there is no way."""
    found = np.full(net.routers, -1)
    found[source] = 0
    queue = [source]
    for here in queue:
        for there in net.neighbor[here].tolist():
            if there != NO_ROUTER and found[there] < 0:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def diameter(net: Network) -> int:
    every = [distances(net, r) for r in range(net.routers)]
    assert min(d.min() for d in every) >= 0
    return max(int(d.max()) for d in every)


@pytest.mark.parametrize("q", [3, 4, 5, 7, 8, 9, 11, 13])
def test_slim_fly_has_diameter_two_and_its_degree(q: int) -> None:
    net = build(f"slimfly:{q}")
    net.check()
    delta = {0: 0, 1: 1, 3: -1}[q % 4]
    assert net.routers == 2 * q * q
    assert set(net.degrees.tolist()) == {(3 * q - delta) // 2}
    assert all(len(set(row)) == len(row) for row in net.neighbor.tolist())
    # One router of each type is enough: translations carry it into all others of its type.
    assert max(distances(net, 0).max(), distances(net, q * q).max()) == 2


@pytest.mark.parametrize("q", [2, 3, 4, 8, 9, 25, 27])
def test_tables_are_those_of_a_field(q: int) -> None:
    f = field(q)
    some = np.unique(np.linspace(0, q - 1, 9).astype(int))
    assert sorted(f.power.tolist()) == list(range(1, q))
    assert (f.add == f.add.T).all() and (f.mul == f.mul.T).all()
    assert (f.add[np.arange(q), f.neg] == 0).all() and (f.mul[1] == np.arange(q)).all()
    for a in some:
        for b in some:
            assert (f.mul[a, f.add[b]] == f.add[f.mul[a, b], f.mul[a]]).all()
            assert (f.mul[f.mul[a, b]] == f.mul[a, f.mul[b]]).all()
            assert (f.add[f.add[a, b]] == f.add[a, f.add[b]]).all()


def test_prime_powers() -> None:
    assert [q for q in range(2, 33) if prime_power(q)] == [
        2, 3, 4, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29, 31, 32,
    ]  # fmt: skip


@pytest.mark.parametrize("arrangement", ["absolute", "palmtree"])
@pytest.mark.parametrize("sizes", ["1", "2", "3", "2,a=3,p=1"])
def test_dragonfly_has_diameter_three_and_one_link_for_each_pair_of_groups(sizes: str, arrangement: str) -> None:
    net = build(f"dragonfly:{sizes},arrangement={arrangement}")
    net.check()
    assert diameter(net) == 3
    group = net.coord[:, 0]
    rows, cols = np.nonzero(net.link_class == 1)
    pairs = np.stack([group[rows], group[net.neighbor[rows, cols]]], axis=1)
    groups = int(group.max()) + 1
    assert len(pairs) == len(np.unique(pairs, axis=0)) == groups * (groups - 1)


def test_dragonfly_with_fewer_groups_has_equally_many_links_for_each_pair() -> None:
    net = build("dragonfly:3,g=5")
    net.check()
    group = net.coord[:, 0]
    rows, cols = np.nonzero(net.link_class == 1)
    pairs = group[rows] * 5 + group[net.neighbor[rows, cols]]
    counts = np.bincount(pairs, minlength=25).reshape(5, 5)
    assert (counts == 4 * (1 - np.eye(5))).all()


def test_dragonfly_absolute_wires_as_booksim_numbers_it() -> None:
    """BookSim: port p + a - 1 + j of router r of group i is global output r h + j, which leads to group k or k + 1."""
    net = build("dragonfly:2")
    for router in range(net.routers):
        i, r = divmod(router, 4)
        for j in range(2):
            k = 2 * r + j
            assert net.neighbor[router, 3 + j] // 4 == (k if k < i else k + 1)


@pytest.mark.parametrize("spec", ["fattree:4,n=3", "fattree:2,n=4", "fattree:3,n=2"])
def test_fat_tree_levels_and_ways_down(spec: str) -> None:
    net = build(spec)
    k, n = net.params.tolist()
    level = net.coord[:, 0]
    per_level = k ** (n - 1)
    assert np.bincount(level).tolist() == [per_level] * n
    assert net.endpoints == k**n and set(np.flatnonzero(net.terminals)) == set(np.flatnonzero(level == n - 1))
    up = (net.neighbor[:, k:] != NO_ROUTER).sum(axis=1)
    down = (net.neighbor[:, :k] != NO_ROUTER).sum(axis=1)
    assert (up == np.where(level == 0, 0, k)).all() and (down == np.where(level == n - 1, 0, k)).all()
    # From every top switch one way down to every lowest switch: the product of the downward steps counts them.
    ways = np.zeros((net.routers, net.routers), np.int64)
    for router in range(net.routers):
        for below in net.neighbor[router, :k]:
            if below != NO_ROUTER:
                ways[router, below] += 1
    down_all = np.linalg.matrix_power(ways, n - 1)
    assert (down_all[:per_level, -per_level:] == 1).all()


@pytest.mark.parametrize("spec", ["fly:2,n=3", "fly:3,n=3", "fly:4,n=2", "fly:5,n=1"])
def test_fly_has_exactly_one_way_of_n_routers_from_every_terminal_to_every_sink(spec: str) -> None:
    net = build(spec)
    net.check()
    k, n = net.params.tolist()
    assert net.directed and net.endpoints == k**n == int(net.sinks.sum())
    for source in net.terminal_router.tolist():
        for sink, last in enumerate(net.sink_router.tolist()):
            digits = [sink // k ** (n - 1 - s) % k for s in range(n)]
            here = source
            for s in range(n - 1):
                here = int(net.neighbor[here, digits[s]])
            assert here == last and sink % k == digits[-1]
    ways = np.zeros((net.routers, net.routers), np.int64)
    for router, row in enumerate(net.neighbor.tolist()):
        for there in row:
            if there != NO_ROUTER:
                ways[router, there] += 1
    first, last_stage = np.flatnonzero(net.terminals), np.flatnonzero(net.sinks)
    assert (np.linalg.matrix_power(ways, n - 1)[np.ix_(first, last_stage)] == 1).all()


def test_flattened_butterfly_is_the_hyperx_of_equal_sides() -> None:
    one, other = build("flatfly:3,n=3,c=2"), build("hyperx:3x3x3,t=2")
    assert (one.neighbor == other.neighbor).all() and (one.terminals == other.terminals).all()


def test_hypermesh_crossbars_join_the_lines_of_the_hyperx() -> None:
    mesh, flat = build("hypermesh:3,n=3"), build("hyperx:3x3x3")
    for node in range(27):
        two_away = {int(x) for net in mesh.neighbor[node] if net >= 0 for x in mesh.neighbor[net]} - {node}
        assert two_away == set(flat.neighbor[node].tolist())


def test_concentrated_mesh_express_links_join_routers_half_a_side_apart() -> None:
    net = build("cmesh:4x6")
    rows, cols = np.nonzero(net.link_class == 4)
    step = np.abs(net.coord[net.neighbor[rows, cols]] - net.coord[rows])
    assert len(rows) == 2 * (4 + 6)
    assert {tuple(s) for s in step.tolist()} == {(2, 0), (0, 3)}


def links_hash(net: Network) -> str:
    return hashlib.sha256(net.neighbor.astype("<i4").tobytes()).hexdigest()[:16]


GOLDEN_GRAPHS = {
    "random:64,d=4": "978ce6cdb357125e",
    "random:1024,d=8": "2925b741223888f8",
    "random:200,d=150,seed=3": "b932d05d19613342",
}


@pytest.mark.parametrize("spec", GOLDEN_GRAPHS)
def test_random_regular_graph_has_the_same_bits_everywhere(spec: str) -> None:
    assert links_hash(build(spec)) == GOLDEN_GRAPHS[spec]


@pytest.mark.parametrize("n,d", [(5, 2), (6, 5), (8, 4), (9, 6), (10, 3), (40, 2), (50, 7), (30, 20), (2, 1)])
def test_random_regular_graph_is_simple_regular_connected(n: int, d: int) -> None:
    for seed in (1, 2, 12345678901234567890 % 2**63):
        net = build(f"random:{n},d={d},seed={seed}")
        net.check()
        assert (net.degrees == d).all() and (distances(net, 0) >= 0).all()
        for r, row in enumerate(net.neighbor.tolist()):
            assert len(set(row)) == d and r not in row and row == sorted(row)


def test_seeds_give_different_graphs() -> None:
    assert len({links_hash(build(f"random:64,d=4,seed={s}")) for s in range(20)}) == 20


@pytest.mark.parametrize(
    "spec,found",
    [
        ("fattree:1", "fattree k 1 found, at least 2"),
        ("fattree:4,n=0", "1 to 62"),
        ("clos:0,4,8", "at least 1"),
        ("clos:4,4", "no r found"),
        ("hyperx:4x4,t=0", "at least 1"),
        ("hyperx:4x-4", "positive sides"),
        ("flatfly:1", "at least 2"),
        ("hypermesh:1", "at least 2"),
        ("dragonfly:0", "at least 1"),
        ("dragonfly:2,g=10", "2 to ah+1 = 9"),
        ("dragonfly:2,arrangement=palmtre", "did you mean 'palmtree'"),
        ("slimfly:6", "nearest is 5"),
        ("slimfly:10", "nearest is 9"),
        ("slimfly:100000", "prime power"),
        ("random:7,d=3", "even product"),
        ("random:8,d=8", "d from 1 to n-1"),
        ("random:8,d=1", "d from 2"),
        ("random:8,d=3,seed=-1", "0 to 9223372036854775807"),
        ("random:8,d=3,seed=99999999999999999999", "at most 64 bits"),
        ("fly:1", "at least 2"),
        ("cmesh:5x5", "even sides"),
        ("cmesh:4x4x4", "two sides"),
        ("graph:peterson", "did you mean 'petersen'"),
    ],
)
def test_sizes_that_do_not_close_are_refused_in_one_line(spec: str, found: str) -> None:
    with pytest.raises(JumpnetError) as error:
        family(spec)
    assert found in str(error.value) and "\n" not in str(error.value)


@pytest.mark.parametrize(
    "spec",
    [
        "fattree:4,n=40", "fly:4,n=40", "flatfly:40,n=40", "hypermesh:40,n=40", "hyperx:100000x100000x100000",
        "clos:1000000,1,1000000", "dragonfly:5000", "random:100000000000,d=8", "cmesh:1000000x1000000",
    ],
)  # fmt: skip
def test_sizes_beyond_memory_are_refused_before_they_are_built(spec: str) -> None:
    with pytest.raises(JumpnetError) as error:
        build(spec)
    assert "routers" in str(error.value) and "memory" in str(error.value) and "\n" not in str(error.value)
