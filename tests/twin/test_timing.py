"""The timed machine equals its naive twin, event by event: cycles, stalls, messages by kind, destinations."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jumpnet.coherence.functional import Functional
from jumpnet.errors import JumpnetError
from jumpnet.machine.timing import Costs, run_machine
from jumpnet.machine.timing_streams import streams_of
from jumpnet.machine.trace import Trace, block_of

spec = importlib.util.spec_from_file_location("naive_timing", Path(__file__).parents[1] / "naive" / "timing.py")
naive = importlib.util.module_from_spec(spec)
spec.loader.exec_module(naive)

WHAT = ("read", "write", "lock", "unlock", "barrier", "condition")


def _trace(records, processors):
    columns = [np.array(c) for c in zip(*records, strict=True)]
    return Trace("made", processors, lambda: iter([block_of(*columns)]))


def _rows(program, processors):
    """Records of random pieces of work: accesses, alone or under a lock, and barriers that all processors pass."""
    rows = []
    for kind, p, address, writes in program:
        if kind == 4:
            rows += [(q, 1 << 20, 4, True, 4) for q in range(processors)]
        elif kind == 5:
            for q in range(processors):
                rows += [(q, 3 << 20, 4, True, 2), (q, 4 << 20, 4, True, 5), (q, 3 << 20, 4, True, 3)]
        else:
            p %= processors
            locked = [(p, (2 << 20) + 8 * (address % 2), 4, True, k) for k in (2, 3)] if kind == 2 else [None, None]
            work = [(p, address + 8 * i, 4, w, 0) for i, w in enumerate(writes)]
            rows += [r for r in (locked[0], *work, locked[1]) if r]
    return rows


def _naive(trace, processors, **options):
    s = streams_of(trace, clusters_of=options["cluster"], placement=options.pop("placement"))
    streams = [[(WHAT[c & 7], c >> 3) for c in s.code[s.first[p] : s.first[p + 1]].tolist()] for p in range(processors)]
    machine = naive.Machine(streams, s.page.tolist(), s.home.tolist(), s.members.tolist(), **options)
    return s, machine.run()


PIECE = st.tuples(
    st.sampled_from([0, 0, 0, 0, 2, 4, 5]),
    st.integers(0, 9),
    st.sampled_from([0, 24, 32, 64, 4096, 4128, 8192]),
    st.lists(st.booleans(), min_size=1, max_size=6),
)


@settings(max_examples=120)
@given(
    st.lists(PIECE, min_size=1, max_size=40),
    st.sampled_from([1, 2, 5, 10]),
    st.sampled_from([1, 3]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([0, 7, 40]),
    st.sampled_from([(10, 2, 20), (1, 0, 1), (3, 5, 2)]),
    st.sampled_from(["first-touch", "round-robin"]),
)
def test_equals_the_naive_twin(program, processors, cluster, update, by_page, latency, cycles, placement) -> None:
    costs = Costs(*cycles)
    trace = _trace(_rows(program, processors), processors)
    streams, slow = _naive(
        trace, processors, update=update, by_page=by_page, cluster=cluster, costs=costs, latency=latency,
        line_flits=costs.flits(32), placement=placement,
    )  # fmt: skip
    fast = run_machine(
        streams,
        protocol="update" if update else "invalidate",
        directory="page" if by_page else "line",
        clusters_of=cluster,
        costs=costs,
        latency_cycles=latency,
    )
    assert fast.cycles == max(slow.done.values())
    assert fast.destinations_histogram == dict(slow.histogram)
    stalls = {"busy": fast.busy, "read": fast.read_stall, "write": fast.write_stall, "sync": fast.sync_stall}
    for name, value in stalls.items():
        assert round(value * processors) == slow.stall[name], name
    sent = {name: slow.sent[name] for name in ("data", "tell", "fetch", "owner's data", "done")}
    sent["read request"], sent["write request"] = slow.sent["ask read"], slow.sent["ask write"]
    sent["acknowledge"] = slow.sent["acknowledge"] + slow.sent["acknowledge with data"]
    assert fast.messages == sent


@pytest.mark.parametrize("protocol", ["invalidate", "update"])
@pytest.mark.parametrize("directory", ["line", "page"])
def test_one_processor_at_a_time_sends_the_functional_messages(protocol, directory) -> None:
    # Every access is followed by a barrier, so that the order of the trace is the order of time.
    draw = np.random.default_rng(7)
    rows = []
    for _ in range(300):
        p, address = int(draw.integers(6)), 32 * int(draw.integers(12)) + 4096 * int(draw.integers(2))
        rows += [(p, address, 4, bool(draw.integers(2)), 0)] + [(q, 1 << 20, 4, True, 4) for q in range(6)]
    trace = _trace(rows, 6)
    engine = Functional(6, protocol=protocol, directory=directory, clusters_of=2)
    for block in trace.blocks():
        engine.feed(*block)
    timed = run_machine(streams_of(trace, clusters_of=2), protocol=protocol, directory=directory, clusters_of=2)
    assert timed.destinations_histogram == engine.destinations_histogram


def test_a_read_miss_argued_by_hand() -> None:
    # Processor 0 touches the line first and is its home; then processor 1 reads it: asks (occupancy), message,
    # home (occupancy), message with data, own processor (occupancy).
    rows = [(0, 0, 4, False, 0), *((p, 1 << 20, 4, True, 4) for p in (0, 1)), (1, 0, 4, False, 0)]
    costs = Costs(occupancy_cycles=10, sync_cycles=20)
    found = run_machine(streams_of(_trace(rows, 2)), costs=costs, latency_cycles=5)
    first = 1 + 10
    barrier = first + 1 + 20
    assert found.cycles == barrier + 1 + 10 + (5 + 4) + 10 + (5 + 12) + 10
    assert found.messages["data"] == found.messages["done"] == found.messages["read request"] == 1
    assert (found.read_stall, found.sync_stall) == ((10 + 56) / 2, (20 + barrier - 1) / 2)


def test_bad_streams_are_refused() -> None:
    with pytest.raises(JumpnetError, match="barrier passed 1 times by processor 1 and 2 by 0"):
        streams_of(_trace([(p, 64, 4, True, 4) for p in (0, 1, 0)], 2))
    with pytest.raises(JumpnetError, match="1 processors wait for ever, the first is 1"):
        run_machine(streams_of(_trace([(0, 64, 4, True, 2), (1, 64, 4, True, 2)], 2)))
    with pytest.raises(JumpnetError, match="placement 'far' found"):
        streams_of(_trace([(0, 64, 4, True, 0)], 2), placement="far")
    with pytest.raises(JumpnetError, match="occupancy_cycles 0 found"):
        Costs(occupancy_cycles=0)
