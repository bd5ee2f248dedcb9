"""Helpers in plain Python of relations and other functions of one's own: those that behave and those that do not."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.attack.own.cases import dimension_order, pattern, rare, relation
from tests.attack.own.processes import process

import jumpnet
from jumpnet import traffic
from jumpnet.graph.distances import distances_from
from jumpnet.networks import Implicit
from jumpnet.routings import Routing

TURNS = np.array([0, 1, 1, 0])
SEEN = np.zeros(4, np.int64)
STEPS = {1: 1}
SIDES = (4, 4)
ONE = 1


def ahead_of(side, here, there):
    """Hops upward; calls one more helper."""
    return wrapped(there - here, side)


def wrapped(distance, side):
    """A distance round a ring."""
    return distance % side


def halved(number):
    """Counts how often a number can be halved: a loop, as own functions may not call themselves (`recursion`)."""
    count = 0
    while number >= 2:
        number, count = number // 2, count + ONE
    return count


def by_helpers(net, here, head, out):
    """Dimension order, every step by a helper or a constant."""
    for d in range(len(SIDES)):
        ahead = ahead_of(SIDES[d], net.coord[here, d], net.coord[head[1], d])
        if ahead != 0:
            fill(out, 2 * d if halved(ahead) * 2 <= SIDES[d] // 2 and ahead <= 2 else 2 * d + TURNS[1])
            return ONE
    return 0


def fill(out, port):
    """A helper that writes rows."""
    out[0, 0] = port
    out[0, 1] = out[0, 2] = out[0, 3] = 0


def outside(net, here):
    """Reads past the network."""
    return net.neighbor[here + 1000, 0]


def looked_up(number):
    """Reads what does not compile."""
    return STEPS[number]


@relation("index 1001 of net.neighbor found, 0 to 15 expected")
def reads_outside_in_a_plain_helper(net, here, head, out):
    return outside(net, here) if here == 1 else dimension_order(net, here, head, out)


@relation("SEEN[1] is written, which may only be read")
def writes_what_it_closes_over(net, here, head, out):
    SEEN[ONE] = here
    return dimension_order(net, here, head, out)


@relation("index 7 of TURNS found, 0 to 3 expected")
def reads_past_a_constant(net, here, head, out):
    return dimension_order(net, here, head, out) + TURNS[here if here == 7 else 0]


@relation("helper looked_up: STEPS found, of type dict: a function")
def asks_a_helper_that_does_not_compile(net, here, head, out):
    return dimension_order(net, here, head, out) * looked_up(1)


@rare("index 1517 of net.neighbor found")
def reads_outside_rarely_in_a_plain_helper(net, here, head, out):
    if here == 517 and head[1] == 3:
        return outside(net, here)
    return dimension_order(net, here, head, out)


@pattern("helper looked_up: STEPS found, of type dict: a function")
def a_pattern_asks_for_what_does_not_compile(own, source, draw):
    return source * looked_up(1)


@process("helper looked_up: STEPS found, of type dict: a function")
def a_process_asks_for_what_does_not_compile(own, memory, key):
    memory[0] += looked_up(1)
    return memory[0]


def _mirrored(own, source, draw):
    return wrapped(-ONE - source, own[0])


def _beats(own, memory, key):
    memory[0] = ahead_of(1 << 40, 0, memory[0] + own[0])
    return memory[0]


def _round(params, router, out):
    out[0], out[1] = wrapped(router + ONE, params[0]), wrapped(router - ONE, params[0])
    return 2


def behave() -> dict[str, Any]:
    """What a routing, a pattern, a process and a network give, whose functions call helpers."""
    net, made = jumpnet.network("torus:4x4"), Routing("own.helped", by_helpers)
    traffic.register(traffic.Pattern("mirrored", _mirrored, lambda net, options: [net.endpoints]))
    traffic.register(traffic.Process("beats", _beats, lambda rate, options: [int(1 / rate)]))
    short = {"load": 0.2, "measure_cycles": 100, "warmup_cycles": 0}
    return {
        "paths": net.paths(made).maximum,
        "verdict": net.prove(made).verdict,
        "created": net.simulate(made, traffic="mirrored", injection="beats", **short).offered_load,
        "mirrored": traffic.bind("mirrored", net.net)(3, 0),
        "farthest": int(distances_from(Implicit(9, 2, _round, np.array([9]), None), 0).max()),
    }
