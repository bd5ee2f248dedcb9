"""Trees by need: the plan of each set of destinations, made when it is first asked for, with those of the answers.

Two kinds, as `jumpnet prove --multicast` names them: `paths`, the tree of the paths that a routing without choices
gives on any network (Lin, McKinley and Ni 1994), and `chip`, the bit-map schemes of the router chip (kudoh1995rhbd).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from jumpnet.analysis.routes.trees import path_rules
from jumpnet.errors import JumpnetError, written
from jumpnet.multicast import scheme
from jumpnet.multicast.chip_rules import chip_rules
from jumpnet.multicast.plan import Plan, bit_map_plan, least_plan, plan_from
from jumpnet.networks import Network
from jumpnet.routings import BoundRouting, bind
from jumpnet.sim.config.sim_config import SimConfig
from jumpnet.sim.memory.allocate import index_in_router
from jumpnet.sim.multicast.config import MulticastConfig
from jumpnet.sim.multicast.messages import MOST_SINKS, Ends, Forest, forest
from jumpnet.sim.resolve.by_routing import bound_with

__all__ = ["Trees", "fitting", "trees_for"]

Maker = Callable[[int, Sequence[int]], Plan]
"""`(source router, destination routers) -> plan`."""


def _path_plan(under: BoundRouting, source: int, to: Sequence[int]) -> Plan:
    """The tree of a routing's paths."""
    try:
        rules = path_rules(under)
        return plan_from(rules, source, rules.first(source, to))
    except JumpnetError as error:
        raise JumpnetError(f"{error} (tree_routing names another one)") from None


