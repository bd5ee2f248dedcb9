"""Laws of the families at random sizes: claims, orbits and implicit neighbors, beyond the fixed samples."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.naive import distances as naive

from jumpnet.topology import family


def small_sides(limit):
    return st.lists(st.integers(1, 7), min_size=1, max_size=4).filter(lambda s: np.prod(s) <= limit)


def text(sides):
    return "x".join(map(str, sides))


SPECS = st.one_of(
    st.builds("torus:{}".format, small_sides(120).map(text)),
    st.builds("mesh:{}".format, small_sides(120).map(text)),
    st.builds("midimew:{}".format, st.integers(9, 120)),
    st.builds("illiac:{}".format, st.integers(3, 10)),
    st.builds("complete:{}".format, st.integers(2, 20)),
    st.builds(
        "chordalring:{},w={}".format,
        st.integers(8, 50).map(lambda h: 2 * h),
        st.integers(1, 7).map(lambda h: 2 * h + 1),
    ),
    st.builds("tree:{},height={}".format, st.integers(1, 4), st.integers(1, 3)),
    st.builds(
        "debruijn:{},n={},directed={}".format, st.integers(2, 5), st.integers(1, 3), st.sampled_from(["true", "false"])
    ),
    st.builds(
        "kautz:{},n={},directed={}".format, st.integers(2, 4), st.integers(1, 3), st.sampled_from(["true", "false"])
    ),
    st.builds("wk:{},t={}".format, st.integers(2, 5), st.integers(1, 3)),
    st.builds(
        "srt2d:{},variant={},shift={}".format,
        st.sampled_from([4, 8]),
        st.sampled_from(["standard", "ls", "ss"]),
        st.integers(-20, 20).map(lambda h: 2 * h + 1),
    ),
    st.builds("rdn:{},k=1".format, small_sides(8).map(text)),
    st.builds("rdn:{},k=1,base=mesh".format, small_sides(8).map(text)),
)


@settings(max_examples=120)
@given(SPECS)
def test_laws_at_random_sizes(spec):
    known = family(spec)
    assert family(known.spec) == known
    net = known.build()
    net.check()
    counted = naive.figures(net)
    claims = dict(known.claims())
    assert claims == {key: counted[key] for key in claims}
    # One search for each representative, weighted by its orbit, must give every distance count.
    distances = np.array(naive.all_distances(net))
    assert net.orbits is not None
    every = np.bincount(distances.reshape(-1))
    weighted = np.zeros_like(every)
    for r, size in zip(*net.orbits, strict=True):
        counts = np.bincount(distances[r], minlength=every.size)
        weighted += size * counts
    assert np.array_equal(every, weighted)
    implicit = known.implicit()
    if implicit is not None:
        out = np.zeros(implicit.ports, np.int64)
        for r in range(net.routers):
            count = implicit.neighbors(implicit.params, r, out)
            assert set(out[:count].tolist()) - {r} == set(net.neighbor[r].tolist()) - {-1}
