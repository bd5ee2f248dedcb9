"""BookSim's allocators by their names here: `name`, or `name(iterations)`, or `name(arbiter)` for separable ones, of
which an arbiter may be a tree, `tree(groups,arbiter)`.

The keys `alloc_iters` and `arb_type` change nothing: BookSim2's router does not hand them on, so that iterations and
arbiters are said in the name only. Source: the behaviour of BookSim2, commit 28f4329. Called by `_meaning`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.spec import is_count
from jumpnet.study.booksim._keys import Value

__all__ = ["allocators"]

ALLOCATORS = {
    "islip": "islip",
    "loa": "lonely_output",
    "max_size": "max_size",
    "pim": "pim",
    "rr_wavefront": "rr_wavefront",
    "select": "output_first",
    "separable_input_first": "input_first",
    "separable_output_first": "output_first",
    "wavefront": "wavefront",
}
"""For the switch; with one iteration `select` is separable, the outputs choosing first."""
REPEATED = ("islip", "pim", "select")
"""Those that know iterations; the others have one whatever the file says, and separable ones arbiters."""
SEPARABLE = ("separable_input_first", "separable_output_first")
ARBITERS = ("round_robin", "matrix")
TREE = re.compile(rf"tree\((\d+),({'|'.join(ARBITERS)})\)")


class Allocator(NamedTuple):
    """One of the two allocators."""

    name: str
    """BookSim's, without its parameter."""
    iterations: int = 1
    arbiter: str = "round_robin"
    groups: int = 1
    """Of the trees of its arbiters."""


def _allocator(settings: Mapping[str, Value], key: str) -> Allocator:
    """What a key says; raises JumpnetError."""
    name, _, parameter = str(settings[key]).partition("(")
    parameter = parameter.removesuffix(")")
    if name not in ALLOCATORS:
        raise JumpnetError(f"{key} = {settings[key]} is not supported, {' or '.join(ALLOCATORS)} expected")
    if name in SEPARABLE:
        tree = TREE.fullmatch(parameter)
        if parameter and parameter not in ARBITERS and not tree:
            words = " or ".join([name, *(f"{name}({arbiter})" for arbiter in (*ARBITERS, "tree(GROUPS,matrix)"))])
            raise JumpnetError(f"{key} = {settings[key]} is not supported, {words} expected")
        return Allocator(name, 1, tree[2], int(tree[1])) if tree else Allocator(name, 1, parameter or "round_robin")
    if name not in REPEATED:
        return Allocator(name)
    if parameter and (not is_count(parameter) or int(parameter) < 1):
        raise JumpnetError(f"{key} = {settings[key]} found, a number of iterations expected")
    iterations = int(parameter or 1)
    if name == "select" and iterations > 1:
        raise JumpnetError(
            f"{key} = select({iterations}) is not supported (in BookSim2 an input may give up a match "
            "for a grant of the iteration before), 1 expected"
        )
    return Allocator(name, iterations)


def allocators(settings: Mapping[str, Value]) -> dict[str, Any]:
    """The settings of both allocations; raises JumpnetError for what is not supported."""
    switch, vc = (_allocator(settings, key) for key in ("sw_allocator", "vc_allocator"))
    if switch.name == "max_size" and int(settings["output_speedup"]) > int(settings["input_speedup"]):
        raise JumpnetError(
            f"output_speedup = {settings['output_speedup']} with sw_allocator = max_size is not supported (BookSim2's "
            "switch stands still with more outputs than inputs), input_speedup or less expected"
        )
    return {
        "allocator": ALLOCATORS[switch.name],
        "vc_allocator": ALLOCATORS[vc.name],
        "allocator_iterations": switch.iterations,
        "vc_allocator_iterations": vc.iterations,
        "arbiter": switch.arbiter,
        "vc_arbiter": vc.arbiter,
        "arbiter_groups": switch.groups,
        "vc_arbiter_groups": vc.groups,
    }