class Trees:
    """The plans of one network; numbers of plans stay as more are added.

    >>> from jumpnet.topology import build
    >>> trees = Trees(build("mesh:4x4"), "paths")
    >>> trees.number(0, [5, 2, 6]), trees.number(3, [0]), trees.number(0, [6, 2, 5])
    (0, 1, 0)
    >>> trees.forest().receivers.tolist()
    [3, 1]
    """

    def __init__(
        self,
        net: Network,
        kind: str,
        routing: str = "",
        vcs: int | None = None,
        scheme_name: str = "",
        tree_routing: str = "",
        least_vcs: int = 1,
    ) -> None:
        """kind: `paths`, or `chip` with the chip's options; scheme_name: a scheme, or several with + between
        (`multicast.plan.least_plan`). Raises JumpnetError for what does not fit."""
        self.network = net
        self.routing: BoundRouting | None = None
        """What takes packets to one destination; None where they take plans too, as on the chip."""
        self.make: Maker
        self.make_alone: Maker
        """For packets to one destination, acknowledges too: whatever the scheme, they name nobody else."""
        self.by: tuple[object, ...]
        """Registered routings or schemes that plans and packets follow, as a name may be another one's since."""
        if kind == "paths":
            self.routing = bound_with(routing or None, net, vcs, least_vcs)
            under = bind(tree_routing, net) if tree_routing else self.routing
            self.name, self.vcs = f"paths of {under.name}", max(under.vcs, self.routing.vcs)
            self.by = under.routing, self.routing.routing, self.routing.name
            self.make = self.make_alone = lambda source, to: _path_plan(under, source, to)
        elif kind.split(":")[0] == "chip":
            if routing or tree_routing:
                raise JumpnetError(f"multicast {kind} found with a routing, one without the other expected")
            rules, maps = chip_rules(net, kind), [scheme(one) for one in (scheme_name or "SM").split("+")]
            named = "+".join(one.name for one in maps)
            self.name, self.vcs = f"{rules.name} {named}", max(rules.vcs, least_vcs) if vcs is None else vcs
            self.by = tuple(maps)
            if self.vcs < rules.vcs:
                raise JumpnetError(f"vcs {vcs} found, at least {rules.vcs} expected by multicast {kind}")
            self.make = lambda source, to: least_plan(rules, maps, source, list(to))
            self.make_alone = lambda source, to: bit_map_plan(rules, scheme("SM"), source, list(to))
        else:
            raise JumpnetError(f"multicast {kind!r} found, paths or chip expected")
        self.plans: list[Plan] = []
        self.ends: list[Ends] = []
        self._numbers: dict[tuple[int, tuple[int, ...], Maker], int] = {}
        self._forest: Forest | None = None
        self._replies: dict[tuple[int, int], int] = {}
        self._router, self._place = net.sink_router.tolist(), index_in_router(net.sink_router).tolist()

    def __str__(self) -> str:
        """What they are of, in words.

        >>> from jumpnet.topology import build
        >>> str(Trees(build("mesh:4x4"), "paths"))
        'mesh:4x4, paths of mesh.dimension_order, packets by mesh.dimension_order, vcs 1'
        """
        packets = f", packets by {self.routing.name}" if self.routing is not None else ""
        return f"{self.network.spec}, {self.name}{packets}, vcs {self.vcs}"

    def number(self, source: int, destinations: Sequence[int], answered: bool = False, alone: bool = False) -> int:
        """Number of the plan from a terminal to others. answered: with plans of answers. alone: no multicast."""
        make = self.make_alone if alone else self.make
        key = source, tuple(sorted(destinations)), make
        found = self._numbers.get(key)
        if found is None:
            found = self._numbers[key] = len(self.plans)
            masks: dict[int, int] = {}
            for terminal in key[1]:
                masks[self._router[terminal]] = masks.get(self._router[terminal], 0) | 1 << self._place[terminal]
            self.plans.append(make(int(self.network.terminal_router[source]), list(masks)))
            self.ends.append(Ends(source, masks))
        if answered:
            for terminal in self.receivers(found):
                if terminal != source and (terminal, source) not in self._replies:
                    self._replies[terminal, source] = self.number(terminal, [source], alone=True)
        return found

    def receivers(self, number: int) -> list[int]:
        """Terminals that receive, those that nobody named included."""
        first = np.searchsorted(self.network.sink_router, np.arange(self.network.routers))
        masks = self.ends[number].sinks
        return [
            int(first[r]) + x
            for r in self.plans[number].receivers
            for x in range(MOST_SINKS)
            if masks.get(r, 1) >> x & 1
        ]

    def forest(self) -> Forest:
        """All plans so far, side by side."""
        if self._forest is None or len(self._forest.start) < len(self.plans):
            self._forest = forest(self.network, self.plans, self._replies, self.ends)
        return self._forest


def trees_for(net: Network, routing: str, config: SimConfig, cast: MulticastConfig) -> Trees:
    """The trees that the settings of a run ask for, still without a plan; raises JumpnetError as `Trees` does."""
    return Trees(net, cast.multicast, routing, config.vcs, cast.scheme, cast.tree_routing, config.least_vcs)


def fitting(trees: Trees, asked: Trees) -> Trees:
    """Trees of another run, where they are of the network and by what the ones asked for are; else a JumpnetError.

    >>> from jumpnet.topology import build
    >>> trees, others = Trees(build("mesh:2x2"), "paths"), Trees(build("mesh:3x2"), "paths")
    >>> fitting(trees, Trees(build("mesh:2x2"), "paths", "mesh.dimension_order")) is trees
    True
    >>> try:
    ...     fitting(trees, others)
    ... except JumpnetError as error:
    ...     print(str(error).partition(",")[0])
    trees of mesh:2x2
    """
    if not isinstance(trees, Trees):
        raise JumpnetError(f"trees {written(trees):.40} found, Trees (as trees_for gives) expected")
    net, other = trees.network, asked.network
    alike = (trees.name, trees.vcs, trees.by) == (asked.name, asked.vcs, asked.by)
    if not alike or (net is not other and net.digest != other.digest):
        same = " (the same names mean something else)" if str(trees) == str(asked) else ""
        raise JumpnetError(f"trees of {trees} found, those of {asked} expected{same}")
    return trees
