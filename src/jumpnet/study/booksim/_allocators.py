"""BookSim's allocators by their names here: `name`, or `name(iterations)`, or `name(arbiter)` for separable ones.

The keys `alloc_iters` and `arb_type` change nothing: BookSim2's router does not hand them on, so that iterations and
arbiters are said in the name only. Source: the behaviour of BookSim2, commit 28f4329. Called by `_meaning`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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


def _allocator(settings: Mapping[str, Value], key: str) -> tuple[str, int, str]:
    """BookSim's name without its parameter, how many iterations it has, and its arbiters; raises JumpnetError."""
    name, _, parameter = str(settings[key]).partition("(")
    parameter = parameter.rstrip(")")
    if name not in ALLOCATORS:
        raise JumpnetError(f"{key} = {settings[key]} is not supported, {' or '.join(ALLOCATORS)} expected")
    if name in SEPARABLE:
        if parameter and parameter not in ARBITERS:
            words = " or ".join([name, *(f"{name}({arbiter})" for arbiter in ARBITERS)])
            raise JumpnetError(f"{key} = {settings[key]} is not supported, {words} expected")
        return name, 1, parameter or "round_robin"
    if name not in REPEATED:
        return name, 1, "round_robin"
    if parameter and (not is_count(parameter) or int(parameter) < 1):
        raise JumpnetError(f"{key} = {settings[key]} found, a number of iterations expected")
    iterations = int(parameter or 1)
    if name == "select" and iterations > 1:
        raise JumpnetError(
            f"{key} = select({iterations}) is not supported (in BookSim2 an input may give up a match "
            "for a grant of the iteration before), 1 expected"
        )
    return name, iterations, "round_robin"


def allocators(settings: Mapping[str, Value]) -> dict[str, Any]:
    """The settings of both allocations; raises JumpnetError for what is not supported."""
    (switch, switch_iterations, arbiter), (vc, vc_iterations, vc_arbiter) = (
        _allocator(settings, key) for key in ("sw_allocator", "vc_allocator")
    )
    if switch == "max_size" and int(settings["output_speedup"]) > int(settings["input_speedup"]):
        raise JumpnetError(
            f"output_speedup = {settings['output_speedup']} with sw_allocator = max_size is not supported (BookSim2's "
            "switch stands still with more outputs than inputs), input_speedup or less expected"
        )
    return {
        "allocator": ALLOCATORS[switch],
        "vc_allocator": ALLOCATORS[vc],
        "allocator_iterations": switch_iterations,
        "vc_allocator_iterations": vc_iterations,
        "arbiter": arbiter,
        "vc_arbiter": vc_arbiter,
    }
