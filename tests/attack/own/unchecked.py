"""Relations that leave their arrays, or write what they may only read, by other ways than an index, and what Numba
compiles without our checks: for one packet of very many, so that no sample meets it.

Unrefused, each ends the process, or changes the network for whoever asks next.
"""

from __future__ import annotations

import operator
import os
import random
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import objmode, typed
from numba.experimental import jitclass
from numba.extending import overload, overload_method
from numpy import ascontiguousarray as alias
from tests.attack.own.cases import rare, relation, right

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


@seldom("bincount")
def counts_what_is_below_nothing(net, here, head, out):
    return np.bincount(THREE - here)[0] if here == 517 and head[1] == 3 else right(net, here, head, out)


@seldom("add")
def adds_into_what_is_too_small(net, here, head, out):
    if here == 517 and head[1] == 3:
        np.add(THREE, 1, out[0, :1])
    return right(net, here, head, out)


@seldom("an array changed by another in place")
def adds_beyond_the_other_in_place(net, here, head, out):
    few = np.zeros(4, np.int64)
    if here == 517 and head[1] == 3:
        few += THREE
    return right(net, here, head, out) + few[3]


@overload_method(numba.types.Array, "peek")
def peek(array, k):
    return lambda array, k: array[k]


@overload(os.getpid)
def getpid(array, k):
    return lambda array, k: array[k]


@seldom("peek")
def asks_a_method_of_ones_own(net, here, head, out):
    return net.neighbor[0].peek(FAR) if here == 517 and head[1] == 3 else right(net, here, head, out)


@seldom("getpid")
def asks_what_is_compiled_otherwise(net, here, head, out):
    return os.getpid(THREE, FAR) if here == 517 and head[1] == 3 else right(net, here, head, out)


@seldom("getattr")
def asks_by_a_text(net, here, head, out):
    return getattr(THREE, "size") if here == 517 and head[1] == 3 else right(net, here, head, out)  # noqa: B009


@seldom("objmode")
def goes_back_to_python(net, here, head, out):
    if here == 517 and head[1] == 3:
        with objmode(k="int64"):
            k = int("0")
        return k
    return right(net, here, head, out)


@rare("randint found, which no seed of a run repeats: a draw that the function gets expected")
def draws_by_itself(net, here, head, out):
    return random.randint(0, 3) if here == 517 and head[1] == 3 else right(net, here, head, out)


@seldom("reshape")
def takes_a_shape_that_is_nothing_in_64_bits(net, here, head, out):
    if here == 517 and head[1] == 3:
        return THREE[:0].reshape(1 << 32, 1 << 32)[here, here]
    return right(net, here, head, out)


@numba.njit
def taken(array, k):
    return array[k]


def by_a_default(array, k, take=taken):
    return take(array, k)


@rare("index 1099511627776 of net.params found, 0 to 1 expected")
def reads_outside_by_a_default(net, here, head, out):
    if here == 517 and head[1] == 3:
        return by_a_default(net.params, FAR)
    return right(net, here, head, out)


@rare("isdigit of a text found, which is not checked: array[index] expected")
def asks_a_text(net, here, head, out):
    """The cheapest to compile of all methods of texts, which are refused alike."""
    return "a".isdigit() if here == 517 and head[1] == 3 else right(net, here, head, out)


@relation("a value of type int candidates returned, at most 128 expected")
def counts_beyond_all_digits(net, here, head, out):
    return 1 << (20_000 * here) if here else right(net, here, head, out)


@seldom("add")
def adds_by_a_star(net, here, head, out):
    if here == 517 and head[1] == 3:
        three = (np.zeros(4, np.int64), np.zeros(4, np.int64), np.zeros(10_000_000, np.int64))
        np.add(*three)
    return right(net, here, head, out)


@seldom("iadd")
def adds_in_place_by_name(net, here, head, out):
    if here == 517 and head[1] == 3:
        many = np.zeros(10_000_000, np.int64)
        operator.iadd(many, np.arange(4))
    return right(net, here, head, out)


