"""Circulant networks: routers on a circle, each joined to those a few fixed steps ahead and behind. Used by families.

Midimew, barrel shifter and ILLIAC are circulants; a translation is an automorphism, so they are vertex-transitive.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from jumpnet.networks import Implicit, Network, Orbits, from_neighbors, simple_links
from jumpnet.terms import F64, I64

__all__ = ["circulant", "implicit_circulant", "turn"]


def _neighbors(params, router, out):
    """Neighbors of one router for networks without a table; params = [routers, steps...]."""
    N = params[0]
    count = 0
    for i in range(1, len(params)):
        out[count] = (router + params[i]) % N
        out[count + 1] = (router - params[i]) % N
        count += 2
    return count


def circulant(
    spec: str,
    family: str,
    routers: int,
    steps: Sequence[int],
    *,
    coord: I64 | None = None,
    position: F64,
    attributes: Mapping[str, object],
) -> Network:
    """The circulant with these steps: port 2i leads steps[i] ahead, port 2i+1 behind; class rank = i.

    A step of half the routers is one link, on port 2i. params = [routers, steps...].
    """
    here = np.arange(routers, dtype=np.int64)
    columns = [(here + sign * step) % routers for step in steps for sign in (1, -1)]
    return from_neighbors(
        spec,
        family,
        simple_links(np.stack(columns, axis=1)),
        link_class=np.arange(2 * len(steps)),
        class_names=tuple(f"step {step} {sign}" for step in steps for sign in "+-"),
        class_rank=np.repeat(np.arange(len(steps)), 2),
        mirror=np.arange(2 * len(steps)) ^ 1,
        coord=coord,
        orbits=Orbits.transitive(routers),
        position=position,
        params=np.array([routers, *steps], np.int64),
        attributes=attributes,
    )


def implicit_circulant(routers: int, steps: Sequence[int]) -> Implicit:
    """The same without a table."""
    params = np.array([routers, *steps], np.int64)
    return Implicit(routers, 2 * len(steps), _neighbors, params, Orbits.transitive(routers))


def turn(routers: int) -> Iterator[I64]:
    """The automorphism that moves every router one place ahead."""
    yield (np.arange(routers, dtype=np.int64) + 1) % routers
