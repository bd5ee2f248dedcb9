"""Sets of destinations against plain runs: drawn functions of routers and digits, held against all packets."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.naive.dependency import dependency_sets

from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.analysis.deadlock.walks.walkers import job_of
from jumpnet.analysis.deadlock.ways_to_graph.digits import choices
from jumpnet.analysis.deadlock.ways_to_graph.digits import graph as graph_module
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Split, Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.graph import dependencies_by_digits
from jumpnet.analysis.deadlock.ways_to_graph.digits.runs import Key, answers, plain
from jumpnet.analysis.deadlock.ways_to_graph.digits.sets import Layout
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System, by_coordinates, by_number
from jumpnet.routings import DESTINATION, INTERMEDIATE, STATE, BoundRouting, bind
from jumpnet.topology import build

BOUND = [
    ("dragonfly:2", "dragonfly.minimal"),
    ("rdn:3,k=1", "rdn.recursive"),
    ("kautz:2,n=4", "kautz.shift"),
    ("debruijn:2,n=4", "debruijn.shift"),
    ("fattree:2,n=3", "fattree.nca"),
    ("ccc:3", "ccc.ecube"),
]
DELIVERED = [
    ("dragonfly:1", "dragonfly.minimal"),
    ("fly:2,n=3", "fly.destination_tag"),
    ("debruijn:2,n=3", "debruijn.shift"),
    ("fattree:2,n=2", "fattree.nca"),
    ("kautz:2,n=2", "kautz.shift"),
    ("dualcube:2", "rdn.recursive"),
]
HARD = (131, 154, 218, 248, 176, 676, 711, 855, 1084)
"""Of which packets were lost once: where facts about routers were forgotten, and where truths were compared."""
DRAWN = 90
"""Functions that are drawn; a twentieth of a second each."""


class Drawn:
    """A drawn function of the router h, the destination d and the middle router m, as source."""

    def __init__(self, seed: int, net: Any, middle: bool) -> None:
        self.random, self.net, self.middle = random.Random(seed), net, middle
        self.known: list[str] = []

    def label(self) -> str:
        """A router of which digits are known."""
        return self.random.choice("dm") if self.middle else "d"

    def number(self, depth: int) -> str:
        """An expression for a number."""
        pick, column = self.random.randrange, self.random.randrange(self.net.coord.shape[1])
        if depth <= 0:
            of = f"net.coord[{self.label()}, {column}]"
            return self.random.choice(["h", f"net.coord[h, {column}]", of, of, str(pick(4)), *self.known * 2])
        one, two = self.number(depth - 1), self.number(depth - 1)
        ways = [f"({one} {op} {two})" for op in ("+", "-", "^", "&")]
        ways += [f"({one} % {1 + pick(4)})", f"({one} // {1 + pick(3)})", f"({one} * {pick(3)})"]
        ways += [f"({self.label()} {self.random.choice(['//', '%'])} {1 << pick(4)})", f"net.coord[{one}, {column}]"]
        ways += [f"net.neighbor[h, {one} % {self.net.ports}]", f"({one} if {self.truth(depth - 1)} else {two})"]
        return self.random.choice(ways)

    def truth(self, depth: int) -> str:
        """An expression for a truth."""
        one, two = self.number(depth - 1), self.number(depth - 1)
        ways = [f"({one} {op} {two})" for op in ("==", "!=", "<", "<=", ">", ">=")]
        if depth > 0:
            ways += [f"({self.label()} {op} {one})" for op in ("==", "!=")]
            a, b = self.truth(depth - 1), self.truth(depth - 1)
            ways += [f"(not {a})", f"({a} and {b})", f"({a} or {b})", f"({a} & {b})", f"({a} & {b})"]
            ways += [f"(({a} & {b}) == {self.random.randrange(2)})"]
        return self.random.choice(ways)

    def block(self, depth: int, pad: str) -> str:
        """Statements that return."""
        made = ""
        if self.random.random() < 0.5:
            name = f"v{len(self.known)}"
            made += f"{pad}{name} = {self.number(2)}\n"
            self.known.append(name)
        before = list(self.known)
        if depth == 0:
            count = self.random.randrange(3)
            for row in range(count):
                made += f"{pad}out[{row}, 0] = {self.number(2)} % {self.net.ports}\n"
                made += f"{pad}out[{row}, 1] = {self.number(1)} % 2\n{pad}out[{row}, 2] = out[{row}, 3] = 0\n"
            return made + f"{pad}return {count}\n"
        made += f"{pad}if {self.truth(2)}:\n{self.block(depth - 1, pad + ' ')}"
        self.known = list(before)
        made += self.block(depth - 1, pad)
        self.known = before
        return made

    def relation(self) -> Any:
        """The function."""
        names: dict[str, Any] = {}
        head = f"def relation(net, h, head, out):\n d, m = head[{DESTINATION}], head[{INTERMEDIATE}]\n"
        exec(head + self.block(self.random.randrange(1, 4), " "), names)
        return names["relation"]


class _Plain:
    """An array as whole numbers, without indices from behind."""

    def __init__(self, array: Any) -> None:
        self.array = array.astype(np.int64)

    def __getitem__(self, index: Any) -> Any:
        if min(index) < 0:
            raise IndexError
        return self.array[index]


class _View:
    def __init__(self, bound: BoundRouting) -> None:
        self.neighbor, self.coord = _Plain(bound.view.neighbor), _Plain(bound.view.coord)


def _found(bound: BoundRouting, relation: Any, middle: bool, seed: int) -> tuple[System, list[Any], list[Any]] | None:
    """Digits, drawn products of them at every router, and what the relation answers; None where it does not fit."""
    net = bound.network
    system = by_coordinates(net) or by_number(net)
    for _ in range(30):
        whole = Layout(system, int(middle)).everything(len(system.digit))
        all_of = Layout(system, int(middle)).unpack(whole)
        draw = np.random.default_rng(seed)
        masks = [mask & (draw.random(mask.shape) < 0.7) for mask in all_of]
        masks = [np.where(mask.any(axis=1, keepdims=True), mask, old) for mask, old in zip(masks, all_of, strict=True)]
        given = [mask.copy() for mask in masks]
        routers, rows, steps = np.arange(net.routers), np.ones((net.routers, 1), bool), Steps(1 << 24)
        try:
            return system, masks, answers(bound, system, relation, Key(0, middle), routers, rows, given, steps)
        except Split as split:
            digit, low = split.args
            if digit < 0 and not system.columns:
                return None
            system = by_number(net) if digit < 0 else system.refined(digit % len(system.radix), low)
        except Unfit:
            return None
    return None


def _missing(seed: int, bounds: list[BoundRouting]) -> str | None:
    """A packet whose answer is not among those of the sets that it is in; '' where there is none, None unfit."""
    bound = bounds[seed % len(bounds)]
    net, middle = bound.network, seed % 3 == 0
    relation = Drawn(seed, net, middle).relation()
    found = _found(bound, relation, middle, seed)
    if found is None:
        return None
    system, masks, answered = found
    digit, some = system.digit, random.Random(seed)
    for here in range(net.routers):
        for m in some.sample(range(net.routers), 3) if middle else [-1]:
            for d in range(net.routers):
                at = [*digit[d].tolist(), *(digit[m].tolist() if middle else [])]
                if not all(mask[here, value] for mask, value in zip(masks, at, strict=True)):
                    continue
                out: dict[Any, Any] = {}
                try:
                    count = relation(_View(bound), here, {DESTINATION: d, INTERMEDIATE: m, STATE: 0}, out)
                except IndexError:
                    continue
                rows = [tuple(int(out[row, field]) for field in range(4)) for row in range(count)]
                if not any(_says(answer, here, at, rows) for answer in answered):
                    return f"{net.spec}: from {here} to {d} by {m} {rows}"
    return ""


def _says(answer: Any, here: int, at: list[int], rows: list[tuple[int, ...]]) -> bool:
    if not answer.rows[here, 0] or not all(mask[here, v] for mask, v in zip(answer.masks, at, strict=True)):
        return False
    ports = [int(c.port[here, 0 if c.digit is None else at[c.digit]]) for c in answer.candidates]
    return rows == [(p, c.vc, c.state, c.kind) for p, c in zip(ports, answer.candidates, strict=True)][
        : len(rows)
    ] and (answer.found == len(rows))


@pytest.fixture(scope="module")
def bounds() -> list[BoundRouting]:
    """Networks of a few routers."""
    return [bind(name, build(spec)) for spec, name in BOUND]


def test_every_packet_is_answered_as_alone(bounds, monkeypatch):
    """Routers are parted as early as they are on large networks: then a run is begun again for fewer of them."""
    monkeypatch.setattr(choices, "FEW", 1)
    said = [_missing(seed, bounds) for seed in [*range(DRAWN), *HARD]]
    assert not [one for one in said if one]
    assert said.count("") > DRAWN // 5


def _with_classes(bound: BoundRouting, truth: str) -> BoundRouting:
    """The routing with a drawn virtual channel for every hop."""
    text = f"def relation(net, h, head, out):\n count, d = base(net, h, head, out), head[{DESTINATION}]\n"
    text += " for row in range(count):\n  if HERE:\n   out[row, 1] = 1\n  else:\n   out[row, 1] = 0\n return count\n"
    names: dict[str, Any] = {"base": plain(bound.routing.relation)}
    exec(text.replace("HERE", truth), names)
    return replace(bound, routing=replace(bound.routing, relation=names["relation"]))


def _graph(bound: BoundRouting, base: BoundRouting) -> tuple[set[Any], bool] | None:
    """The dependencies from sets, and whether they are said to be exact."""
    found = dependencies_by_digits(bound, job_of(base))
    if found is None:
        return None
    net, vcs, made = bound.network, bound.vcs, set()
    for c, b in np.argwhere(np.unpackbits(found.graph[0].view(np.uint8), axis=1, bitorder="little")).tolist():
        r, p, v = c // (net.ports * vcs), c // vcs % net.ports, c % vcs
        made.add(((r, p, v), (int(net.neighbor[r, p]), b // vcs, b % vcs)))
    return made, found.exact


@pytest.mark.parametrize("lanes", [(1,), (1, 16)], ids=str)
def test_dependencies_of_drawn_classes_are_among_those_of_sets(lanes, monkeypatch):
    monkeypatch.setattr(choices, "FEW", 1)
    monkeypatch.setattr(graph_module, "SHARE", 0)
    monkeypatch.setattr(graph_module, "LANES", lanes)
    monkeypatch.setattr(graph_module, "is_foreign", lambda bound: False)
    monkeypatch.setattr(graph_module, "numbering", lambda indptr, indices: indptr)  # whether there is a cycle or not
    several = [bind(name, build(spec), 2) for spec, name in DELIVERED]
    tried, exact = 0, 0
    for seed in range(8 * len(several)):
        base = several[seed % len(several)]
        bound = _with_classes(base, Drawn(seed, base.network, False).truth(1))
        found = _graph(bound, base)
        if found is None:
            continue
        _, plain = dependency_sets(bound)
        assert not plain - found[0], (bound.network.spec, seed)
        assert not found[1] or plain == found[0], (bound.network.spec, seed)
        tried, exact = tried + 1, exact + found[1]
    assert tried > 2 * len(several) and 0 < exact < tried
