"""Start hooks, Python hooks and patterns that misbehave, and relations that do so for one packet of very many."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from tests.attack.own.cases import FACES, FEW, add, dimension_order, hook, pattern, rare, right, start

from jumpnet import traffic
from jumpnet.graph.distances import distances_from
from jumpnet.multicast import Scheme, scheme
from jumpnet.multicast.receivers import receivers_of_sets
from jumpnet.multicast.territory import territories
from jumpnet.networks import Implicit
from jumpnet.routings import INTERMEDIATE, STATE, Prepared, Routing
from jumpnet.sim.batches import send_batches
from jumpnet.sim.multicast.simulate import simulate_multicasts
from jumpnet.topology import build


# Start hooks.
@start("head[1] is written, STATE and INTERMEDIATE alone may be")
def starts_for_elsewhere(net, head, draw, queue):
    head[1] = 3


@start("INTERMEDIATE 99 found, a router (0 to 15) or -1 expected")
def starts_by_no_router(net, head, draw, queue):
    head[INTERMEDIATE] = 99


@start("index 4 of queue found, 0 to 3 expected")
def starts_by_a_queue_too_many(net, head, draw, queue):
    for p in range(5):
        if queue[p] > 0:
            head[STATE] = p


@start("queue[0] is written, which may only be read")
def empties_a_queue(net, head, draw, queue):
    queue[0] = 0


@start("KeyError: 7")
def starts_with_an_error(net, head, draw, queue):
    raise KeyError(7)


@start("lines run in one call, an end expected")
def starts_without_end(net, head, draw, queue):
    while head[STATE] == 0:
        head[INTERMEDIATE] = 0


hook("draws_none", "draws gives 0, a whole number of at least 1 expected",
     start=lambda net, head, draw, queue: None, draws=lambda net, options: 0)  # fmt: skip
hook("draws_words", "draws gives 'many'", start=lambda net, head, draw, queue: None, draws=lambda net, options: "many")
hook("needs_half_a_channel", "vcs gives 0.5", vcs=lambda net, options: 0.5)
hook("sees_seven", "sees gives 7, a number expected that divides 16 routers", sees=lambda net: 7)
hook("fits_yes", "fits gives True, None or a text that says why not expected", fits=lambda net: True)
hook("fits_no", "fits gives False, None or a text that says why not expected", fits=lambda net: False)
hook("fits_with_an_error", "fits: ", fits=lambda net: net.no_such_thing)
hook("prepares_with_an_error", "prepare: ", prepare=lambda net, options: 1 // 0)
hook("prepares_nothing", "prepare gives NoneType", prepare=lambda net, options: None)
hook("prepares_floats", "is an array of float64", prepare=lambda net, options: Prepared(own=np.ones(3)))
hook("prepares_too_much", "table of prepare holds 70000, -32768 to 32767 expected",
     prepare=lambda net, options: Prepared(table=np.full((2, 2), 70_000)))  # fmt: skip
add("covers_elsewhere", "destinations of cover hold 0 to 99, 0 to 15 expected",
    lambda: FACES[1](Routing(name="own.covers", relation=dimension_order, cover=lambda net, view: [
        lambda: (np.zeros(2, int), np.array([0, 99]), np.ones(2, int))])))  # fmt: skip


# Patterns.
@pattern("destination 16 found, 0 to 15, or -1 for no packet, expected")
def goes_outside(own, source, draw):
    return source + 1


@pattern("destination -2 found")
def goes_below(own, source, draw):
    return -2


@pattern("index 1 of own found, 0 to 0 expected")
def reads_past_its_numbers(own, source, draw):
    return own[1]


@pattern("own[0] is written, which may only be read")
def writes_its_numbers(own, source, draw):
    own[0] -= 1
    return own[0]


@pattern("division by zero")
def divides(own, source, draw):
    return source // draw


@pattern("RuntimeError: no")
def refuses(own, source, draw):
    raise RuntimeError("no")


@pattern("lines run in one call, an end expected")
def seeks_for_ever(own, source, draw):
    while source < 16:
        draw += 1
    return 0


@pattern("2.0 returned, a whole number expected")
def goes_to_a_float(own, source, draw):
    return 2.0


@pattern("own of prepare is an array of float64", own=[0.5])
def has_floats(own, source, draw):
    return 0


@pattern("draws gives -1", draws=-1)
def has_no_draws(own, source, draw):
    return 0


@pattern("terminal 15, draw 1999: ", draws=2000)
def goes_outside_once(own, source, draw):
    return 99 if source == 15 and draw == 1999 else 0


# Patterns in runs that ask in plain Python.
FAR = 1 << 40
"""Draws too many to be asked one by one, compiled too."""


def strays_where_nobody_looks(own, source, draw):
    """Tried by no sample."""
    return 16 if draw == FAR // 2 else 0


def writes_where_nobody_looks(own, source, draw):
    """Likewise."""
    if draw == FAR // 2:
        own[FAR] = 7
    return 0


def passes_64_bits(own, source, draw):
    """Compiled, -1 for no packet."""
    return (own[0] << 62) >> 62


def _bound(function: Callable[..., Any], draws: int) -> traffic.BoundPattern:
    """A pattern on a small network."""
    name = f"asked_{function.__name__}"
    made = traffic.Pattern(name, function, lambda net, options: [15], draws=lambda net, options: draws)
    return traffic.bind(traffic.register(made).name, build(FEW))


def _multicasts(function: Callable[..., Any], draws: int) -> object:
    about = {"multicast_share": 0.1, "destinations": 3, "load": 0.4, "measure_cycles": 200, "warmup_cycles": 0}
    return simulate_multicasts(FEW, traffic=_bound(function, draws).pattern.name, **about)


def _batches(function: Callable[..., Any], draws: int) -> object:
    return send_batches(FEW, traffic=_bound(function, draws).pattern.name, packets=1)


for name, words, case in (
    ("asked_strays", "draw 549755813888: ", lambda: _bound(strays_where_nobody_looks, FAR)(15, FAR // 2)),
    ("asked_writes", "own[1099511627776] is written", lambda: _bound(writes_where_nobody_looks, FAR)(15, FAR // 2)),
    ("cast_strays", "terminal 15, draw 1999: ", lambda: _multicasts(goes_outside_once, 2000)),
    ("cast_64_bits", "compiled, it gives -1; in plain Python 15", lambda: _multicasts(passes_64_bits, 1)),
    ("batch_strays", "terminal 15, draw 1999: ", lambda: _batches(goes_outside_once, 2000)),
):
    add(name, words, case)


# Neighbor functions of networks too big for a table.
def neighbors(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A misbehaving neighbor function of a ring, of whose routers the plain pass sees a sample."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        ring = Implicit(20_000, 2, function, np.array([20_000]), None)
        add(function.__name__, words, lambda: distances_from(ring, 0))
        return function

    return take


@neighbors("neighbors of router 7: ")
def leaves_the_ring(params, router, out):
    out[0], out[1] = (router + 1) % params[0] if router != 7 else 1 << 40, (router - 1) % params[0]
    return 2


@neighbors("3 returned, 0 to 2 neighbors expected")
def has_too_many(params, router, out):
    out[0], out[1] = (router + 1) % params[0], (router - 1) % params[0]
    return 3


@neighbors("index 2 of out found, 0 to 1 expected")
def writes_too_many(params, router, out):
    for k in range(3):
        out[k] = (router + k) % params[0]
    return 2


@neighbors("params[0] is written, which may only be read")
def changes_the_ring(params, router, out):
    params[0] = 4
    return 0


# Closed forms of multicast schemes.
def closed_form(words: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A misbehaving closed form."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        sm = scheme("SM")
        made = Scheme("own", sm.maps, sm.rule, function, sm.header_bits)
        where = territories("prdt:64")
        add(function.__name__, words, lambda: receivers_of_sets(where, made, [0], [[2, 3]]))
        return function

    return take


@closed_form("of digits found, 0 to 0 expected")
def reads_past_its_digits(digits, k, top, stride, fanout):
    return digits[k + 1_000_000]


# Where the sample does not look.
@rare("router 517, packet from")
def raises_rarely(net, here, head, out):
    if here == 517 and head[1] == 3:
        raise ValueError("rarely")
    return right(net, here, head, out)


@rare("router 517, packet from", "prove")
def strays_rarely(net, here, head, out):
    count = right(net, here, head, out)
    if here == 517 and head[1] == 3:
        out[0, 0] = 1 << 40
    return count


@rare("of net.neighbor found, 0 to 519 expected", "prove")
def reads_outside_rarely(net, here, head, out):
    if here == 517 and head[1] == 3:
        return net.neighbor[here * head[1] * 1_000_000, 0]
    return right(net, here, head, out)


@rare("of out found, 0 to 127 expected")
def writes_outside_rarely(net, here, head, out):
    if here == 517 and head[1] == 3:
        for k in range(5_000_000):
            out[k, 0] = k
    return right(net, here, head, out)
