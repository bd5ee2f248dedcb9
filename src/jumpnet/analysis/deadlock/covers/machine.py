"""A relation run for all pairs of routers at once, its ways joined again where they come to the same place.

`dimensions.cases` runs a relation once for each way through it, and a loop over many dimensions has a power of them.
Here two ways that stand at the same step, with the same values of all names that are still read and as many candidates,
become one; where their packets are more than a few products, the least one around them stands for these (Cousot and
Cousot 1977). So there are few ways; each packet is among those of one, perhaps with others that do not come so. Called
by `cover`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.covers.steps import (
    Apply,
    Branch,
    Call,
    Const,
    Jump,
    Load,
    Part,
    Program,
    Return,
    Store,
)
from jumpnet.analysis.deadlock.covers.values import Mixed, Place, Pool, Table
from jumpnet.analysis.deadlock.dimensions.grid import Grid
from jumpnet.analysis.deadlock.dimensions.products import Product, add_product
from jumpnet.analysis.deadlock.symbolic.header import Unfit
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, KIND, MAX_CANDIDATES, NEXT_STATE, PORT, STATE, VC
from jumpnet.terms import I64

__all__ = ["Answers", "End", "Machine", "Offer", "Offers"]

MOST_STEPS = 1 << 20
"""Steps of one run (some seconds)."""
MOST_JOINED = 4
"""Products of packets of ways at one place, beyond which the least one around them stands for all."""
MOST_VALUES = 1 << 10
"""Values by which a number may be parted."""


class Offer(NamedTuple):
    """A candidate."""

    port: int
    vc: int
    kind: int
    after: Any
    """NEXT_STATE: a number, or a table of it for each STATE."""


Offers = dict[Offer, list[Product]]


class End(NamedTuple):
    """How a way ends."""

    found: int
    kinds: frozenset[int]
    """Of the candidates."""
    several: bool
    """Whether these have several ports."""


class Answers(NamedTuple):
    """What a relation says to packets of one arrival."""

    offers: Offers
    """For each candidate products that hold all packets that it is offered to."""
    ends: dict[End, list[Product]]
    """Likewise for each end: every packet that comes to it."""


class _Frame(NamedTuple):
    program: Program
    at: int
    values: Mapping[str, Any]


class _Way(NamedTuple):
    """Packets at one place of the relation."""

    frames: tuple[_Frame, ...]
    masks: Product
    found: int = 0
    row: tuple[Any, ...] = (None,) * 4
    """The candidate that is being written."""
    kinds: frozenset[int] = frozenset()
    port: int = -1
    """Of the first candidate."""
    several: bool = False


class _Joined(NamedTuple):
    """Ways at one place."""

    way: _Way
    """One of them."""
    known: list[Product]
    """Their packets."""
    done: list[Product]
    """Those that went on."""


class _Parted(Exception):
    """Packets have to be told apart by a register before the step is done."""

    def __init__(self, name: str, value: Table) -> None:
        self.name, self.value = name, value


NET, COORDINATES, SHAPES, HEADER, OUT = (object() for _ in range(5))


class Machine:
    """Runs one relation on one grid, for a set of values of STATE."""

    def __init__(self, bound: BoundRouting, grid: Grid, program: Program, states: I64) -> None:
        self.bound, self.grid, self.program, self.states = bound, grid, program, states
        self.pool, self.view = Pool(), bound.view
        self.shapes = {name: self.pool.kept(("shape", name), object) for name in ("neighbor", "far_port", "link_class")}
        self.places = Place(False), Place(True)
        self.everything: Product = (*(np.ones(k * k, bool) for k in grid.sides), np.ones(len(states), bool))

    def run(self, port: int, vc: int) -> Answers:
        """What packets are told that came by a port and virtual channel, -1 where they start. Raises Unfit."""
        self.arrival = {IN_PORT: port, IN_VC: vc}
        self.answers = Answers({}, {})
        self.waiting: dict[Any, _Joined] = {}
        self.order: list[tuple[Any, int, Any]] = []
        self.numbers, self.steps = count(), 0
        first = zip(self.program.arguments, (NET, self.places[0], HEADER, OUT), strict=True)
        self._wait(_Way((_Frame(self.program, 0, dict(first)),), self.everything))
        while self.order:
            ways = self.waiting[heapq.heappop(self.order)[2]]
            new = [masks for masks in ways.known if not any(masks is other for other in ways.done)]
            ways.done[:] = ways.known
            todo = [ways.way._replace(masks=masks) for masks in new]
            while todo:
                todo += self._on(todo.pop())
        return self.answers

    def _wait(self, way: _Way) -> None:
        """Join a way with others at the same place; it goes on once those that may still come there have."""
        key = self._key(way)
        ways = self.waiting.setdefault(key, _Joined(way, [], []))
        if not add_product(ways.known, way.masks):
            return
        if len(ways.known) > MOST_JOINED:
            ways.known[:] = [tuple(np.any(masks, axis=0) for masks in zip(*ways.known, strict=True))]
        heapq.heappush(self.order, (self._place(way), next(self.numbers), key))

    def _key(self, way: _Way) -> Any:
        key = self.pool.key
        frames = []
        for frame in way.frames:
            live = sorted(frame.program.live[frame.at] & frame.values.keys())
            frames.append((id(frame.program), frame.at, tuple((name, key(frame.values[name])) for name in live)))
        row = tuple(None if one is None else key(one) for one in way.row)
        return tuple(frames), way.found, row, way.kinds, way.port, way.several

    def _place(self, way: _Way) -> tuple[int, ...]:
        """Where a way is: those before it may still come to where it is."""
        place: list[int] = []
        for frame in way.frames:
            for loop in frame.program.around[frame.at]:
                place += [loop.first, int(frame.values[loop.turns])]
            place.append(frame.at)
        return tuple(place)

    def _on(self, way: _Way) -> list[_Way]:
        """One way, until it is parted or comes to where others may join it."""
        while True:
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise Unfit
            try:
                after = self._step(way)
            except _Parted as parted:
                return list(self._by_values(way, parted))
            if len(after) != 1:
                return after
            way = after[0]
            if way.frames[-1].at in way.frames[-1].program.joins:
                self._wait(way)
                return []

    def _by_values(self, way: _Way, parted: _Parted) -> Iterator[_Way]:
        """A way for each value of a table."""
        axis, data = parted.value.axis, parted.value.data
        values = np.unique(data[way.masks[axis]])
        if len(values) > MOST_VALUES:
            raise Unfit
        frame = way.frames[-1]
        for value in values.tolist():
            known = frame._replace(values={**frame.values, parted.name: value})
            masks = _put(way.masks, axis, way.masks[axis] & (data == value))
            yield way._replace(frames=(*way.frames[:-1], known), masks=masks)

    def _value(self, way: _Way, of: Any) -> Any:
        if isinstance(of, Const):
            return of.value
        try:
            return way.frames[-1].values[of]
        except KeyError as error:
            raise Unfit from error

    def _whole(self, way: _Way, of: Any) -> int:
        """A plain number; raises _Parted where packets have several."""
        value = self._value(way, of)
        if isinstance(value, Table):
            raise _Parted(of, value)
        if not isinstance(value, int | np.integer | np.bool_):
            raise Unfit
        return int(value)

    def _step(self, way: _Way) -> list[_Way]:
        frame = way.frames[-1]
        step = frame.program.steps[frame.at]
        match step:
            case Branch():
                return self._branch(way, step)
            case Jump():
                return [_moved(way, frame, step.there)]
            case Store():
                return [self._stored(way, step)]
            case Call():
                inner = dict(zip(step.function.arguments, (self._value(way, one) for one in step.of), strict=True))
                return [way._replace(frames=(*way.frames, _Frame(step.function, 0, inner)))]
            case Return():
                return self._returned(way, step)
            case Apply():
                value = self._applied(way, step)
            case Part():
                value = self._part(self._value(way, step.of), step.name)
            case Load():
                value = self._loaded(way, step)
            case _:
                raise Unfit
        return [_moved(way, frame, frame.at + 1, step.to, value)]

    def _branch(self, way: _Way, step: Branch) -> list[_Way]:
        frame, value = way.frames[-1], self._value(way, step.on)
        if not isinstance(value, Table):
            return [_moved(way, frame, frame.at + 1 if self._whole(way, step.on) else step.otherwise)]
        mask, found = way.masks[value.axis], []
        for on, at in ((value.data != 0, frame.at + 1), (value.data == 0, step.otherwise)):
            if (some := mask & on).any():
                found.append(_moved(way, frame, at)._replace(masks=_put(way.masks, value.axis, some)))
        waiting = [one for one in found if one.frames[-1].at in frame.program.joins]
        for one in waiting:
            self._wait(one)
        return [one for one in found if not any(one is other for other in waiting)] if len(found) > 1 else found

    def _applied(self, way: _Way, step: Apply) -> Any:
        if step.whole:
            return step.operate(*[self._whole(way, one) for one in step.of])
        values = [self._value(way, one) for one in step.of]
        try:
            return self.pool.applied(step.operate, values)
        except Mixed:
            tables = [(one, value) for one, value in zip(step.of, values, strict=True) if isinstance(value, Table)]
            fewest = min(tables, key=lambda pair: len(np.unique(pair[1].data[way.masks[pair[1].axis]])))
            raise _Parted(str(fewest[0]), fewest[1]) from None
        except (ArithmeticError, ValueError) as error:
            raise Unfit from error

    def _part(self, of: Any, name: str) -> Any:
        """An attribute of the network as the relation may see it, or the shape of an array."""
        if of is NET:
            if name == "coord":
                return COORDINATES
            if name in self.shapes:
                return self.shapes[name]
            if name in ("params", "own", "table", "vcs"):
                return getattr(self.view, name)
            raise Unfit
        if name not in ("shape", "size"):
            raise Unfit
        if of is COORDINATES:
            return getattr(self.view.coord, name)
        for array, shape in self.shapes.items():
            if of is shape:
                return getattr(getattr(self.view, array), name)
        if isinstance(of, np.ndarray):
            return getattr(of, name)
        raise Unfit

    def _loaded(self, way: _Way, step: Load) -> Any:
        of = self._value(way, step.of)
        if of is HEADER:
            return self._header(self._whole(way, *step.places))
        if of is COORDINATES:
            place = self._value(way, step.places[0])
            if not isinstance(place, Place) or len(step.places) != 2:
                raise Unfit
            return self._coordinate(place, self._whole(way, step.places[1]))
        if not isinstance(of, np.ndarray | tuple):
            raise Unfit
        index = tuple(self._whole(way, one) for one in step.places)
        shape = of.shape if isinstance(of, np.ndarray) else (len(of),)
        if len(index) > len(shape) or any(not 0 <= at < most for at, most in zip(index, shape, strict=False)):
            raise Unfit
        found = of[index] if isinstance(of, np.ndarray) else of[index[0]]
        if isinstance(found, np.ndarray):
            return self.pool.kept(("row", self.pool.key(of), index), lambda: found)
        if not isinstance(found, int | np.integer | np.bool_):
            raise Unfit
        return int(found)

    def _header(self, at: int) -> Any:
        if at == DESTINATION:
            return self.places[1]
        if at == STATE:
            return self.pool.kept("STATE", lambda: Table(len(self.grid.sides), self.states))
        if at in self.arrival:
            return self.arrival[at]
        raise Unfit

    def _coordinate(self, place: Place, d: int) -> Table:
        if not 0 <= d < len(self.grid.sides):
            raise Unfit
        k = self.grid.sides[d]
        here, there = np.divmod(np.arange(k * k, dtype=np.int64), k)
        return self.pool.kept((place.far, d), lambda: Table(d, there if place.far else here))

    def _stored(self, way: _Way, step: Store) -> _Way:
        """One field more of the candidate that is being written, which is the next one; the whole of it is offered."""
        frame = way.frames[-1]
        if self._value(way, step.to) is not OUT or len(step.places) != 2:
            raise Unfit
        at, field = (self._whole(way, one) for one in step.places)
        value = self._value(way, step.value)
        is_state = isinstance(value, Table) and value.axis == len(self.grid.sides) and field == NEXT_STATE
        value = value if is_state else self._whole(way, step.value)
        if at != way.found or not 0 <= field < 4 or at >= MAX_CANDIDATES or way.row[field] is not None:
            raise Unfit
        row = (*way.row[:field], value, *way.row[field + 1 :])
        way = _moved(way, frame, frame.at + 1)._replace(row=row)
        if None in row:
            return way
        offer = Offer(row[PORT], row[VC], row[KIND], row[NEXT_STATE])
        if not (0 <= offer.port < self.bound.network.ports and 0 <= offer.vc < self.bound.vcs):
            raise Unfit
        add_product(self.answers.offers.setdefault(offer, []), way.masks)
        return way._replace(
            found=at + 1,
            row=(None,) * 4,
            kinds=way.kinds | {offer.kind},
            port=offer.port if at == 0 else way.port,
            several=way.several or (at > 0 and offer.port != way.port),
        )

    def _returned(self, way: _Way, step: Return) -> list[_Way]:
        if len(way.frames) > 1:
            value, outer = self._value(way, step.value), way.frames[-2]
            call = outer.program.steps[outer.at]
            return [_moved(way._replace(frames=way.frames[:-1]), outer, outer.at + 1, call.to, value)]
        found = self._whole(way, step.value)
        if found != way.found or way.row != (None,) * 4 or (found == 0 and not self._is_there(way.masks)):
            raise Unfit
        add_product(self.answers.ends.setdefault(End(found, way.kinds, way.several), []), way.masks)
        return []

    def _is_there(self, masks: Product) -> bool:
        """Whether all packets are where they go to."""
        for k, mask in zip(self.grid.sides, masks, strict=False):
            here, there = np.divmod(np.flatnonzero(mask), k)
            if (here != there).any():
                return False
        return True


def _put(masks: Product, axis: int, mask: Any) -> Product:
    return (*masks[:axis], np.asarray(mask), *masks[axis + 1 :])


def _moved(way: _Way, frame: _Frame, at: int, to: str = "", value: Any = None) -> _Way:
    """A way at another step of its innermost function, with a register set."""
    values = {**frame.values, to: value} if to else frame.values
    return way._replace(frames=(*way.frames[:-1], _Frame(frame.program, at, values)))
