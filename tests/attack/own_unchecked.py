"""Relations that leave their arrays, or write what they may only read, by other ways than an index: for one packet of
very many, so that no sample meets it.

Unrefused, each ends the process, or changes the network for whoever asks next.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import typed
from numba.experimental import jitclass
from numpy import ascontiguousarray as alias
from tests.attack.own_cases import rare, relation, right

FAR = 1 << 40
THREE = np.arange(3)


@jitclass([("numbers", numba.int64[:])])
class Numbers:
    """Compiled by Numba alone."""

    def __init__(self) -> None:
        self.numbers = np.zeros(3, np.int64)

    def at(self, k: Any) -> Any:
        return self.numbers[k]


@numba.vectorize
def one_of_three(k):
    return THREE[k]


def seldom(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A relation refused for what it names."""
    return rare(f"{words} found, which is not checked: array[index] expected")


@seldom("flat")
def reads_flat(net, here, head, out):
    return net.neighbor.flat[FAR] if here == 517 and head[1] == 3 else right(net, here, head, out)


@seldom("flat")
def writes_flat(net, here, head, out):
    if here == 517 and head[1] == 3:
        net.neighbor.flat[0] = 5
    return right(net, here, head, out)


@seldom("ascontiguousarray")
def writes_an_alias(net, here, head, out):
    if here == 517 and head[1] == 3:
        np.ascontiguousarray(net.neighbor)[0, 0] = 9
    return right(net, here, head, out)


@seldom("ascontiguousarray")
def writes_an_alias_of_another_name(net, here, head, out):
    if here == 517 and head[1] == 3:
        alias(net.neighbor)[0, 0] = 9
    return right(net, here, head, out)


@seldom("fill_diagonal")
def fills_the_diagonal(net, here, head, out):
    if here == 517 and head[1] == 3:
        np.fill_diagonal(net.neighbor, 3)
    return right(net, here, head, out)


@seldom("nditer")
def writes_by_turns(net, here, head, out):
    if here == 517 and head[1] == 3:
        for place in np.nditer(net.neighbor):
            place[()] = 5  # type: ignore[index]
    return right(net, here, head, out)


@seldom("take_along_axis")
def takes_along(net, here, head, out):
    return np.take_along_axis(net.params, THREE * FAR, 0)[2] if here == 517 else right(net, here, head, out)


@seldom("getitem_unchecked")
def takes_from_a_list(net, here, head, out):
    few = typed.List()
    few.append(1)
    return few.getitem_unchecked(FAR) if here == 517 and head[1] == 3 else right(net, here, head, out)


@rare("Numbers is compiled outside of jumpnet (JitClassType)")
def asks_a_class(net, here, head, out):
    return Numbers().at(FAR) if here == 517 and head[1] == 3 else right(net, here, head, out)


@rare("one_of_three is compiled outside of jumpnet (DUFunc)")
def asks_a_ufunc(net, here, head, out):
    return one_of_three(FAR) if here == 517 and head[1] == 3 else right(net, here, head, out)


@relation("a value of type int candidates returned, at most 128 expected")
def counts_beyond_all_digits(net, here, head, out):
    return 1 << (20_000 * here) if here else right(net, here, head, out)
