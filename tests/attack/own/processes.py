"""Injection processes that misbehave, at once or after the packets that are tried; and one that does not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.attack.own.cases import FEW, add

import jumpnet
from jumpnet import traffic
from jumpnet.sim.multicast.simulate import simulate_multicasts

LATE = 110
"""Packets of a source after which some misbehave: more than are tried."""


def process(words: str, prepare: Any = lambda rate, options: [1]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A misbehaving process, given to the simulator."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__

        def case() -> object:
            traffic.register(traffic.Process(name, function, prepare))
            about = {"packet_flits": "1", "measure_cycles": 1000, "warmup_cycles": 0}
            return jumpnet.simulate(FEW, injection=name, load=0.4, **about)

        add(name, words, case)
        return function

    return take


def beat(own, memory, key):
    """One packet in so many cycles."""
    memory[0] += own[0]
    return memory[0]


@process("index 5 of memory found, 0 to 3 expected")
def writes_past_the_memory(own, memory, key):
    memory[5] = 7
    return beat(own, memory, key)


@process("own[0] is written, which may only be read")
def creates_and_writes_its_numbers(own, memory, key):
    own[0] = 2
    return beat(own, memory, key)


@process("cycle -6 returned, one after -1 and at most 2^40 expected")
def goes_back(own, memory, key):
    return memory[0] - 5


@process("cycle 4 returned, but -1 left in memory[0]: the same expected")
def forgets_the_cycle(own, memory, key):
    return memory[0] + 5


@process("0.5 returned, a whole number expected")
def creates_between_cycles(own, memory, key):
    return memory[0] + 1.5


@process("ValueError: no packet")
def creates_an_error(own, memory, key):
    raise ValueError("no packet")


@process("lines run in one call, an end expected")
def never_finds_a_cycle(own, memory, key):
    while memory[0] < 0:
        memory[1] += 1
    return 1


@process("prepare: ", prepare=lambda rate, options: 1 // 0)
def divides_by_nothing(own, memory, key):
    return beat(own, memory, key)


@process("own of prepare is an array of float64, whole numbers expected", prepare=lambda rate, options: [rate])
def wants_fractions(own, memory, key):
    return beat(own, memory, key)


@process("compiled, it fails, or gives a cycle that is not after the last one")
def raises_late(own, memory, key):
    memory[0] += 1
    if memory[0] > LATE:
        raise ValueError("no packet")
    return memory[0]


def never_finds_a_cycle_late(own, memory, key):
    """Only where each call is watched: compiled, it is ended by the user."""
    while memory[0] >= LATE:
        memory[1] += 1
    memory[0] += 1
    return memory[0]


@process("compiled, it fails, or gives a cycle that is not after the last one")
def goes_back_late(own, memory, key):
    memory[0] += 1 if memory[0] < LATE else -20
    return memory[0]


@process("compiled, it fails, or gives a cycle that is not after the last one")
def divides_by_nothing_late(own, memory, key):
    memory[0] += 1
    return memory[0] + 0 * (1 // (memory[0] - LATE))


@process("compiled, it fails, or gives a cycle that is not after the last one")
def writes_past_the_memory_late(own, memory, key):
    memory[0] += 1
    memory[1 if memory[0] < LATE else 500_000_000] = 3
    return memory[0]


def _in_multicasts(function: Callable[..., Any]) -> Callable[[], object]:
    """A run of multicasts, whose sources are asked in plain Python."""

    def case() -> object:
        name = f"cast_{function.__name__}"
        traffic.register(traffic.Process(name, function, lambda rate, options: [1]))
        about = {"packet_flits": "1", "destinations": 3, "measure_cycles": 1000, "warmup_cycles": 0}
        return simulate_multicasts(FEW, injection=name, load=0.4, **about)

    return case


for function, words in (
    (raises_late, "ValueError: no packet"),
    (goes_back_late, "cycle 90 returned, one after 110 and at most 2^40 expected"),
    (divides_by_nothing_late, "division by zero"),
    (writes_past_the_memory_late, "index 500000000 of memory found, 0 to 3 expected"),
    (never_finds_a_cycle_late, "lines run in one call, an end expected"),
):
    add(f"cast_{function.__name__}", words, _in_multicasts(function))


def _one_of_two(bad: str, place: int) -> Callable[[], object]:
    """A run of two classes with processes of one's own, of which that of one class goes back late."""

    def case() -> object:
        for name, function in (("goes_on", beat), (bad, goes_back_late)):
            traffic.register(traffic.Process(name, function, lambda rate, options: [1]))
        first, second = ["goes_on", bad] if place else [bad, "goes_on"]
        more = [{"injection": second, "load": 0.4, "packet_flits": "1"}]
        about = {"packet_flits": "1", "measure_cycles": 1000, "warmup_cycles": 0, "more_classes": more}
        return jumpnet.simulate(FEW, injection=first, load=0.4, **about)

    return case


for place, bad in enumerate(("first_goes_back_late", "second_goes_back_late")):
    words = "compiled, it fails, or gives a cycle that is not after the last one"
    add(bad, words, _one_of_two(bad, place))
