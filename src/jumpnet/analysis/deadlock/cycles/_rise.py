"""Kernel: which classes of channels follow on each other, and whether router numbers rise or fall within a class."""

from __future__ import annotations

import numpy as np

from jumpnet.jit.linked import entry

__all__ = ["note_met"]


@entry
def note_met(bits, first, there, slots, of, met, ways):
    """Note the dependencies of channels first..first+B-1, bits (B, W).

    there (C,): the router that each channel leads to, of (C,): its class. met[a, b] is set where a channel of class b
    follows on one of class a, ways[a, 0] where one of class a follows on another and leads to a higher router than
    that, ways[a, 1] where it does not.
    """
    for i in range(bits.shape[0]):
        router = there[first + i]
        if router < 0:
            continue
        base, mine = router * slots, of[first + i]
        for w in range(bits.shape[1]):
            word, d = bits[i, w], base + 64 * w
            while word != 0:
                if word & np.uint64(1):
                    met[mine, of[d]] = True
                    if of[d] == mine:
                        ways[mine, 0 if there[d] > router else 1] = True
                word >>= np.uint64(1)
                d += 1
