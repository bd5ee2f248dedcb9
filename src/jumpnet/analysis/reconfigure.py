"""A wafer for a network: reconfigure its array, set the bunches of bypass links, trace the links of the result.

Source: inoguchi1996srt, section 5; readings of its lost figures in docs/decisions/0020. Beside each ring of the torus
runs a bunch of bypass lines, one for each ring of bypass links of one level. At each element a line is in cross mode
(it passes by) or in connect mode (it is cut and both ends are joined to the element). The bunch follows its ring
through the tracks and switches, so that a shift across the ring takes it along. Called by `cli` and `report`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError
from jumpnet.fault.array import WaferArray
from jumpnet.fault.configuration import Reconfiguration, configure
from jumpnet.fault.defects import DefectModel, from_file
from jumpnet.fault.method import method as method_named
from jumpnet.graph.links import joined_routers
from jumpnet.networks import Network
from jumpnet.settings.typed import refuse_unknown
from jumpnet.terms import I64, Array
from jumpnet.topology import build

__all__ = ["Bunches", "WaferNetwork", "array_for", "bunches", "on_wafer", "reconfigure"]


@dataclass(frozen=True, eq=False)
class Bunches:
    """Connect modes of the bypass lines along one axis (rings are rows, or columns)."""

    span: I64
    """(lines,) span of the links on each line of the bunch; the same span twice when two rings interleave."""
    connect: Array
    """(rings, positions, lines) bool: connect mode at each logical element; false is cross mode."""


def _sides(net: Network) -> tuple[int, int]:
    """(columns, rows) of a network whose routers fill a grid row by row; raises JumpnetError for another."""
    if net.coord.shape[1] == 2:
        columns, rows = (int(c) + 1 for c in net.coord.max(axis=0))
        place = net.coord[:, 1].astype(np.int64) * columns + net.coord[:, 0]
        if rows * columns == net.routers and (place == np.arange(net.routers)).all():
            return columns, rows
    raise JumpnetError(f"{net.spec} found, a two-dimensional torus, mesh or srt2d expected")


def array_for(net: Network, spares: int = 1, sides: str = "NESW", tracks: int = 1) -> WaferArray:
    """The physical array for a network: one element a router, spare lines on the named sides.

    >>> array_for(build("srt2d:16")).shape
    (18, 18)
    """
    columns, rows = _sides(net)
    return WaferArray.around(rows, columns, spares, sides, tracks)


def bunches(net: Network, axis: int) -> Bunches:
    """The bunch of bypass lines along rows (axis 0) or columns (axis 1) that gives the network's bypass links.

    Raises JumpnetError when a link runs along neither, or a line of equal spans is no whole ring.

    >>> bunches(build("srt2d:16"), 0).span.tolist()
    [2, 4, 8]
    >>> bunches(build("srt2d:16,variant=ss"), 0).span.tolist()
    [2, 4, 4]
    """
    columns, rows = _sides(net)
    rings, along = (rows, columns) if axis == 0 else (columns, rows)
    members: dict[tuple[int, int], set[int]] = {}
    for a, b in joined_routers(net):
        (xa, ya), (xb, yb) = (divmod(v, columns)[::-1] for v in (a, b))
        if xa != xb and ya != yb:
            raise JumpnetError(f"{net.spec}: a link along neither a row nor a column found, none expected on a wafer")
        ring, p, q = (ya, xa, xb) if axis == 0 else (xa, ya, yb)
        if (ya != yb) if axis == 0 else (xa != xb):
            continue
        span = min((q - p) % along, (p - q) % along)
        if span > 1:
            members.setdefault((span, ring), set()).update((p, q))
    # Two rings of one span on one line of elements interleave: each takes a line of its own.
    lines: dict[int, list[list[tuple[int, int]]]] = {}
    for (span, ring), places in sorted(members.items()):
        starts = sorted({p % span for p in places})
        whole = along % span == 0 and len(places) == len(starts) * (along // span)
        if not whole:
            raise JumpnetError(f"{net.spec}: links of span {span} that close no ring found, whole rings expected")
        for k, start in enumerate(starts):
            of_span = lines.setdefault(span, [])
            of_span += [[]] * (k + 1 - len(of_span))
            of_span[k] = [*of_span[k], (ring, start)]
    flat = [(span, uses) for span, found in sorted(lines.items()) for uses in found]
    connect = np.zeros((rings, along, len(flat)), bool)
    for line, (span, uses) in enumerate(flat):
        for ring, start in uses:
            connect[ring, start::span, line] = True
    return Bunches(np.array([span for span, _ in flat], np.int64), connect)


def _trace_lines(
    bunch: Bunches, after: I64, length: I64, index: I64
) -> tuple[set[tuple[int, int]], dict[tuple[int, int], int]]:
    """Follow every bypass line from connected element to connected element, over the traced wires of the rings.

    after, length (rings, positions): logical element that the traced wire enters, and its segments. Returns the pairs
    joined and the segments of each.
    """
    rings, along, lines = bunch.connect.shape
    joins = np.zeros((rings * along, lines), bool)
    joins[index.ravel()] = bunch.connect.reshape(rings * along, lines)
    step, far = np.full(rings * along, -1, np.int64), np.zeros(rings * along, np.int64)
    step[index.ravel()], far[index.ravel()] = after.ravel(), length.ravel()
    lengths: dict[tuple[int, int], int] = {}
    for line in range(lines):
        start = np.flatnonzero(joins[:, line])
        here, total = step[start], far[start]
        for _ in range(along):
            # A line that ends nowhere (-1) stays there and joins nothing.
            going = (here >= 0) & ~joins[here, line]
            if not going.any():
                break
            total = np.where(going, total + far[here], total)
            here = np.where(going, step[here], here)
        for a, b, n in zip(start.tolist(), here.tolist(), total.tolist(), strict=True):
            if b >= 0 and a != b and joins[b, line]:
                pair = (min(a, b), max(a, b))
                # A ring of two elements joins them twice, once each way round: the shorter way is the link.
                lengths[pair] = min(n, lengths.get(pair, n))
    return set(lengths), lengths


@dataclass(frozen=True, eq=False)
class WaferNetwork:
    """A network on a reconfigured wafer, with the links that tracing found."""

    network: Network
    configuration: Reconfiguration
    bunches: tuple[Bunches, Bunches]
    """Bypass lines along rows and along columns."""

    def _segments(self, made: Reconfiguration) -> dict[tuple[int, int], int]:
        """Each traced link and its length in segments."""
        columns, rows = _sides(self.network)
        index = np.arange(rows * columns, dtype=np.int64).reshape(rows, columns)
        wires, found = made.wires, dict[tuple[int, int], int]()
        for axis, after, length, own in (
            (0, wires.east, wires.east_length, index),
            (1, wires.south.T, wires.south_length.T, index.T),
        ):
            for a, b, n in zip(own.ravel().tolist(), after.ravel().tolist(), length.ravel().tolist(), strict=True):
                if b >= 0:
                    found[(min(a, b), max(a, b))] = n
            found.update(_trace_lines(self.bunches[axis], after, length, own)[1])
        return found

    @cached_property
    def segments(self) -> dict[tuple[int, int], int]:
        """Each traced link (pair of routers, smaller index first) and its length in segments."""
        return self._segments(self.configuration)

    @cached_property
    def isomorphic(self) -> bool:
        """Whether the mapping itself carries the network onto the traced links: each there, and no other.

        Wrap-around links that the network does not use (a mesh) are left open and do not count.
        """
        columns, rows = _sides(self.network)
        wanted, found = joined_routers(self.network), set(self.segments)
        for a, b in found - wanted:
            (xa, ya), (xb, yb) = (divmod(v, columns)[::-1] for v in (a, b))
            wrap = (ya == yb and {xa, xb} == {0, columns - 1}) or (xa == xb and {ya, yb} == {0, rows - 1})
            if not wrap:
                return False
        return wanted <= found

    @property
    def repaired(self) -> bool:
        """Whether the wafer gives the network: wires verified, and the traced links are its own."""
        return self.configuration.repaired and self.isomorphic

    @property
    def longest_wire(self) -> int:
        """Segments of the longest link, bypass links included."""
        wanted = joined_routers(self.network)
        return max((n for pair, n in self.segments.items() if pair in wanted), default=0)

    @cached_property
    def added_segments(self) -> I64:
        """(links,) segments that each link has more than on the same array without defects, sorted.

        With one segment a unit of wire delay, this is the delay that reconfiguration adds to each link.
        """
        array = self.configuration.array
        plain = configure(array, np.zeros(array.shape, bool), np.zeros(0, np.int64), "none")
        before, wanted = self._segments(plain), joined_routers(self.network)
        return np.sort(np.array([n - before[p] for p, n in self.segments.items() if p in wanted], np.int64))


def on_wafer(net: Network, configuration: Reconfiguration) -> WaferNetwork:
    """A network on a configured array, its bypass lines set as the places of the elements ask. See `reconfigure`."""
    return WaferNetwork(net, configuration, (bunches(net, 0), bunches(net, 1)))


@public
def reconfigure(
    spec: str,
    defects: str | Array | None = None,
    *,
    method: str = "local",
    spares: int = 1,
    sides: str = "NESW",
    tracks: int = 1,
    **drawn: Any,
) -> WaferNetwork:
    """Reconfigure a wafer for a network and trace all its links.

    defects: a file (CSV, JSON, PNG), a map (height, width) of bool, or None to draw one: drawn are fields of
    `defects.DefectModel` (density of defective elements, pattern, seed, densities of broken links, switches, tracks).
    spares: spare lines on each of `sides`. tracks: in each gap between lines.
    Raises JumpnetError for networks that are no torus-like grid, for defects that do not fit the array, and for
    defects that are given and are to be drawn as well.

    >>> made = reconfigure("srt2d:16", density=0.02, seed=4)
    >>> made.repaired, made.isomorphic, made.longest_wire
    (True, True, 10)
    """
    refuse_unknown(DefectModel, drawn, besides=("defects", "method", "spares", "sides", "tracks"))
    if defects is not None and drawn:
        names = ", ".join(drawn).replace("_", " ")
        raise JumpnetError(f"defects and how to draw them ({names}) found, one of them expected")
    net = build(spec)
    array = array_for(net, spares, sides, tracks)
    chosen = method_named(method)
    breaks = None
    if defects is None:
        bad, breaks = DefectModel(**drawn).wafer(array)
    elif isinstance(defects, str):
        bad, breaks = from_file(array, defects)
    else:
        bad = np.ascontiguousarray(defects, bool)
        if bad.shape != array.shape:
            raise JumpnetError(f"a map of {bad.shape} elements found, {array.shape} expected (spares included)")
    return on_wafer(net, chosen(array, bad, breaks))
