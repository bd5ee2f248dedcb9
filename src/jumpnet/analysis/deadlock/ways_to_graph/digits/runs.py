"""A relation, and a start hook, run at some routers for packets to all sets of targets at once: cases of both.

Called by `asked`, `spread` and `rows`; the values that they compute with are in `values`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from jumpnet.analysis.deadlock.symbolic.header import Header, Unfit
from jumpnet.analysis.deadlock.ways_to_graph.digits.choices import Begun, Beyond, Fewer, Run, Split, Steps
from jumpnet.analysis.deadlock.ways_to_graph.digits.system import System
from jumpnet.analysis.deadlock.ways_to_graph.digits.values import Label, Table, Unknown, Value
from jumpnet.own.trial import rebuilt
from jumpnet.routings import BoundRouting
from jumpnet.routings.view import DESTINATION, IN_PORT, IN_VC, INTERMEDIATE, KIND, NEXT_STATE, PORT, SOURCE, STATE, VC
from jumpnet.terms import I64, Array

__all__ = ["NO_PORT", "Answer", "Candidate", "Key", "answers", "started"]

NO_PORT = np.iinfo(np.int16).max
"""Above the number of every port."""


class Key(NamedTuple):
    """What packets have besides their routers."""

    state: int
    middle: bool
    """Whether they have a middle router."""
    lane: int = 0
    """Which of the sets of such packets, where one product for all would say too little."""
    rest: int = 0
    """Which of `System.classes` the destination has, which stays as it is."""


@dataclass(eq=False)
class Candidate:
    """One candidate at all routers of a case."""

    port: Array
    """(B, 1) int16, or (B, k) by a digit of the target; -1 or NO_PORT where the number is no port's."""
    digit: int | None
    vc: int
    state: int
    kind: int
    then: Key | None = None
    """What packets are that went by it; None where that is not known yet."""


@dataclass(eq=False)
class Answer:
    """What a relation answers for a set of packets: at each router a product of sets of digits."""

    rows: Array
    """(B, 1) bool."""
    masks: list[Array]
    """(B, k) bool of each digit."""
    found: int
    candidates: list[Candidate]
    sure: bool

    @property
    def alike(self) -> tuple[Any, ...]:
        """What answers have in common that may be put together."""
        return self.found, tuple((c.digit, c.vc, c.state, c.kind) for c in self.candidates)


class _Numpy:
    """NumPy, whose conversions leave values as they are."""

    def __getattr__(self, name: str) -> Any:
        if name in ("int64", "int32", "int16", "intp"):
            return _as_is(getattr(np, name))
        return getattr(np, name)


def _as_is(convert: Any) -> Any:
    return lambda value: convert(value) if isinstance(value, int | float | np.generic) else value


def plain(function: Any) -> Any:
    """A function in plain Python that may be run on values."""
    made = rebuilt(function)
    todo, seen = [made], set()
    while todo:
        one = todo.pop()
        if not isinstance(one, FunctionType) or id(one) in seen or one.__globals__ is globals():
            continue  # conversions of this file stand in for `int`
        seen.add(id(one))
        names = one.__globals__
        names["int"] = _as_is(int)
        for name in one.__code__.co_names:
            if names.get(name) is np:
                names[name] = _Numpy()
            todo.append(names.get(name))
    return made


class View:
    """The network as functions see it."""

    def __init__(self, run: Run, bound: BoundRouting) -> None:
        view = bound.view
        self.neighbor, self.far_port, self.link_class = (
            Table(run, array) for array in (view.neighbor, view.far_port, view.link_class)
        )
        self.coord = Table(run, view.coord, coordinates=True)
        self.params, self.own, self.table = (Table(run, array) for array in (view.params, view.own, view.table))
        self.vcs, self.queues = view.vcs, view.queues


class _Out:
    """The rows of candidates."""

    def __init__(self) -> None:
        self.rows: dict[int, dict[int, Any]] = {}

    def __setitem__(self, index: tuple[Any, Any], value: Any) -> None:
        self.rows.setdefault(int(index[0]), {})[int(index[1])] = value


class _Queues:
    """Queues of which nothing is known."""

    def __init__(self, run: Run) -> None:
        self.run = run

    def __getitem__(self, index: Any) -> Any:
        return Unknown(self.run)


def _each(routers: I64, rows: Array, masks: Sequence[Array], steps: Steps, call: Any) -> Iterator[tuple[Run, Any]]:
    """The runs of a call, each for its part of the packets, at some routers (`Run.which`); None of what is lost."""
    todo = [Begun([], np.arange(len(routers)), [])]
    while todo:
        begun = todo.pop()
        which = begun.which
        whole = len(which) == len(routers)
        run = Run(rows if whole else rows[which], [m if whole else m[which] for m in masks], begun, todo, steps)
        try:
            made = call(run, routers[which])
        except (Unfit, Split):
            raise
        except Fewer:
            continue
        except Beyond:
            made = None
        except Exception as error:
            raise Unfit from error
        run.settle()
        yield run, made


