"""Placement: the change by a swap is exact, the result is reproducible, and sharers end up near each other."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.naive import placement as naive

from jumpnet.errors import JumpnetError
from jumpnet.jit.random import plain_below, plain_draw63
from jumpnet.machine import _place as kernel
from jumpnet.machine.place import cost, message_weights, place, placed_trace, slot_distances
from jumpnet.machine.trace import Trace, block_of
from jumpnet.machine.traffic import coherence_traffic


@given(st.integers(0, 1 << 30), st.integers(2, 7), st.integers(0, 3))
def test_change_of_a_swap_equals_the_naive_twin(seed, processes, empty) -> None:
    draw = np.random.default_rng(seed)
    slots = processes + empty
    weights = draw.integers(0, 9, (processes, processes))
    distances = draw.integers(0, 9, (slots, slots))  # need not be symmetric
    np.fill_diagonal(weights, 0)
    slot = draw.permutation(slots)
    for r in range(processes):
        for s in range(slots):
            if r != s:
                found = kernel.swap_change(weights, distances, slot, r, s)
                assert found == naive.change(weights, distances, slot.tolist(), r, s)
    assert cost(weights, distances, slot) == naive.cost(weights, distances, slot.tolist())


@given(st.integers(0, 1 << 30), st.integers(1, 60), st.integers(0, 200))
def test_swaps_are_accepted_as_by_the_naive_twin(seed, proposals, threshold) -> None:
    draw = np.random.default_rng(seed)
    weights, distances, slot = draw.integers(0, 9, (5, 5)), draw.integers(0, 9, (7, 7)), draw.permutation(7)
    np.fill_diagonal(weights, 0)
    drawn = [plain_below(plain_draw63(seed, k), (5, 7)[k % 2]) for k in range(2 * proposals)]
    wanted = naive.accepted(weights, distances, slot, list(zip(drawn[::2], drawn[1::2], strict=True)), threshold)
    kernel.accept(weights, distances, slot, seed, proposals, threshold)
    assert slot.tolist() == wanted


def test_descent_ends_where_no_swap_helps() -> None:
    draw = np.random.default_rng(3)
    weights, distances = draw.integers(0, 9, (6, 6)), draw.integers(1, 9, (8, 8))
    slot = np.arange(8)
    kernel.descend(weights, distances, slot)
    changes = [naive.change(weights, distances, slot.tolist(), r, s) for r in range(6) for s in range(r + 1, 8)]
    assert min(changes) >= 0
    assert sorted(slot.tolist()) == list(range(8))


def _scattered(processes=16, cluster=4):
    """Processes that share with those 4, 8 and 12 further on: four groups, none of them in one cluster."""
    rows = []
    for first in range(cluster):
        group = list(range(first, processes, cluster))
        for turn in range(8):
            writer = group[turn % len(group)]
            rows += [(p, 4096 * group[0], False) for p in group] + [(writer, 4096 * group[0], True)]
    proc, address, write = zip(*rows, strict=True)
    return Trace("scattered", processes, lambda: iter([block_of(proc, address, 4, write)]))


def test_sharers_end_up_in_one_cluster() -> None:
    trace = _scattered()
    weights = message_weights(trace)
    distances = slot_distances("prdt:8", 4, "territory")
    found = place(weights, distances)
    assert found.before > 0 == found.after
    assert sorted(set(found.slot.tolist())) == sorted(found.slot.tolist())
    assert (found.slot == place(weights, distances).slot).all()
    before = coherence_traffic(trace, clusters_of=4, encoding_name="SM", network="prdt:8")
    after = coherence_traffic(placed_trace(trace, found.slot, 256), clusters_of=4, encoding_name="SM", network="prdt:8")
    assert before.messages > 0 == after.messages


def test_no_placement_is_worse_and_bad_words_are_refused() -> None:
    distances = slot_distances("torus:4x4")
    ring = np.roll(np.eye(16, dtype=np.int64), 1, axis=1)
    assert place(ring, distances).after == 16  # a Hamiltonian ring
    with pytest.raises(JumpnetError, match="17 processes found, at most 16 slots"):
        place(np.zeros((17, 17), np.int64), distances)
    with pytest.raises(JumpnetError, match="did you mean 'hops'"):
        slot_distances("torus:4x4", 1, "hop")
    with pytest.raises(JumpnetError, match="rdt or prdt expected"):
        slot_distances("torus:4x4", 1, "territory")
