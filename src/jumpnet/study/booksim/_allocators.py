"""BookSim's allocators by their names here: `name`, or `name(iterations)`, or `name(arbiter)` for separable ones.

The key `alloc_iters` changes nothing: BookSim2's router does not hand it on, so that iterations are said in the name
only. Source: the behaviour of BookSim2, commit 28f4329. Called by `_meaning`.
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
    "pim": "pim",
    "rr_wavefront": "rr_wavefront",
    "select": "output_first",
    "separable_input_first": "input_first",
    "separable_output_first": "output_first",
    "wavefront": "wavefront",
}
"""For the switch; with one iteration `select` is separable, the outputs choosing first."""
REPEATED = ("islip", "pim", "select")
"""Those that know iterations; the others have one whatever the file says."""


def _allocator(settings: Mapping[str, Value], key: str) -> tuple[str, int]:
    """BookSim's name without its parameter, and how many iterations it has; raises JumpnetError."""
    name, _, parameter = str(settings[key]).partition("(")
    parameter = parameter.rstrip(")")
    if name not in ALLOCATORS:
        raise JumpnetError(f"{key} = {settings[key]} is not supported, {' or '.join(ALLOCATORS)} expected")
    if name not in REPEATED:
        if parameter not in ("", "round_robin"):
            raise JumpnetError(f"{key} = {settings[key]} is not supported, {name} or {name}(round_robin) expected")
        return name, 1
    if parameter and (not is_count(parameter) or int(parameter) < 1):
        raise JumpnetError(f"{key} = {settings[key]} found, a number of iterations expected")
    iterations = int(parameter or 1)
    if name == "select" and iterations > 1:
        raise JumpnetError(
            f"{key} = select({iterations}) is not supported (in BookSim2 an input may give up a match "
            "for a grant of the iteration before), 1 expected"
        )
    return name, iterations


def allocators(settings: Mapping[str, Value]) -> dict[str, Any]:
    """The settings of both allocations; raises JumpnetError for an allocator that is not supported."""
    (switch, switch_iterations), (vc, vc_iterations) = (
        _allocator(settings, key) for key in ("sw_allocator", "vc_allocator")
    )
    return {
        "allocator": ALLOCATORS[switch],
        "vc_allocator": ALLOCATORS[vc],
        "allocator_iterations": switch_iterations,
        "vc_allocator_iterations": vc_iterations,
    }
