"""The functional coherence engine equals its naive twin, and sees the first study's peaks in the shared traces."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.trace import block_of, open_trace

HERE = Path(__file__).parent
spec = importlib.util.spec_from_file_location("naive_functional", HERE.parent / "naive" / "functional.py")
naive = importlib.util.module_from_spec(spec)
spec.loader.exec_module(naive)

TRACES = HERE.parents[2] / "shared" / "traces"
RECORDS = st.lists(
    st.tuples(st.integers(0, 79), st.integers(0, 40_000), st.integers(1, 80), st.booleans(), st.integers(0, 3)),
    max_size=200,
)


def _fed(records, processors=80, **options):
    engine = Functional(processors, collect=True, **options)
    for part in (records[:50], records[50:]):
        if part:
            columns = [np.array(c) for c in zip(*part, strict=True)]
            engine.feed(*block_of(*columns))
    return engine


@given(RECORDS, st.sampled_from(["invalidate", "update"]), st.sampled_from(["line", "page"]), st.sampled_from([1, 4]))
def test_messages_equal_the_naive_twin(records, protocol, directory, clusters_of) -> None:
    engine = _fed(records, protocol=protocol, directory=directory, clusters_of=clusters_of)
    sent = Counter()
    for part in engine.take_sets():
        for home, nodes, count in part:
            sent[home, frozenset(nodes)] += count
    expected = naive.messages(records, protocol, directory, clusters_of)
    assert sent == expected
    sizes = Counter()
    for (_, destinations), count in expected.items():
        sizes[len(destinations)] += count
    assert engine.destinations_histogram == dict(sizes)
    assert engine.references == sum(r[4] < 2 for r in records)


def test_tables_grow_and_flush() -> None:
    """More pages and more different messages than the first tables hold."""
    n = 40_000
    proc = np.arange(n) % 64
    address = (np.arange(n) * 7919 % 997) * 4096
    write = np.arange(n) % 3 == 0
    engine = Functional(64, protocol="update", directory="line", collect=True)
    engine.feed(*block_of(proc, address, 4, write))
    sent = Counter()
    for part in engine.take_sets():
        for home, nodes, count in part:
            sent[home, frozenset(nodes)] += count
    records = zip(proc.tolist(), address.tolist(), [4] * n, write.tolist(), [0] * n, strict=True)
    assert sent == naive.messages(records, "update", "line", 1)
    assert engine.pages == 997


def test_bad_machines_are_refused_in_one_line() -> None:
    for options, found in (
        ({"protocol": "invalidat"}, "did you mean 'invalidate'"),
        ({"line_bytes": 33}, "power of two"),
        ({"page_bytes": 16}, "power of two"),
        ({"clusters_of": 0}, "clusters of 0"),
    ):
        with pytest.raises(JumpnetError, match=found):
            Functional(4, **options)
    with pytest.raises(JumpnetError, match="processor 4 found, 0 to 3"):
        Functional(4).feed(*block_of(4, [64], 4, True))


@pytest.mark.skipif(not TRACES.is_dir(), reason="the shared traces are not here")
def test_first_study_of_water() -> None:
    """Figures of the traces' README: two peaks of processors, and of clusters of four."""
    trace = open_trace(TRACES / "water_nsq_64mol_p32.parquet")
    one = Functional(32, protocol="invalidate", directory="page")
    four = Functional(32, protocol="invalidate", directory="page", clusters_of=4)
    for block in trace.blocks():
        one.feed(*block)
        four.feed(*block)
    shares = {k: v / four.messages for k, v in four.destinations_histogram.items()}
    assert round(shares[4] + shares[5], 2) == 0.91
    assert round(shares[7], 3) == 0.046
    peaks = sorted(one.destinations_histogram, key=one.destinations_histogram.get)
    assert set(peaks[-2:]) == {18, 19}
    assert one.destinations_histogram[31] > 20 * one.destinations_histogram[30]
