"""Counter-based random numbers: SplitMix64 of (seed, stream, counter), the same in plain Python and in kernels.

No generator has state, so draws may be made in any order, by any thread, or again. `stream_key(seed, stream)` names a
sequence, `draw63(key, counter)` is its counter-th number. Source: Steele, Lea and Flood, OOPSLA 2014 (SplitMix).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from jumpnet.jit.decorator import DISABLED, jit
from jumpnet.jit.linked import kernel
from jumpnet.terms import I64

__all__ = [
    "below", "draw63", "draws63", "mix_words", "plain_below", "plain_draw63", "plain_stream_key", "stream_key",
    "stream_keys",
]  # fmt: skip

_GAMMA = 0x9E3779B97F4A7C15
_MIX_1 = 0xBF58476D1CE4E5B9
_MIX_2 = 0x94D049BB133111EB
_STREAM = 0xD1342543DE82EF95
_MASK = 2**64 - 1


def _mix_plain(z: int) -> int:
    z = ((z ^ (z >> 30)) * _MIX_1) & _MASK
    z = ((z ^ (z >> 27)) * _MIX_2) & _MASK
    return z ^ (z >> 31)


def plain_stream_key(seed: int, stream: int) -> int:
    """`stream_key` in plain Python, for twins in plain Python: a call of compiled code takes them ten times as long."""
    return _mix_plain((_mix_plain(int(seed) & _MASK) + int(stream) * _STREAM + _GAMMA) & _MASK) >> 1


def plain_draw63(key: int, counter: int) -> int:
    """`draw63` in plain Python."""
    return _mix_plain((int(key) * 2 + (int(counter) + 1) * _GAMMA) & _MASK) >> 1


def mix_words(z: Any) -> Any:
    """The output function of SplitMix64 for an array of uint64 words, or in a kernel for one."""
    z = (z ^ (z >> np.uint64(30))) * np.uint64(_MIX_1)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(_MIX_2)
    return z ^ (z >> np.uint64(31))


def stream_keys(seed: int, streams: I64) -> I64:
    """The `stream_key` of each of many streams of a seed.

    >>> stream_keys(5, np.array([7, 8])).tolist() == [stream_key(5, 7), stream_key(5, 8)]
    True
    """
    z = np.uint64(_mix_plain(seed & _MASK)) + streams.astype(np.uint64) * np.uint64(_STREAM) + np.uint64(_GAMMA)
    return (mix_words(z) >> np.uint64(1)).astype(np.int64)


def draws63(key: int, counters: I64) -> I64:
    """The `draw63` of each of many counters of a stream: one call for all of them.

    >>> draws63(stream_key(5, 7), np.array([0, 9])).tolist() == [plain_draw63(stream_key(5, 7), k) for k in (0, 9)]
    True
    """
    z = np.uint64(int(key) * 2 & _MASK) + (counters.astype(np.uint64) + np.uint64(1)) * np.uint64(_GAMMA)
    return (mix_words(z) >> np.uint64(1)).astype(np.int64)


if DISABLED:
    stream_key, draw63 = plain_stream_key, plain_draw63
else:
    _mix = jit(mix_words, inline="always")

    @kernel
    def stream_key(seed, stream):
        """Key (0..2**63-1) of one stream of a seed (int64 both)."""
        z = _mix(np.uint64(seed)) + np.uint64(stream) * np.uint64(_STREAM) + np.uint64(_GAMMA)
        return np.int64(_mix(z) >> np.uint64(1))

    @kernel
    def draw63(key, counter):
        """The counter-th number of a stream, uniform in 0..2**63-1."""
        z = np.uint64(key) * np.uint64(2) + np.uint64(counter + 1) * np.uint64(_GAMMA)
        return np.int64(_mix(z) >> np.uint64(1))


@kernel
def below(draw, n):
    """A 63-bit draw scaled to 0..n-1 (n >= 1); unequal by less than n / 2**63.

    >>> int(below(2**63 - 1, 10)), int(below(0, 10)), int(below(2**62, 2**40)) < 2**40
    (9, 0, True)
    """
    if n > 1 << 31:
        return draw % n
    return ((draw >> 31) * n + (((draw & 0x7FFFFFFF) * n) >> 31)) >> 32


plain_below = below if DISABLED else below.py_func
"""`below` in plain Python."""