def _router(run: Run, system: System, which: int) -> Label:
    return Label(run, system, system.number, which * len(system.radix), True)


def answers(
    bound: BoundRouting,
    system: System,
    relation: Any,
    key: Key,
    routers: I64,
    rows: Array,
    masks: Sequence[Array],
    steps: Steps,
) -> list[Answer]:
    """The cases of packets of a key at some routers (B,), put together where that loses nothing.

    rows (B, 1), masks (B, k): the packets, by digits of the destination, of the middle router where there is one, and
    of the source where it is asked for. Raises Unfit, Split. Cost: each run does some tens of operations on tables of
    B x k.
    """

    def call(run: Run, some: I64) -> tuple[int, list[Candidate]]:
        """The count that the relation returns for one run, and its candidates."""
        middle = _router(run, system, 1) if key.middle else -1
        head, out = Header({DESTINATION: _router(run, system, 0), STATE: key.state, INTERMEDIATE: middle}), _Out()
        if len(masks) > (1 + key.middle) * len(system.radix):
            head[SOURCE] = _router(run, system, 1 + key.middle)
        found = int(relation(View(run, bound), Value(run, None, some[:, None]), head, out))
        return found, [_candidate(run, out.rows.get(i, {})) for i in range(max(0, found))]

    made: list[Answer] = []
    for run, answered in _each(routers, rows, masks, steps, call):
        found, candidates = (-1, []) if answered is None else answered
        answer = _everywhere(run, found, candidates, len(routers))
        like = [other for other in made if other.alike == answer.alike and other.sure == answer.sure]
        steps.take((1 + len(like)) * sum(mask.size for mask in masks) // np.int64().itemsize)
        if not any(_joined(other, answer) for other in like):
            made.append(answer)
    return made


def _everywhere(run: Run, found: int, candidates: list[Candidate], routers: int) -> Answer:
    """An answer at some routers as one at all."""

    def spread(array: Array) -> Array:
        """Rows (R, k) of all routers, zero where the run is not."""
        if len(run.which) == routers:
            return array
        full = np.zeros((routers, array.shape[1]), array.dtype)
        full[run.which] = array
        return full

    for candidate in candidates:
        candidate.port = spread(candidate.port)
    return Answer(spread(run.rows), [spread(mask) for mask in run.masks], found, candidates, run.sure)


def _candidate(run: Run, row: Mapping[int, Any]) -> Candidate:
    if len(row) < 4:
        raise Unfit
    port = row[PORT]
    vc, state, kind = (int(row[field]) for field in (VC, NEXT_STATE, KIND))
    digit, data = (port.digit, port.data) if isinstance(port, Value) else (None, np.asarray(port, np.int64))
    made = np.empty((len(run.rows), 1 if digit is None else data.shape[1]), np.int16)
    made[:] = np.clip(np.asarray(data, np.int64), -1, NO_PORT)
    return Candidate(made, digit, vc, state, kind)


def _joined(one: Answer, two: Answer) -> bool:
    """Put the second answer into the first where each router's packets of both are a product again."""
    both, apart = (one.rows & two.rows)[:, 0], np.zeros(len(one.rows), np.int64)
    if both.any():
        for mine, theirs in zip(one.masks, two.masks, strict=True):
            if mine is theirs:
                continue
            apart += (mine != theirs).any(axis=1) & both
            if (apart > 1).any():
                return False
    for a, b in zip(one.candidates, two.candidates, strict=True):
        shared = both[:, None] if a.digit is None else one.masks[a.digit] & two.masks[a.digit] & both[:, None]
        if (shared & (a.port != b.port)).any():
            return False
    # Where only the second has packets, whatever the first says there does not count.
    for a, b in zip(one.candidates, two.candidates, strict=True):
        np.copyto(a.port, b.port, where=two.rows if b.digit is None else two.masks[b.digit] & two.rows)
    one.masks = [
        mine if mine is theirs else (mine & one.rows) | (theirs & two.rows)
        for mine, theirs in zip(one.masks, two.masks, strict=True)
    ]
    one.rows = one.rows | two.rows
    return True


def started(
    bound: BoundRouting,
    system: System,
    start: Any,
    draw: Any,
    routers: I64,
    rows: Array,
    masks: Sequence[Array],
    steps: Steps,
) -> Iterator[tuple[Key, Run]]:
    """The keys that packets start with at some routers, for one draw: each with the packets that do."""

    def call(run: Run, some: I64) -> Key:
        """With what the hook sets packets begin, in one run."""
        here = Value(run, None, some[:, None])
        head = Header({SOURCE: here, DESTINATION: _router(run, system, 0), STATE: 0, INTERMEDIATE: -1})
        head |= {IN_PORT: -1, IN_VC: -1}
        start(View(run, bound), head, draw, _Queues(run))
        return Key(int(head[STATE]), not isinstance(head[INTERMEDIATE], int) or head[INTERMEDIATE] != -1)

    for run, key in _each(routers, rows, masks, steps, call):
        if key is None:
            raise Unfit
        yield key, run
