"""BookSim's traffic patterns and injection processes by their names here.

Where BookSim numbers the nodes of a network otherwise, a permutation is carried over by the numbers; a pattern that
would need more is refused. Source: the behaviour of BookSim2, commit 28f4329.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.study.booksim._keys import Value
from jumpnet.study.booksim._networks import Target
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
RANDOM = {"uniform": "uniform:self=1", "bad_dragon": "bad_dragonfly"}


def elements_of(text: str) -> list[str]:
    """Elements of a BookSim list `{a,{b,c}}`; text without braces is one element, whatever commas it holds.

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


def _renumbered(name: str, found: Target) -> str:
    """A registered permutation in our numbers: node s sends to p(s) there, so node[s] sends to node[p(s)] here."""
    node = found.node
    assert node is not None
    if node.size != found.network.endpoints:
        raise JumpnetError(f"traffic = {name} is not supported with this topology, uniform expected")
    there = bind(PERMUTATIONS[name], found.network)
    table = np.zeros(node.size, np.int64)
    table[node] = node[[there(source, 0) for source in range(node.size)]]
    own = f"{PERMUTATIONS[name]}.booksim"
    register(Pattern(own, there.pattern.destination, lambda net, options: table, source="BookSim2"))
    return own


def traffic(settings: Mapping[str, Value], found: Target) -> str:
    """The spec of the traffic pattern that the key `traffic` means; raises JumpnetError when there is none."""
    name, arguments = _words(str(settings["traffic"]))
    if name in PERMUTATIONS and not arguments:
        return PERMUTATIONS[name] if found.node is None else _renumbered(name, found)
    if name in RANDOM and not arguments:
        return RANDOM[name]
    if name == "randperm":
        return f"random_permutation:seed={arguments[0] if arguments else settings['perm_seed']}"
    if name == "hotspot" and arguments and "-" not in arguments[0]:
        here = f"traffic = {settings['traffic']}"
        nodes = _whole(here, elements_of(arguments[0]))
        weights = _whole(here, elements_of(arguments[1])) if len(arguments) > 1 else []
        if found.node is not None:
            if not found.node.size or max(nodes) >= found.node.size:
                raise JumpnetError("traffic = hotspot is not supported with this topology, uniform expected")
            nodes = [int(found.node[n]) for n in nodes]
        spec = "hotspot:nodes=" + "-".join(map(str, nodes))
        return spec + (",weights=" + "-".join(map(str, weights)) if weights else "")
    known = [*PERMUTATIONS, *RANDOM, "randperm", "hotspot"]
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