@seldom("repeat")
def repeats_beyond_64_bits(net, here, head, out):
    return len(np.repeat(np.arange(16), 1 << 60)) if here == 517 and head[1] == 3 else right(net, here, head, out)


@seldom("remainder")
def divides_the_least_number(net, here, head, out):
    if here == 517 and head[1] == 3:
        return np.remainder(np.full(3, -(1 << 62) * 2), np.full(3, here - 518))[0]
    return right(net, here, head, out)


@seldom("hash")
def reads_a_hash(net, here, head, out):
    return hash(here) % 2 if here == 517 and head[1] == 3 else right(net, here, head, out)


@rare("print found, which may stand in hooks")
def prints(net, here, head, out):
    if here == 517 and head[1] == 3:
        print(here)
    return right(net, here, head, out)


@rare("the remainder of an array in place")
def divides_the_least_number_in_place(net, here, head, out):
    many = np.full(3, -(1 << 62) * 2)
    if here == 517 and head[1] == 3:
        many %= 15 - net.coord[here, 1]
    return right(net, here, head, out) + many[0] * 0


@rare("try found, which compiled code cannot have")
def catches(net, here, head, out):
    try:
        return right(net, here, head, out)
    except Exception:
        return 0


@rare("del few[0:2] found, which is not compiled")
def deletes_a_slice(net, here, head, out):
    few = [1, 2, 3]
    del few[0:2]
    return right(net, here, head, out)


@rare("a result of type float64 found, a whole number expected")
def gives_half(net, here, head, out):
    return 1.5 if here == 517 and head[1] == 3 else right(net, here, head, out)


@rare("a float written to an array of whole numbers found")
def writes_half(net, here, head, out):
    if here == 517 and head[1] == 3:
        out[0, 0] = 1.5
    return right(net, here, head, out)


@numba.njit
def forgets(kept, key):
    """Changes what it is given."""
    kept.pop(key)


@rare("the order of a set found, which is another one in compiled code")
def turns_to_the_first_of_a_set(net, here, head, out):
    for port in {1 << 40, 3, 17, 64, here}:
        return right(net, here, head, out) + 0 * port
    return -1


@rare("the order of a set found, which is another one in compiled code")
def turns_to_any_of_a_set(net, here, head, out):
    return right(net, here, head, out) + 0 * {1 << 40, 3, here}.pop()


@rare("the order of a set found, which is another one in compiled code")
def lists_a_set(net, here, head, out):
    return right(net, here, head, out) + 0 * list({1 << 40, 3, here})[0]  # noqa: RUF015 - the case


@rare("the order of a set found, which is another one in compiled code")
def adds_a_set_to_a_list(net, here, head, out):
    ports = [0]
    ports.extend({1 << 40, 3, here})
    return right(net, here, head, out) + 0 * ports[1]


@rare("a slice of a list set to a list found, which may be the same one")
def sets_a_slice_of_a_list_to_that_list(net, here, head, out):
    """It was 500492 in sum for numbers below 1000, and is 998993."""
    ports = list(range(1000))
    if here == 517 and head[1] == 3:
        ports[3:5] = ports
    return right(net, here, head, out) + 0 * ports[0]


@rare("a dictionary changed in a loop over one found, which compiled code ends without a word")
def changes_a_dictionary_in_its_loop(net, here, head, out):
    turns, seen = {0: 1, 5: 6}, 0
    for key in turns:
        seen += 1
        if here == 517 and head[1] == 3:
            turns[key + 1] = 1
    return right(net, here, head, out) if seen == 2 else -1


@rare("a dictionary changed in a loop over one found, which compiled code ends without a word")
def changes_a_dictionary_in_its_loop_by_a_helper(net, here, head, out):
    turns, seen = {0: 1, 5: 6}, 0
    for key, turn in turns.items():
        seen += turn
        if here == 517 and head[1] == 3:
            forgets(turns, key)
    return right(net, here, head, out) if seen == 7 else -1


@seldom("setitem")
def writes_half_by_name(net, here, head, out):
    if here == 517 and head[1] == 3:
        operator.setitem(out, (0, 0), 1.5)
    return right(net, here, head, out)
