"""Relations and other functions of one's own that call themselves: refused before they run, by whatever way.

Each comes to an end for all packets but one of very many; unrefused, that one overflows the stack and ends the process.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from tests.attack.own import cases
from tests.attack.own.cases import FEW, add, pattern, rare, relation, right
from tests.attack.own.processes import process

import jumpnet
from jumpnet.graph.distances import distances_from
from jumpnet.networks import Implicit
from jumpnet.routings import Routing

MAY_NOT = "which own functions may not: a loop expected"


def deep(number):
    """Ends for what is below 0."""
    return 0 if number < 0 else deep(number + 1) + 1


def there(number):
    """Calls what calls it."""
    return 0 if number < 0 else back(number + 1) + 1


def back(number):
    return there(number + 1)


def _closed() -> Any:
    def within(number):
        return 0 if number < 0 else within(number + 1) + 1

    return within


within = _closed()
compiled = numba.njit(_closed())


def chosen(number):
    return 0 if number < 0 else WAYS[number % 2](number + 1) + 1


WAYS = (deep, chosen)


def by_default(number, again=None):
    return 0 if number < 0 else again(number + 1) + 1


by_default.__defaults__ = (by_default,)


def by_module(number):
    return 0 if number < 0 else cases.recurs(number + 1) + 1


cases.recurs = by_module  # type: ignore[attr-defined]


def given(again, number):
    """Is its own argument."""
    return 0 if number < 0 else again(again, number + 1) + 1


def for_one(helper: Any) -> Any:
    """A relation that asks a helper for more than 0 for one packet alone."""

    def asks(net, here, head, out):
        return right(net, here, head, out) + 0 * helper(here if here == 517 and head[1] == 3 else -1)

    asks.__name__ = f"recursion_{getattr(helper, 'py_func', helper).__name__}"
    return asks


rare(f"deep calls itself, {MAY_NOT}")(for_one(deep))
rare(f"there calls itself by way of back, {MAY_NOT}")(for_one(there))
rare(f"within calls itself, {MAY_NOT}")(for_one(within))
rare(f"chosen calls itself, {MAY_NOT}")(for_one(chosen))
rare(f"by_default calls itself, {MAY_NOT}")(for_one(by_default))
rare(f"by_module calls itself, {MAY_NOT}")(for_one(by_module))


@rare(f"within calls itself, {MAY_NOT}", face="prove")
def recursion_compiled_by_the_user(net, here, head, out):
    return right(net, here, head, out) + 0 * compiled(-1)


@rare("helper given: a call of itself found, a loop expected")
def recursion_given_to_itself(net, here, head, out):
    return right(net, here, head, out) + 0 * given(given, here if here == 517 and head[1] == 3 else -1)


@relation(f"right_round calls itself, {MAY_NOT}", start=lambda net, head, draw, queue: None)
def right_round(net, here, head, out):
    return right(net, here, head, out) if here < 99 else right_round(net, here, head, out)


@pattern(f"deep calls itself, {MAY_NOT}")
def a_pattern_recurs(own, source, draw):
    return source + deep(-1)


@process(f"deep calls itself, {MAY_NOT}")
def a_process_recurs(own, memory, key):
    return memory[0] + 1 + deep(-1)


def _starts(net, head, draw, queue):
    deep(-1)


def _ring(params, router, out):
    out[0] = (router + 1 + deep(-1)) % params[0]
    return 1


add(
    "a_start_hook_recurs",
    f"deep calls itself, {MAY_NOT}",
    lambda: jumpnet.network(FEW).paths(Routing(name="own.starts", relation=cases.dimension_order, start=_starts)),
)
add(
    "neighbors_recur",
    f"neighbors: {cases.__file__.replace('cases.py', 'recursion.py')}:",
    lambda: distances_from(Implicit(9, 1, _ring, np.array([9]), None), 0),
)
