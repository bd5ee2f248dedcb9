"""A user's own neighbor function of an implicit network: tried in plain Python, and kept to its arrays when compiled.

In plain Python all routers are asked, up to MOST_CALLS, else so many drawn with a fixed seed. The compiled function is
asked through a guard that leaves the first router with a fault in the record; who searches looks there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jumpnet.errors import JumpnetError
from jumpnet.graph._bfs_one import compile_neighbors
from jumpnet.jit.decorator import DISABLED, open_i64
from jumpnet.jit.linked import pointer
from jumpnet.jit.refusal import why_not_compiled
from jumpnet.networks import Implicit
from jumpnet.own.bounded import bounded
from jumpnet.own.strict import frozen, reads, remembered, strict, whole_number
from jumpnet.own.trial import UNLIKE, Fault, Trial, guarded, place, shown, whole
from jumpnet.own.whose import is_own

__all__ = ["neighbors_pointer", "refuse_fault"]

MOST_CALLS = 10_000
FAULT = 4
"""Place in the record of 1 + the router at which the function has failed; 0 where it has not."""


def _try(tried: Trial, implicit: Implicit, router: int) -> None:
    """Ask for the neighbors of one router; raises JumpnetError for a fault."""
    out = np.full(implicit.ports, -1, np.int64)
    try:
        count = tried(guarded(implicit.params, "params"), router, guarded(out, "out", writable=True))
        if not whole(count) or not 0 <= count <= implicit.ports:
            raise tried.at(f"{shown(count)} returned, 0 to {implicit.ports} neighbors expected")
        for k, there in enumerate(out[: int(count)].tolist()):
            if not 0 <= there < implicit.routers:
                raise tried.at(f"neighbor {k} is {there}, 0 to {implicit.routers - 1} expected")
    except Fault as fault:
        raise JumpnetError(f"neighbors of router {router}: {fault}") from None


def neighbors_pointer(implicit: Implicit) -> Any:
    """The neighbor function for kernels; a user's own is checked before, and runs under guard."""
    if not is_own(implicit.neighbors):
        return compile_neighbors(implicit.neighbors)
    _check(implicit)
    return _guard(implicit.neighbors)


_passed: set[tuple[Any, ...]] = set()


def _check(implicit: Implicit) -> None:
    """Try a function in plain Python, once for each network."""
    params = implicit.params
    if not isinstance(params, np.ndarray) or params.dtype != np.int64 or not params.flags.c_contiguous:
        raise JumpnetError(f"params of an implicit network: {shown(params)} found, an array of int64 expected")
    key = (implicit.neighbors, reads(implicit.neighbors), implicit.routers, implicit.ports, params.tobytes())
    if key in _passed:
        return
    _try_some(implicit)
    _passed.add(key)


@bounded(lambda implicit: f"neighbors: {place(implicit.neighbors)}")
def _try_some(implicit: Implicit) -> None:
    tried, every = Trial(implicit.neighbors, "neighbors"), implicit.routers
    few = every <= MOST_CALLS
    for router in range(every) if few else np.random.default_rng(1).integers(0, every, MOST_CALLS).tolist():
        _try(tried, implicit, router)


def refuse_fault(implicit: Implicit, record: Any) -> None:
    """Raise JumpnetError where the guard has met a fault."""
    if not DISABLED and is_own(implicit.neighbors) and record[FAULT] > 0:
        router = int(record[FAULT]) - 1
        _try(Trial(implicit.neighbors, "neighbors"), implicit, router)
        raise JumpnetError(f"neighbors of router {router}: fails compiled, not in plain Python {UNLIKE}")


if DISABLED:

    def _guard(neighbors: Callable[..., int]) -> Any:
        """The function itself."""
        return neighbors

else:
    NEIGHBORS = "int64(int64, int64, int64)"

    @remembered
    def _guard(neighbors: Callable[..., int]) -> Any:
        """The function as a pointer; a router at which it fails has no neighbors, and the record says so."""
        compiled = strict(neighbors)

        def enter(address, router, out):
            """The guarded function by addresses."""
            record = open_i64(address, 5)
            found, count = open_i64(out, record[2]), np.int64(-1)
            try:
                count = whole_number(compiled(frozen(open_i64(record[0], record[1])), router, found))
            except Exception:
                count = np.int64(-1)
            fine = 0 <= count <= record[2]
            if fine:
                for k in range(count):
                    if found[k] < 0 or found[k] >= record[3]:
                        fine = False
            if not fine:
                record[FAULT] = 1 + router
                return 0
            return count

        try:
            return pointer(NEIGHBORS, enter, neighbors)
        except Exception as error:
            reason = why_not_compiled(error, neighbors)
            raise JumpnetError(f"neighbors do not compile: {reason}") from None
