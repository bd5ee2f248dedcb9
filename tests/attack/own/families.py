"""Families, networks and routings of one's own with attributes, methods and annotations that are wrong in an ordinary
way."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from annotated_types import Ge
from tests.attack.own.cases import CASES, add, dimension_order

import jumpnet
from jumpnet import traffic
from jumpnet.coherence.encoding import encoding
from jumpnet.multicast import Broadcast, scheme
from jumpnet.networks import Implicit, Network, Orbits, from_links, from_neighbors
from jumpnet.routings import Routing
from jumpnet.topology import Family, register

BEFORE = frozenset(CASES)
RING = np.stack([np.roll(np.arange(4), -1), np.roll(np.arange(4), 1)], 1)


def made(name: str, kind: Any = None, default: Any = 4, **methods: Any) -> jumpnet.lab.network.LabNetwork:
    """A ring of a family of one's own, with other methods, and a setting of another type."""

    def build(self: Any) -> Network:
        return from_neighbors(self.spec, name, RING, mirror=np.array([1, 0]))

    body = {"name": name, "build": build, "__annotations__": {"n": kind or "int"}, "n": default, **methods}
    return jumpnet.network(register(dataclass(frozen=True)(type(f"Own{name}", (Family,), body))).name)


def family(name: str, words: str, ask: str, **methods: Any) -> None:
    """A case: a method of a family that is wrong, met by asking for a figure."""
    add(name, words, lambda: getattr(made(name, **methods), ask)())


def gives(answer: Any) -> Callable[..., Any]:
    """A method that gives the same whatever is asked."""
    return lambda *given: answer


def fails(*given: Any) -> Any:
    """A method with a slip."""
    return 1 // 0


def again(self: Any) -> Any:
    """Asks for itself."""
    return self.build()


def turns_and_fails(self: Any, net: Network) -> Any:
    """One automorphism, and then none."""
    yield np.array([1, 2, 3, 0])
    raise KeyError("second")


for number, (words, answer) in enumerate(
    [
        ("automorphisms has 0 dimensions, 1 expected", [np.array(5)]),
        ("automorphisms is an array of <U1, whole numbers expected", [list("abcd")]),
        ("automorphisms gives 'x', arrays one after another expected", None),
        ("automorphisms gives 5, arrays", 5),
        ("automorphisms is no table", [[[1], [2, 3]]]),
        ("automorphisms gives [0, 0, 0, 0], each of 4 routers once expected", [[0, 0, 0, 0]]),
        ("automorphisms is an array of float64", [[0.0, 1.0, 2.0, float("nan")]]),
        ("automorphisms gives [0, 1], each of 4 routers once", [[0, 1]]),
    ]
):
    if answer is None:
        words, answer = "automorphisms is an array of <U1", "x"
    family(f"turns{number}", words, "symmetry", automorphisms=gives(answer))
family("turnslate", "KeyError: 'second'", "symmetry", automorphisms=turns_and_fails)
family("turnsarguments", "takes 1 positional argument", "symmetry", automorphisms=lambda self: ())
family("halvesfail", "halves: ", "bisection", halves=fails)
family("halvesnone", "halves gives None", "bisection", halves=gives(None))

for number, answer in enumerate([4, "x", (1,), ("a", "b"), (None, None), (-1, "x")]):
    words = f"bisection_width gives {answer!r}, (links, source) or None expected"
    family(f"width{number}", words, "bisection", bisection_width=gives(answer))
for number, answer in enumerate(
    [{"routers": "x", "degree": 2}, {"routers": None}, {"routers": float("nan"), "degree": 1}, {3: 4}]
):
    family(f"claims{number}", "figures by name expected", "metrics", claims=gives(answer))
family("claimsdiametre", "no figure of `metrics`; did you mean 'diameter'?", "metrics", claims=gives({"diametre": 2}))
family("buildsterminal", "unknown argument of from_neighbors 'terminal'; did you mean 'terminals'?", "metrics",
    build=lambda self: from_neighbors(self.spec, self.name, RING, terminal=5))  # fmt: skip
family("buildslinks", "unknown argument of from_links 'orbit'; did you mean 'orbits'?", "metrics",
    build=lambda self: from_links(self.spec, self.name, 2, np.array([[0, 1]]), orbit=5))  # fmt: skip
family("claimslist", "claims() gives list, figures by name expected", "metrics", claims=gives([("routers", 4)]))
family("claimsfail", "claims: ", "metrics", claims=fails)
for number, answer in enumerate([5, ("a",), (1, 2, 3)]):
    family(f"size{number}", f"size gives {answer!r}, (routers, ports) or None", "metrics", size=gives(answer))
family("sizenone", "size gives None, a whole number of at least 0", "metrics", size=gives((None, 2)))
family("builds5", "build() gives int, a Network expected", "metrics", build=gives(5))
family("buildsagain", "calls itself without end", "metrics", build=again)
family("buildsnothing", "defines no build(), one expected", "metrics", build=Family.build)
family("ends", "SystemExit", "metrics", build=lambda self: exit(3))
family("refusessizes", "division by zero", "metrics", __post_init__=fails)
family("notaspec", "spec() gives int, a str expected", "metrics", spec=property(gives(5)))
family("notamember", "int made, a member of the family expected", "metrics", parse=classmethod(gives(5)))
family("notremarks", "remarks 'x' found, a property expected", "metrics", remarks="x")
family("nomethod", "claims 5 found, a method expected", "metrics", claims=5)
family("nosamples", "samples 5 found, a tuple of specs expected", "metrics", samples=5)

