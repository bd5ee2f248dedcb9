"""The papers' definitions, written down literally at small sizes, against what the families build."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations, product

import numpy as np
import pytest
from tests.naive import distances as naive

from jumpnet.topology import build, family
from jumpnet.topology.rdn import exchanged_numbers, level_sizes, over


def links(net):
    """The links as a set of (low router, high router); of a directed network, the channels."""
    pairs = {(r, s) for r, row in enumerate(net.neighbor.tolist()) for s in row if s >= 0}
    return pairs if net.directed else {(min(p), max(p)) for p in pairs}


def undirected(pairs):
    return {(min(p), max(p)) for p in pairs if p[0] != p[1]}


def srt_line(N, variant):
    """Links of a 1D-SRT by Definitions 1 to 5."""
    n = N.bit_length() - 1
    pairs = {(i, (i + 1) % N) for i in range(N)}
    for level in range(1, n):
        nodes = [2**level * i + 2 ** (level - 1) for i in range(2 ** (n - level))]
        pairs |= {(a, (a + 2**level) % N) for a in nodes}
    if variant == "ls":
        pairs.add((0, N // 2))
    if variant == "ss":
        pairs -= {(N // 4, 3 * N // 4), (3 * N // 4, N // 4)}
        pairs |= {(i * N // 4, (i + 1) % 4 * N // 4) for i in range(4)}
    return undirected(pairs)


@pytest.mark.parametrize("variant", ["standard", "ls", "ss"])
@pytest.mark.parametrize("N", [8, 16, 64])
def test_srt1d_is_definitions_1_to_5(N, variant):
    assert links(build(f"srt1d:{N},variant={variant}")) == srt_line(N, variant)


@pytest.mark.parametrize("variant", ["standard", "ls", "ss"])
@pytest.mark.parametrize("shift", ["1", "3", "-5", "uniform7", "uniform8", "uniform9", "uniform10"])
def test_srt2d_is_definition_7_and_every_row_and_column_a_1d_srt(variant, shift):
    N, n = 16, 4
    net = build(f"srt2d:{N},variant={variant},shift={shift}")
    u = 2 ** -(-(n - 1) // 2)
    uniform = {"uniform7": u - 1, "uniform8": -(u + 1), "uniform9": u + 1, "uniform10": -(u - 1)}
    s = uniform[shift] if shift in uniform else int(shift)
    found = links(net)
    line = srt_line(N, variant)
    transposed = pow(s, -1, N)  # y = 2^l j + 2^(l-1) - s' x, condition 2 of Definition 7
    wanted = set()
    for y in range(N):
        wanted |= {(y * N + (a - s * y) % N, y * N + (b - s * y) % N) for a, b in line}
    for x in range(N):
        wanted |= {((a - transposed * x) % N * N + x, (b - transposed * x) % N * N + x) for a, b in line}
    assert found == undirected(wanted)


def test_srt2d_uniform_takes_the_shift_of_the_papers_table():
    for N, variant, s in [(16, "standard", 5), (16, "ls", 3), (32, "ss", 3), (256, "standard", 17), (256, "ls", 9)]:
        assert build(f"srt2d:{N},variant={variant},shift=uniform").params[2] == s


@pytest.mark.parametrize("spec", ["rdn:3,k=2", "rdn:3x2,k=1", "rdn:4,k=1,base=complete"])
def test_rdn_joins_each_pair_of_clusters_of_two_types_once(spec):
    net = build(spec)
    k = family(spec).k
    n = int(np.sqrt(net.routers // 2))
    top = net.class_rank[net.link_class] == k
    rows, ports = np.nonzero(top & (net.neighbor >= 0))
    clusters = [(r // n, s // n) for r, s in zip(rows.tolist(), net.neighbor[rows, ports].tolist(), strict=True)]
    crossing = sorted((a, b) for a, b in clusters if a < n)
    assert crossing == [(a, b) for a in range(n) for b in range(n, 2 * n)]


def test_short_span_to_the_letter_adds_two_links():
    """Definition 5: without N/4-3N/4, with 0-N/4 and N/2-3N/4."""
    standard, pairs = (links(build(f"srt1d:32,variant={variant}")) for variant in ("standard", "pairs"))
    assert standard - pairs == undirected([(8, 24)])
    assert pairs - standard == undirected([(0, 8), (16, 24)])


@pytest.mark.parametrize("k", [1, 2])
def test_rdn_readings_of_the_cross_edges(k):
    """`exchanged` is `swap` under other names, and joins equal ids, as `same` does, which is in n parts."""
    swap, exchanged, same = (build(f"rdn:3,k={k},cross={cross}") for cross in ("swap", "exchanged", "same"))
    name = exchanged_numbers(level_sizes(3, k))
    assert undirected((name[a], name[b]) for a, b in links(swap)) == undirected(links(exchanged))
    half = swap.routers // 2
    for net in (exchanged, same):
        assert net.neighbor[:half, -1].tolist() == list(range(half, 2 * half))
    reached = sum(distance >= 0 for distance in naive.all_distances(same)[0])
    assert reached == 3 * 2**k < same.routers


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_dualcube_equals_rdn_over_a_hypercube(n):
    cube, rdn = build(f"dualcube:{n}"), build(f"rdn:{n - 1},k=1,base=hypercube")
    assert np.array_equal(cube.neighbor, rdn.neighbor)
    assert np.array_equal(cube.far_port, rdn.far_port)
    assert np.array_equal(cube.params, rdn.params)
    # Li and Peng: links flip one bit; of the low part in class 0, of the middle part in class 1, or the class bit.
    low = n - 1
    mask = 2**low - 1

    def address(r):
        kind, c, u = r >> 2 * low, r >> low & mask, r & mask
        return kind << 2 * low | (u << low | c if kind else c << low | u)

    wanted = set()
    for a in range(2 ** (2 * n - 1)):
        own = range(low, 2 * low) if a >> 2 * low else range(low)
        wanted |= {(a, a ^ 1 << bit) for bit in [*own, 2 * low]}
    assert undirected((address(a), address(b)) for a, b in links(cube)) == undirected(wanted)


def test_theorem_1_of_rdn_over_a_users_graph():
    base = build("graph:petersen")
    net = over(base, 1)
    net.check()
    figures = naive.figures(net)
    assert (figures["routers"], figures["degree"], figures["diameter"]) == (200, 4, 2 * 2 + 2)
    # The distance distribution follows from the base's: G' = 2nG + 2z^2 (G - n) G + 2z G^2.
    n, G = 10, np.array([10, 30, 60])
    wanted = np.zeros(7, np.int64)
    wanted[:3] += 2 * n * G
    wanted[2:7] += 2 * np.convolve(G - np.array([n, 0, 0]), G)
    wanted[1:6] += 2 * np.convolve(G, G)
    counts = np.bincount(np.array(naive.all_distances(net)).reshape(-1))
    assert counts.tolist() == wanted.tolist()


@pytest.mark.parametrize("n", range(1, 7))
def test_crossedcube_is_efes_pair_relation(n):
    related = {("00", "00"), ("10", "10"), ("01", "11"), ("11", "01")}
    wanted = set()
    for u, v in product(range(2**n), repeat=2):
        a, b = format(u, f"0{n}b")[::-1], format(v, f"0{n}b")[::-1]  # a[i] is bit i
        for d in range(n):
            same_above = a[d + 1 :] == b[d + 1 :]
            same_odd = d % 2 == 0 or a[d - 1] == b[d - 1]
            pairs = all((a[2 * i + 1] + a[2 * i], b[2 * i + 1] + b[2 * i]) in related for i in range(d // 2))
            if same_above and a[d] != b[d] and same_odd and pairs:
                wanted.add((u, v))
    assert links(build(f"crossedcube:{n}")) == undirected(wanted)


@pytest.mark.parametrize(("d", "n"), [(2, 1), (2, 4), (3, 3)])
def test_debruijn_and_kautz_shift_words(d, n):
    for name, alphabet, allowed in (
        ("debruijn", range(d), lambda w: True),
        ("kautz", range(d + 1), lambda w: all(a != b for a, b in pairwise(w))),
    ):
        words = [w for w in product(alphabet, repeat=n) if allowed(w)]
        shifts = {(w, (*w[1:], a)) for w in words for a in alphabet if allowed((*w[1:], a)) and allowed((*w, a))}
        shifts = {(v, w) for v, w in shifts if v != w}
        for directed in ("true", "false"):
            net = build(f"{name}:{d},n={n},directed={directed}")
            word = [tuple(c) for c in net.coord.tolist()]
            assert sorted(word) == words
            found = {(word[r], word[s]) for r, row in enumerate(net.neighbor.tolist()) for s in row if s >= 0}
            assert found == (shifts if directed == "true" else shifts | {(w, v) for v, w in shifts})


@pytest.mark.parametrize(("d", "t"), [(3, 1), (3, 3), (4, 3), (2, 4)])
def test_wk_is_built_recursively(d, t):
    pairs = set(combinations(range(d), 2))  # WK(d, 1), whose node x has open link x
    corner = list(range(d))
    for level in range(2, t + 1):
        size = d ** (level - 1)
        pairs = {(a + i * size, b + i * size) for a, b in pairs for i in range(d)}
        pairs |= {(corner[j] + i * size, corner[i] + j * size) for i, j in combinations(range(d), 2)}
        corner = [corner[i] + i * size for i in range(d)]
    assert links(build(f"wk:{d},t={t}")) == undirected(pairs)


@pytest.mark.parametrize("n", [2, 3, 4])
def test_star_exchanges_the_first_symbol(n):
    net = build(f"star:{n}")
    words = [tuple(w) for w in net.coord.tolist()]
    assert words == sorted(permutations(range(n)))
    for r, row in enumerate(net.neighbor.tolist()):
        for p, s in enumerate(row):
            word = list(words[r])
            word[0], word[p + 1] = word[p + 1], word[0]
            assert words[s] == tuple(word)


@pytest.mark.parametrize(("d", "h"), [(3, 2), (3, 3), (4, 2)])
def test_hypernet_joins_each_pair_of_subnets_once_a_level(d, h):
    net = build(f"hypernet:{d},h={h}")
    for level in range(2, h + 1):
        inner = net.coord[:, level - 1]
        outer = [tuple(c) for c in net.coord[:, level:].tolist()]
        rows, ports = np.nonzero(net.class_rank[net.link_class] * (net.neighbor >= 0) == level)
        near = net.neighbor[rows, ports]
        assert all(outer[r] == outer[s] for r, s in zip(rows, near, strict=True))
        joined = sorted((outer[r], int(inner[r]), int(inner[s])) for r, s in zip(rows, near, strict=True))
        subnets = range(int(inner.max()) + 1)
        assert joined == sorted((o, a, b) for o in set(outer) for a, b in permutations(subnets, 2))
    assert int(net.degrees.max()) <= d + 1


@pytest.mark.parametrize("N", [9, 10, 17, 18, 24, 25, 26, 32, 40, 41, 42])
def test_midimew_is_the_best_circulant_of_degree_4(N):
    def figures(a, b):
        distance = {0: 0}
        front = [0]
        while front:
            front = [s for r in front for s in ((r + a) % N, (r - a) % N, (r + b) % N, (r - b) % N)]
            front = [s for s in dict.fromkeys(front) if s not in distance]
            distance.update(dict.fromkeys(front, max(distance.values()) + 1))
        return (max(distance.values()), Fraction(sum(distance.values()), N - 1)) if len(distance) == N else (N, N)

    claims = family(f"midimew:{N}").claims()
    best = min(figures(a, b) for a, b in combinations(range(1, N // 2 + 1), 2))
    assert (claims["diameter"], claims["average_distance"]) == best
    longer = next(b for b in range(1, N) if 2 * b * b >= N)  # others may be as good, and are other networks
    assert figures(longer - 1, longer) == best
    assert build(f"midimew:{N}").params.tolist() == [N, longer - 1, longer]


@pytest.mark.parametrize(
    ("spec", "routers", "each"), [("flatfly:4", 16, 4), ("flatfly:3,n=3,c=2", 27, 2), ("hyperx:3x5,t=3", 15, 3)]
)
def test_routers_on_complete_lines_have_the_terminals_that_are_asked_for(spec, routers, each):
    assert build(spec).terminals.tolist() == [each] * routers


def test_chordal_ring_and_ccc_and_omega_literally():
    N, w = 14, 5
    wanted = {(i, (i + 1) % N) for i in range(N)} | {(i, (i + w) % N) for i in range(1, N, 2)}
    assert links(build(f"chordalring:{N},w={w}")) == undirected(wanted)

    n = 4
    ring = {(c * n + i, c * n + (i + 1) % n) for c in range(2**n) for i in range(n)}
    cube = {(c * n + i, (c ^ 1 << i) * n + i) for c in range(2**n) for i in range(n)}
    assert links(build(f"ccc:{n}")) == undirected(ring | cube)

    # A line of an omega network is shuffled (its n-bit number turned left) into the switch of the next stage.
    n, rows = 4, 8
    wanted = set()
    for stage, line in product(range(n), range(2 * rows)):
        shuffled = (2 * line | line >> n - 1) & 2**n - 1
        wanted.add((stage * rows + line // 2, (stage + 1) % n * rows + shuffled // 2))
    assert links(build(f"circularomega:{n}")) == wanted
