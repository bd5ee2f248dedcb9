"""How functions that misbehave are given to the public face: `CASES` by name, and what the line must hold.

Those marked `rare` do harm only where one packet of a network of 520 routers is, which the sample of the checked pass
does not meet: compiled code does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

import jumpnet
from jumpnet import traffic
from jumpnet.routings import Routing, bind

CASES: dict[str, tuple[str, Callable[[], object]]] = {}
RARE: set[str] = set()
"""Names of those that do harm where no sample of the checked pass looks."""
FEW, MANY = "torus:4x4", "torus:26x20"
FACES: list[Callable[[Routing], object]] = [
    lambda made: jumpnet.network(FEW).prove(made),
    lambda made: jumpnet.network(FEW).paths(made),
    lambda made: jumpnet.network(FEW).simulate(made, load=0.1, measure_cycles=100, warmup_cycles=0),
    lambda made: bind(made, jumpnet.network(FEW).net).pointer,
]


def dimension_order(net, here, head, out):
    """What the relations here do where they behave."""
    for d in range(2):
        side = net.params[d]
        ahead = (net.coord[head[1], d] - net.coord[here, d]) % side
        if ahead != 0:
            out[0, 0] = 2 * d if 2 * ahead <= side else 2 * d + 1
            out[0, 1] = out[0, 2] = out[0, 3] = 0
            return 1
    return 0


right = numba.njit(dimension_order)


@numba.njit
def put(out, row, port):
    """A helper that others ask for as `cases.put`."""
    out[row, 0] = port


def add(name: str, words: str, case: Callable[[], object]) -> None:
    """A case by its name; `words` must be in its line."""
    assert name not in CASES
    CASES[name] = words, case


def relation(words: str, **about: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A misbehaving relation, given to one face after another."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        face, name = FACES[len(CASES) % len(FACES)], f"own.{function.__name__}"
        add(function.__name__, words, lambda: face(Routing(name=name, relation=function, **about)))
        return function

    return take


def start(words: str, **about: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A misbehaving start hook of a relation that behaves."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        relation(words, start=function, **about)(_named(function.__name__))
        return function

    return take


def _named(name: str) -> Any:
    def follows(net, here, head, out):
        return right(net, here, head, out)

    follows.__name__ = name
    return follows


def hook(name: str, words: str, **about: Any) -> None:
    """A routing whose Python hook misbehaves."""
    relation(words, **about)(_named(name))


def pattern(words: str, draws: int = 1, own: Any = (15,)) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A misbehaving pattern, given to the simulator."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        name = function.__name__

        def case() -> object:
            made = traffic.Pattern(name, function, lambda net, options: own, draws=lambda net, options: draws)
            traffic.register(made)
            return jumpnet.simulate(FEW, traffic=name, load=0.1, measure_cycles=100, warmup_cycles=0)

        add(name, words, case)
        return function

    return take


def rare(words: str, face: str = "paths") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A relation that misbehaves for the packets to router 3 in router 517 alone."""

    def take(function: Callable[..., Any]) -> Callable[..., Any]:
        made = Routing(name=f"own.{function.__name__}", relation=function)
        add(function.__name__, words, lambda: getattr(jumpnet.network(MANY), face)(made))
        RARE.add(function.__name__)
        return function

    return take
