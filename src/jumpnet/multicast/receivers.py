"""How many routers receive a message under a scheme: closed forms for one set of destinations or millions of them.

The kernel is in `_receivers`; its naive twin is the walk of the tree. Called by studies, directories, benchmarks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.multicast._checked import check, counted
from jumpnet.multicast._receivers import Tables, address_set, count_sets
from jumpnet.multicast._scheme import Scheme, call_count
from jumpnet.multicast.territory import Territories
from jumpnet.own.hooks import call_hook
from jumpnet.terms import I64

__all__ = ["address_set", "call_count", "counted", "receivers", "receivers_of_sets", "tables_of"]


def tables_of(where: Territories) -> Tables:
    """What kernels read of territories."""
    return Tables(*(getattr(where, name) for name in Tables._fields))


def receivers_of_sets(where: Territories, scheme: Scheme, sources: I64, destinations: I64) -> tuple[I64, I64]:
    """Receivers and top rank of many multicasts.

    sources: (S,) routers. destinations: (S, k) routers, different from each other in a row. Returns two (S,) arrays;
    both are -1 in a row with a destination outside the largest territory. Raises JumpnetError for routers out of
    range. Cost: some 10 ns a destination.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.territory import territories
    >>> found, top = receivers_of_sets(territories("prdt:128"), scheme("SM"), [0, 0], [[1, 2], [1, 128]])
    >>> found.tolist(), top.tolist()
    ([4, 2], [1, 0])
    """
    at = np.ascontiguousarray(sources, np.int64).reshape(-1)
    to = np.ascontiguousarray(destinations, np.int64)
    if to.ndim != 2 or len(to) != len(at) or to.shape[1] < 1:
        raise JumpnetError(f"destinations of shape {to.shape} found, ({len(at)}, k) with k from 1 expected")
    for name, found in (("source", at), ("destination", to)):
        if found.size and (found.min() < 0 or found.max() >= where.routers):
            wrong = int(found.min() if found.min() < 0 else found.max())
            raise JumpnetError(f"{name} {wrong} found, 0 to {where.routers - 1} expected in {where.spec}")
    out, tops = np.empty(len(at), np.int64), np.empty(len(at), np.int64)
    count = counted(scheme, where)
    count_sets(count, tables_of(where), at, to, out, tops)
    scheme.refuse_fault(out)
    return out, tops


@public
def receivers(where: Territories, scheme: Scheme, source: int, destinations: Sequence[int]) -> int:
    """Receivers of one multicast. Raises JumpnetError for routers out of range or out of reach.

    >>> from jumpnet.multicast import scheme
    >>> from jumpnet.multicast.territory import territories
    >>> receivers(territories("prdt:128"), scheme("LPRA"), 0, [1, 2])
    9
    """
    address = where.address(source, sorted(set(destinations)))
    check(scheme, where)
    given = len(address.packed), address.top, where.stride, where.fanout
    who = f"multicast scheme {scheme.name}"
    return int(call_hook(who, "count", scheme.count, address.packed.tolist(), *given, own=scheme.own))
