"""Every option of the machine with time, alone and beside each other one: it changes some figure, or is refused.

`python -m tests.attack.drawn.machine_options --only hints` tries those of one option, without it all. An option
that needs others is tried with these. What stays as it was is named; CI tries each alone and some pairs.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import fields
from functools import cache
from itertools import permutations
from random import Random
from typing import Any

from tests.twin.machine.timed.twin import made_trace, rows_of

from jumpnet.errors import JumpnetError
from jumpnet.machine.closed_loop import ClosedLoop, closed_loop
from jumpnet.machine.timed.design import Costs, cost_names, costs_of
from jumpnet.machine.timed.streams import Streams, streams_of

__all__ = ["OPTIONS", "changes_nothing", "pairs"]

Settings = dict[str, Any]
PROCESSORS, NETWORK = 8, "rdt:4"
SMALL, CHIP = {"caches": (64, 1)}, {"multicast": "SM", "branches": "routers"}
FEW = {"networks": "least", "endpoint_room": 2}
KINDS = "read-request write-request write-back lock unlock barrier / data tell fetch acknowledge owners-data done"
COSTS: dict[str, Settings] = {
    "stage-1": {"translation": (2, 0)}, "stage-2": {"translation": (0, 1)}, "sync": {"synchronisation": "free"},
    "barrier-line": {"synchronisation": "line"}, "forward": {"multicast": "SM"}, "page": {"migrates": 1},
    "write-back": SMALL, "write-back-done": SMALL,
}  # fmt: skip
"""What a cost needs. `remake` is left out, which needs a node at every router."""
CYCLES = {name: 17 if name == "occupancy" else 33 for name in cost_names() if name != "remake"}

OPTIONS: dict[str, tuple[Settings, Settings]] = {
    **{name: ({"protocol": name}, {}) for name in ("mesi", "moesi", "dragon", "update")},
    "update_pages": ({"update_pages": frozenset(range(0, 40, 2))}, {"protocol": "mixed"}),
    "directory": ({"directory": "line"}, {}), "clusters_of": ({"clusters_of": 2}, {}),
    "line_bytes": ({"line_bytes": 64}, {}), "page_bytes": ({"page_bytes": 256}, {}), "caches": (SMALL, {}),
    "hints": ({"hints": True}, SMALL), "outstanding": ({"outstanding": 4}, {}),
    "counted": ({"acknowledges": "counted"}, {}), "combined": ({"acknowledges": "combined"}, {"multicast": "SM"}),
    "branches": ({"branches": "routers"}, {"multicast": "SM"}), "free": ({"synchronisation": "free"}, {}),
    "line": ({"synchronisation": "line"}, {}), "memory_processors": ({"memory_processors": 2}, {}),
    "first stage": ({"translation": (2, 0)}, {}), "second stage": ({"translation": (0, 1)}, {}),
    "pruning": ({"pruning": 2}, {}), "page_entry": ({"page_entry": "valid_holders"}, {}),
    "migrates": ({"migrates": 1}, {}), "networks": ({"networks": "least"}, {}),
    "networks by kinds": ({"networks": f"{KINDS} write-back-done grant release"}, {}),
    "endpoints": ({"endpoints": "queued"}, FEW), "endpoint_room": ({"endpoint_room": 1}, {"networks": "least"}),
    **{f"multicast {name}": ({"multicast": name}, {}) for name in ("full_map", "SM", "LARP")},
    **{f"encoding {name}": ({"encoding_name": name}, {}) for name in ("limited_broadcast", "chained", "LARP")},
    "encoding limited_evicting": ({"encoding_name": "limited_evicting"}, {"directory": "line"}),
    "combining_entries": ({"combining_entries": 0}, {**CHIP, "acknowledges": "combined"}),
    "routing": ({"routing": "up_down"}, {}),
    **{f"cost {name}": ({"costs": costs_of([f"{name}={CYCLES[name]}"])}, COSTS.get(name, {})) for name in CYCLES},
}  # fmt: skip
"""What an option sets, and what it needs."""


def _rows(seed: int) -> list[Any]:
    """Work in which few share a line, all share some, and locks, barriers and flags are used."""
    draw = Random(seed)
    program = [
        (draw.choice([0, 0, 0, 0, 0, 2, 4, 5, 6, 7]), draw.randrange(PROCESSORS),
         4096 * draw.randrange(3) + 32 * draw.choice([0, 0, 1, 9]),
         [draw.random() < 0.5 for _ in range(draw.randint(1, 4))])
        for _ in range(40)
    ]  # fmt: skip
    return [*rows_of([(3, 1, 0, [])], PROCESSORS), *rows_of(program, PROCESSORS)]


@cache
def _streams(seed: int, clusters_of: int, line_bytes: int, page_bytes: int) -> Streams:
    sizes = {"line_bytes": line_bytes, "page_bytes": page_bytes}
    return streams_of(made_trace(_rows(seed), PROCESSORS), clusters_of=clusters_of, **sizes)


class _Runs:
    """Runs that are known, by their settings."""

    def __init__(self, seed: int) -> None:
        self._seed, self._known = seed, dict[str, ClosedLoop | str]()

    def of(self, settings: Settings) -> ClosedLoop | str:
        """What a machine takes, or why it does not run."""
        key = repr(sorted(settings.items()))
        if key not in self._known:
            sizes = {"clusters_of": 1, "line_bytes": 32, "page_bytes": 4096}
            streams = _streams(self._seed, *({**sizes, **settings}[name] for name in sizes))
            try:
                self._known[key] = closed_loop(streams, NETWORK, **settings)
            except JumpnetError as error:
                self._known[key] = str(error)
        return self._known[key]


def _joined(*parts: Settings) -> Settings | None:
    """All settings together; None where two say something else of one."""
    found: Settings = {}
    for part in parts:
        for name, value in part.items():
            if name == "costs" and name in found:
                found[name] = _both(found[name], value)
            elif found.setdefault(name, value) != value:
                return None
    return found


def _both(one: Costs, two: Costs) -> Costs:
    """The costs that either says."""
    said = {
        each.name: getattr(costs, each.name)
        for costs in (one, two)
        for each in fields(Costs)
        if each.name not in ("handlers", "typed") and getattr(costs, each.name) != each.default
    }
    return Costs(**said, handlers={**one.handlers, **two.handlers})


def changes_nothing(option: str, beside: str | None, seeds: tuple[int, ...] = (1, 2)) -> bool:
    """Whether an option is taken, alone or beside another one, and changes no figure of the seeds' runs."""
    sets, needs = OPTIONS[option]
    others = OPTIONS[beside] if beside else ({}, {})
    without, both = _joined(needs, *others), _joined(sets, needs, *others)
    if without is None or both is None or without == both:
        return False
    for seed in seeds:
        runs = RUNS.setdefault(seed, _Runs(seed))
        found, other = runs.of(both), runs.of(without)
        if isinstance(found, str) or isinstance(other, str) or found != other:
            return False
    return True


RUNS: dict[int, _Runs] = {}

ONE = {
    ("encoding LARP", "multicast LARP"): "the same is said twice",
    ("encoding limited_broadcast", "clusters_of"): "four nodes, all of whom the pointers of an entry name",
    **{
        (f"cost {name}", beside): "all barriers here are of all, by the line"
        for name in ("barrier", "release")
        for beside in ("line", "cost barrier-line")
    },
}
"""Pairs of which the first changes nothing, rightly."""


def pairs() -> Iterator[tuple[str, str]]:
    """An option, and another one beside which it is tried."""
    yield from (pair for pair in permutations(OPTIONS, 2) if pair not in ONE)


def main() -> None:
    """Name what changes nothing."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="options that begin so")
    only = parser.parse_args().only
    tried = 0
    for option, beside in [*((name, None) for name in OPTIONS), *pairs()]:
        if option.startswith(only):
            tried += 1
            if changes_nothing(option, beside):
                print(f"{option} beside {beside or 'nothing'} changes nothing", flush=True)
    print(f"{tried} tried")


if __name__ == "__main__":
    main()
