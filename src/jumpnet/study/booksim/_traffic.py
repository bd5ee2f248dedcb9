"""BookSim's traffic patterns and injection processes by their names here.

What the nodes of BookSim send to is a table by its numbers (`_destinations`), which is carried over to ours. Source:
the behaviour of BookSim2, commit 28f4329.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.study.booksim._destinations import DESTINATIONS, table_of
from jumpnet.study.booksim._keys import Value
from jumpnet.study.booksim._networks import Target
from jumpnet.terms import I64
from jumpnet.traffic import Pattern, bind, register

__all__ = ["elements_of", "injection", "traffic"]

PERMUTATIONS = {
    "bitcomp": "bit_complement",
    "bitrev": "bit_reverse",
    "shuffle": "shuffle",
    "transpose": "transpose",
    "tornado": "tornado",
    "neighbor": "neighbor",
}
UNIFORM = "uniform:self=1"


def elements_of(text: str) -> list[str]:
    """Elements of a BookSim list `{a,{b,c}}`; text without braces is one element, whatever commas it holds.

    Raises JumpnetError for a list that does not end.

    >>> elements_of("{3,17}"), elements_of("{{3,17},{2,1}}"), elements_of("3,17"), elements_of("")
    (['3', '17'], ['{3,17}', '{2,1}'], ['3,17'], [])
    """
    if not text.startswith("{"):
        return [text] if text else []
    found, depth = [""], 0
    for letter in text:
        depth += (letter == "{") - (letter == "}")
        if depth == 0:
            break
        if letter == "," and depth == 1:
            found.append("")
        elif letter != "{" or depth > 1:
            found[-1] += letter
    if depth:
        raise JumpnetError(f"{text} found, as many }} as {{ expected")
    return [element for element in found if element]


def _words(text: str) -> tuple[str, list[str]]:
    """`name(list)` as its name and the elements of the list."""
    name, _, rest = text.partition("(")
    return name, elements_of(rest.removesuffix(")"))


def _whole(key: str, elements: list[str]) -> list[int]:
    """Elements as whole numbers; raises JumpnetError."""
    try:
        return [int(element) for element in elements]
    except ValueError:
        raise JumpnetError(f"{key} found, whole numbers in {{}} expected: hotspot({{{{3,17}},{{2,1}}}})") from None


def _destination(own, source, draw):
    """own = [columns, the table of destinations row by row]."""
    return own[1 + source * own[0] + draw]


def _by_table(name: str, table: I64) -> str:
    """The spec of a pattern whose every source draws a column of its row of a table, in our numbers: our own where a
    permutation of ours is the same.
    """
    own = np.concatenate([[table.shape[1]], table.ravel()])
    spec = f"booksim.{name}-{hashlib.sha256(own.tobytes()).hexdigest()[:12]}"  # a name for each table
    draws = int(table.shape[1])
    register(Pattern(spec, _destination, lambda net, options: own, lambda net, options: draws, source="BookSim2"))
    return spec


def _ours(name: str, table: I64, found: Target) -> str | None:
    """The permutation of ours that is the same as a table, in our numbers."""
    try:
        same = name in PERMUTATIONS and np.array_equal(bind(PERMUTATIONS[name], found.network).own, table[:, 0])
    except JumpnetError:
        return None
    return PERMUTATIONS[name] if same else None


def _once(nodes: list[int], weights: list[int]) -> tuple[list[int], list[int]]:
    """Each node once with the sum of its weights, of which the last is for all that follow, as BookSim2 adds them."""
    sums: dict[int, int] = {}
    for node, weight in zip(nodes, weights + weights[-1:] * (len(nodes) - len(weights)), strict=False):
        sums[node] = sums.get(node, 0) + weight
    return list(sums), list(sums.values())


def _hotspot(settings: Mapping[str, Value], found: Target, arguments: list[str]) -> str:
    here = f"traffic = {settings['traffic']}"
    nodes = _whole(here, elements_of(arguments[0]))
    weights = _whole(here, elements_of(arguments[1]))[: len(nodes)] if len(arguments) > 1 else []
    if found.node is not None:
        if not found.node.size or max(nodes) >= found.node.size:
            raise JumpnetError("traffic = hotspot is not supported with this topology, uniform expected")
        nodes = [int(found.node[n]) for n in nodes]
    if len(set(nodes)) < len(nodes) and min(weights or [1]) > 0:
        nodes, weights = _once(nodes, weights or [1])
    spec = "hotspot:nodes=" + "-".join(map(str, nodes))
    return spec + (",weights=" + "-".join(map(str, weights)) if weights else "")


def traffic(settings: Mapping[str, Value], found: Target) -> str:
    """The spec of the traffic pattern that the key `traffic` means; raises JumpnetError when there is none."""
    name, arguments = _words(str(settings["traffic"]))
    if name == "uniform" and not arguments:
        return UNIFORM
    if name == "bad_dragon" and not arguments and found.network.family == "dragonfly":
        return "bad_dragonfly"
    if name == "hotspot" and arguments and "-" not in arguments[0]:
        return _hotspot(settings, found, arguments)
    if name in DESTINATIONS:
        nodes, node = found.network.endpoints, found.node
        if node is not None and node.size != nodes:
            raise JumpnetError(f"traffic = {name} is not supported with this topology, uniform expected")
        words = elements_of(arguments[0]) if name == "background" and arguments else arguments
        table = table_of(name, nodes, settings, _whole(f"traffic = {settings['traffic']}", words))
        if node is not None:
            there = np.empty(table.shape, np.int64)
            there[node] = node[table]
            table = there
        return _ours(name, table, found) or _by_table(name, table)
    known = [*DESTINATIONS, "uniform", "hotspot"]
    if name in known:
        raise JumpnetError(f"traffic = {settings['traffic']} is not supported in this form")
    raise JumpnetError(f"traffic = {settings['traffic']}: {unknown_name('supported pattern', name, known)}")


def injection(settings: Mapping[str, Value]) -> str:
    """The spec of the injection process that the key `injection_process` means."""
    name, arguments = _words(str(settings["injection_process"]))
    if name == "bernoulli" and not arguments:
        return "bernoulli"
    if name == "on_off" and len(arguments) <= 3:
        words = arguments + [str(settings[key]) for key in ("burst_alpha", "burst_beta", "burst_r1")[len(arguments) :]]
        return f"onoff:alpha={words[0]},beta={words[1]},r1={words[2]}"
    raise JumpnetError(
        f"injection_process = {settings['injection_process']} found, bernoulli or on_off({{a,b,r}}) expected"
    )
