"""The choice of UGAL at the source: the detour, when the queue of the minimal way times its hops exceeds the detour's.

Source: Singh 2005 (UGAL-L, which looks at the source's own queues). Used by the `*.ugal` routings.
"""

from __future__ import annotations

from jumpnet.jit.linked import kernel

__all__ = ["detour_is_faster"]


@kernel
def detour_is_faster(queue, direct, short, detour, long):
    """Whether `long` hops by port `detour` promise to be faster than `short` by port `direct`; never without ports.

    >>> import numpy as np
    >>> detour_is_faster(np.array([5, 1]), 0, 2, 1, 6), detour_is_faster(np.array([3, 1]), 0, 2, 1, 6)
    (True, False)
    """
    return direct >= 0 and detour >= 0 and queue[direct] * short > queue[detour] * long
