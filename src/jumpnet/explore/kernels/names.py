"""What the WebAssembly module has: every function that a run may call by its address, and the entries, by name.

A function of jumpnet is named by its module and its own name, `routings.torus.duato.relation`. Used by `image`, which
names what a run calls, and by `web/kernels/build.py`, which compiles all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from jumpnet.errors import JumpnetError
from jumpnet.explore.kernels import begun, looks, rings, sizes, tabled, trees
from jumpnet.explore.kernels.whole_run import run_sets
from jumpnet.routings import refilled, routings
from jumpnet.sim.engine.cycle import run_any, run_plain
from jumpnet.sim.memory.layout import WORD_LANES
from jumpnet.sim.memory.packing import NARROW_LANES
from jumpnet.sim.memory.run_kinds import General, Plain, Sets, SetsWide
from jumpnet.sim.terminals.injection import sleep_all
from jumpnet.traffic import patterns, processes

__all__ = [
    "ENTRIES",
    "RUNS",
    "SINGLE",
    "Eight",
    "SingleEight",
    "SingleSixteen",
    "Sixteen",
    "called",
    "name_of",
    "sets_entry",
]


class Sixteen(NamedTuple):
    """Where the record of a plain run lies whose routers are kept as sets of 16 bits; in the page alone."""

    address: int


class Eight(NamedTuple):
    """The same with sets of 8 bits."""

    address: int


class SingleEight(NamedTuple):
    """The same where all packets are single flits."""

    address: int


class SingleSixteen(NamedTuple):
    """The same with sets of 16 bits."""

    address: int


ENTRIES: dict[str, tuple[Any, type | None]] = {
    "run_any": (run_any, General),
    "run_plain": (run_plain, Plain),
    "run_sets_wide": (run_sets, SetsWide),
    "run_sets": (run_sets, Sets),
    "run_sets_16": (run_sets, Sixteen),
    "run_single_16": (run_sets, SingleSixteen),
    "run_sets_8": (run_sets, Eight),
    "run_single_8": (run_sets, SingleEight),
    "sleep_all": (sleep_all, General),
    "fit_sizes": (sizes.fit_sizes, None),
    "begin_run": (begun.begin_run, General),
    "give_keys": (looks.give_keys, General),
    "join_links": (looks.join_links, General),
    "draw_again": (looks.draw_again, General),
    "more_packets": (looks.more_packets, General),
    "sum_sent": (looks.sum_sent, General),
    "sum_held": (looks.sum_held, General),
    "list_flits": (looks.list_flits, General),
    "longest_wait": (looks.longest_wait, General),
    "sum_lag": (looks.sum_lag, General),
    "find_ring": (rings.find_ring, General),
    "first_creation": (looks.first_creation, General),
    "rate_of_bernoulli": (looks.rate_of_bernoulli, None),
    "rate_of_onoff": (looks.rate_of_onoff, None),
    **{name: (getattr(refilled, name), None) for name in refilled.ROUTED.values()},
    "grow_tree": (trees.grow_tree, None),
    "list_territory": (trees.list_territory, None),
}
"""Entries by name, with the kind of record whose address they take first, None where they take another address.

In the order of the module: what is alike stands together, the longest first, so that it takes less room compressed."""
RUNS = tuple(name for name in ENTRIES if name.startswith("run_"))
"""Those that simulate cycles; what stays as it is in a run is written into their code (`web/kernels/fixed.py`)."""
SETS = {7: "run_sets_8", 15: "run_sets_16", NARROW_LANES: "run_sets", WORD_LANES: "run_sets_wide"}
"""The entry that keeps routers as sets of at most so many members."""
SINGLE = {"run_sets_16": "run_single_16", "run_sets_8": "run_single_8"}
"""By such an entry, the one in its place where all packets are single flits; in the others the general one serves."""


def sets_entry(members: int) -> str:
    """Which entry keeps routers as sets, where each has so many lanes or output VCs.

    >>> sets_entry(15)
    'run_sets_16'
    """
    return next(name for most, name in SETS.items() if members <= most)


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function of jumpnet; raises JumpnetError for one of a user's own.

    >>> from jumpnet.traffic import pattern
    >>> name_of(pattern("uniform")[0].destination)
    'traffic.uniform.destination'
    """
    package, _, module = str(function.__module__).partition(".")
    if package != "jumpnet":
        raise JumpnetError(f"{module or package}.{function.__qualname__} found, a function of jumpnet expected")
    return f"{module}.{function.__qualname__}"


def called() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every function that a run may call, each once, after what it is: relation, start, destination or advance."""
    for kind, functions in (
        ("relation", [tabled.relation, *(routing.relation for routing in routings().values())]),
        ("start", [tabled.start, *(routing.start for routing in routings().values() if routing.start is not None)]),
        ("destination", [pattern.destination for pattern in patterns().values()]),
        ("advance", [process.advance for process in processes().values()]),
    ):
        for function in sorted(set(functions), key=name_of):
            yield kind, function