BIG, ONE = gives((10**8, 2)), Orbits(np.zeros(1, int), np.ones(1, int))
for number, (words, answer) in enumerate(
    [
        ("implicit() gives int, an Implicit or None expected", 5),
        ("neighbors 7 of implicit() found, a function expected", Implicit(4, 2, 7, RING[0], ONE)),  # type: ignore[arg-type]
        ("params of implicit has 2 dimensions", Implicit(4, 2, gives(0), RING, ONE)),
        ("orbits of implicit() name routers", Implicit(4, 2, gives(0), RING[0], Orbits(RING[0] + 9, RING[0]))),
    ]
):  # fmt: skip
    family(f"implicit{number}", words, "metrics", size=BIG, implicit=gives(answer))

for number, (kind, words) in enumerate(
    [
        ("nothing[[[", "the types of the fields: SyntaxError"), ("Nothing", "NameError: name 'Nothing' is not defined"),
        ("1 / 0", "ZeroDivisionError"), ("exit()", "SystemExit"), ("Annotated[int, Ge('x')]", "NameError"),
    ]
):  # fmt: skip
    add(f"types{number}", words, lambda number=number, kind=kind: made(f"types{number}", kind))
add("typesbound", "bounds {'ge': 'x'} found, numbers expected",
    lambda: made("typesbound", __import__("typing").Annotated[int, Ge("x")]))  # fmt: skip
add("typesmade", "the default of n: ZeroDivisionError", lambda: made("typesmade", default=field(default_factory=fails)))
add("namedbynumber", "name 7 found, a text expected", lambda: made(7))  # type: ignore[arg-type]
add("undecorated", "class Plain found, @dataclass(frozen=True) before it expected", lambda: jumpnet.network(
    register(type("Plain", (Family,), {"name": "plain", "__annotations__": {"n": "int"}})).name + ":4"))  # fmt: skip
add("typesnone", "'3' found, None expected", lambda: jumpnet.network(made("typesnone", "None", None).spec + ":n=3"))


# What every network says of itself, and graphs that are none.
def network_with(**about: Any) -> Callable[[], object]:
    return lambda: replace(jumpnet.network("torus:4").net, **about)


add("attributes5", "attributes of type int found, a mapping expected", network_with(attributes=5))
add("given5", "given of type int found, a graph with its digest or None expected", network_with(given=5))
add("far", "position holds 1e+308, at most 1e+30 expected", network_with(position=[[1e308, 0]] * 4))
add("overrides", "'routers' found, which every network has already", lambda: type("Sub", (Network,), {"routers": 5}))
add("nograph", "Graph found, a NetworkX graph expected",
    lambda: jumpnet.network(type("Graph", (), {"nodes": [0, 1], "edges": [(0, 1)]})()))  # fmt: skip


# Fields of routings, patterns, processes, schemes, broadcasts and encodings.
def routing(name: str, words: str, **about: Any) -> None:
    add(name, words, lambda: Routing(**({"name": "own.x", "relation": dimension_order} | about)).settings)


routing("relation5", "relation 5 found, a function expected", relation=5)
routing("fitsnone", "fits None found, a function expected", fits=None)
routing("symmetrictrue", "symmetric True found, a function expected", symmetric=True)
routing("cover5", "cover 5 found, a function or None expected", cover=5)
routing("endsnone", "one_vc_at_ends None found, True or False expected", one_vc_at_ends=None)
routing("phases", "two_phases 'all' found, True, False or 'some' expected", two_phases="all")
routing("ordersnone", "orders 0 found, a whole number from 1 on expected", orders=0)
routing("orderstrue", "orders True found, a whole number from 1 on expected", orders=True)
routing("familieword", "default_for 'torus' found, a tuple of families expected", default_for="torus")
routing("optionslist", "options [('a', 3)] found, a table by name expected", options=[("a", 3)])
routing("optionsnumber", "options {5: 3} found, a table by name expected", options={5: 3})
routing("optionsempty", "a: default () found, a number, a text or the values allowed expected", options={"a": ()})
routing("optionsarray", "the values allowed expected", options={"a": np.zeros(3)})
routing("meaningslist", "meanings ['a'] found, a table by name expected", meanings=["a"])
for name, words, about in (
    ("covers5", "cover gives 5, a list of functions expected", {"cover": gives(5)}),
    ("symmetricx", "symmetric gives 'x', True or False expected", {"symmetric": gives("x")}),
):
    add(name, words, lambda about=about: jumpnet.network("torus:4x4").paths(
        Routing(name="own.x", relation=dimension_order, **about)))  # fmt: skip
add(
    "patternoptions",
    "options {5: 3} found",
    lambda: traffic.Pattern("x", gives(0), gives([0]), options={5: 3}).settings,
)
add("processoptions", "options 5 found", lambda: traffic.Process("x", gives(0), gives([0]), options=5).settings)  # type: ignore[arg-type]
add("processname", "injection process named 5 found, a text expected",
    lambda: traffic.register(traffic.Process(5, gives(0), gives([0]))))  # type: ignore[arg-type]  # fmt: skip
add("pernode", "per_node 'x' found, True or False expected", lambda: replace(scheme("SM"), per_node="x"))
add("castfamilies", "families 'torus' found, a tuple of families expected",
    lambda: Broadcast("own", gives(None), families="torus"))  # type: ignore[arg-type]  # fmt: skip
add("deliver5", "deliver gives 5, a Delivery expected",
    lambda: replace(encoding("full_map"), deliver=gives(5)).message("prdt:16", 0, (3,)))  # fmt: skip

NAMES = frozenset(CASES) - BEFORE
"""The cases here, which are of many kinds."""
