"""The counter-based generator against SplitMix64 with its state, and against the sequence that is known for it."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.naive.split_mix import SplitMix64, mix

from jumpnet.jit.random import (
    below,
    draw63,
    draws63,
    plain_below,
    plain_draw63,
    plain_stream_key,
    stream_key,
    stream_keys,
)
from jumpnet.traffic._hash import hash_draws

KNOWN = [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821]
"""The first numbers of seed 1234567, by which implementations of SplitMix64 are commonly compared."""


def test_the_naive_twin_gives_the_known_sequence():
    twin = SplitMix64(1234567)
    assert [twin.next() for _ in KNOWN] == KNOWN


@given(key=st.integers(0, 2**63 - 1))
def test_draws_are_the_sequence_of_a_state(key):
    twin = SplitMix64(2 * key)
    expected = [twin.next() >> 1 for _ in range(5)]
    assert [int(draw63(key, counter)) for counter in range(5)] == expected
    assert [plain_draw63(key, counter) for counter in range(5)] == expected
    assert draws63(key, np.arange(5)).tolist() == expected


@given(seed=st.integers(0, 2**63 - 1), stream=st.integers(0, 2**62))
def test_keys_of_streams(seed, stream):
    start = mix(seed) + stream * 0xD1342543DE82EF95
    assert int(stream_key(seed, stream)) == plain_stream_key(seed, stream) == SplitMix64(start).next() >> 1
    streams = np.array([0, stream], np.int64)
    assert stream_keys(seed, streams).tolist() == [int(stream_key(seed, k)) for k in (0, stream)]


@given(draw=st.integers(0, 2**63 - 1), n=st.integers(1, 2**31))
def test_small_ranges_are_scaled(draw, n):
    assert int(below(draw, n)) == plain_below(draw, n) == draw * n >> 63


@given(draw=st.integers(0, 2**63 - 1), n=st.integers(2**31 + 1, 2**62))
def test_big_ranges_are_the_remainder(draw, n):
    assert int(below(draw, n)) == plain_below(draw, n) == draw % n


@given(seed=st.integers(0, 2**64 - 1), count=st.integers(0, 9))
def test_draws_of_patterns(seed, count):
    twin = SplitMix64(seed * 0xD1342543DE82EF95)
    assert hash_draws(seed, count).tolist() == [twin.next() for _ in range(count)]
    assert hash_draws(seed, count).dtype == np.uint64
