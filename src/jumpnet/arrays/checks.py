"""What the arrays of a network must be, checked whenever one is made: compiled code reads them without a look.

A wrong shape, a router or port that is not there, or a channel without its counterpart becomes one line. What comes
from outside is copied, so that nobody writes it afterwards. Used by `networks`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import partial
from typing import Any

import numpy as np

from jumpnet.arrays.locked import is_locked, kept, locked
from jumpnet.errors import JumpnetError, unknown_name, written
from jumpnet.terms import MAX_LATENCY_CYCLES, NO_PORT, NO_ROUTER, Array

__all__ = [
    "MOST", "SHAPES", "checked_arrays", "content_hash", "refuse_masked", "refuse_more", "refuse_unlike", "table_shape",
    "whole_numbers",
]  # fmt: skip

MOST = 2**31 - 1
"""The largest number of 32 bits."""
FARTHEST = 1e30
"""The largest coordinate of a place: pictures are drawn with differences and squares of them."""
MOSTLY_EMPTY = 8
"""Of tables with fewer channels than one port in so many, only the channels are looked at."""
DIGEST_DIGITS = 16
OPTIONAL = ("latency",)
"""Arrays of whole numbers that may be None."""
SHAPES: Mapping[str, tuple[str, ...]] = {
    "neighbor": ("routers", "ports"), "far_port": ("routers", "ports"), "link_class": ("routers", "ports"),
    "class_rank": ("classes",), "coord": ("routers", "dimensions"), "terminals": ("routers",), "sinks": ("routers",),
    "params": ("numbers",), "latency": ("routers", "ports"),
}  # fmt: skip
"""The shape of each array of whole numbers; a name stands for one length wherever it is."""


def refuse_more(function: str, more: Mapping[str, object], kind: type) -> None:
    """Raise JumpnetError for an argument of a function that no field of the dataclass `kind` takes."""
    for name in more.keys() - {field.name for field in fields(kind)}:
        raise unknown_name(f"argument of {function}", name, (field.name for field in fields(kind)))


def refuse_masked(what: str, values: Any) -> None:
    """Raise JumpnetError for an array with masked values: `np.asarray` would take what lies behind the mask.

    >>> refuse_masked("cycle", np.ma.masked_equal([1, 2], 2))
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: cycle is an array with masked values, whole numbers expected
    """
    masks = sys.modules.get("numpy.ma")  # a while to load; where nobody has, no array is masked
    if masks is not None and masks.is_masked(values):
        raise JumpnetError(f"{what} is an array with masked values, whole numbers expected")


def whole_numbers(what: str, values: Any, low: int, high: int, kind: type[np.signedinteger[Any]] = np.int32) -> Array:
    """An array of whole numbers from low to high, of whatever type, as one of `kind` that nobody can write.

    It is a copy, but for one that is locked already. Raises JumpnetError for other numbers.

    >>> whole_numbers("ring: neighbor", [[1, 2], [2, 9]], -1, 2)
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: ring: neighbor[1, 1] is 9, -1 to 2 expected
    """
    values = kept(values)
    refuse_masked(what, values)
    try:
        array = np.asarray(values)
    except ValueError:
        raise JumpnetError(f"{what} has rows of different lengths, an array of whole numbers expected") from None
    whole = array.dtype.kind in "iub" or (array.dtype.kind == "f" and bool((array == np.floor(array)).all()))
    if array.size and not whole:
        raise JumpnetError(f"{what} is an array of {array.dtype}, whole numbers expected")
    if array.size and (array.min() < low or array.max() > high):
        place = np.argwhere((array < low) | (array > high))[0].tolist()
        raise JumpnetError(f"{what}{place} is {array[tuple(place)]}, {low} to {high} expected")
    return array if is_locked(array) and array.dtype == kind else locked(np.array(array, kind, order="C"))


def _limits(name: str, lengths: Mapping[str, int]) -> tuple[int, int]:
    """Least and greatest value of an array."""
    if name == "neighbor":
        return NO_ROUTER, lengths["routers"] - 1
    if name == "link_class":
        return -1, lengths["classes"] - 1
    if name == "params":
        return -(2**63), 2**63 - 1
    if name == "latency":
        return 0, MAX_LATENCY_CYCLES
    return (NO_PORT if name == "far_port" else -MOST - 1 if name == "coord" else 0), MOST


def checked_arrays(spec: str, directed: bool, given: Mapping[str, Any]) -> dict[str, Any]:
    """The arrays of a network, and its orbits, contiguous and locked; None stays away.

    Raises JumpnetError for what is wrong: types, shapes, ranges, orbits, channels that do not pair up. Cost: O(R P),
    for a directed network O(R P log(R P)).
    """
    if not isinstance(directed, bool | np.bool_):
        raise JumpnetError(f"{spec}: directed of type {type(directed).__name__} found, True or False expected")
    _names(spec, given)
    if not isinstance(given["attributes"], Mapping):
        raise JumpnetError(f"{spec}: attributes of type {type(given['attributes']).__name__} found, a mapping expected")
    if (made := given["given"]) is not None and not (
        isinstance(made, tuple) and len(made) == 2 and hasattr(made[0], "nodes")
    ):
        raise JumpnetError(
            f"{spec}: given of type {type(made).__name__} found, a graph with its digest or None expected"
        )
    table = table_shape(f"{spec}: neighbor", given["neighbor"])
    if not table[0]:
        raise JumpnetError(f"{spec}: no router found, at least one expected")
    if given["labels"] is not None and len(given["labels"]) != table[0]:
        raise JumpnetError(f"{spec}: {len(given['labels'])} labels found, one for each of {table[0]} routers expected")
    lengths = {"routers": table[0], "ports": table[1], "classes": len(given["class_names"])}
    found: dict[str, Any] = {}
    for name, shape in SHAPES.items():
        if given[name] is not None or name not in OPTIONAL:
            kind = np.int64 if name == "params" else np.int32
            found[name] = whole_numbers(f"{spec}: {name}", given[name], *_limits(name, lengths), kind)
            _check_shape(f"{spec}: {name}", found[name], shape, lengths)
    _check_channels(spec, found["neighbor"], found["far_port"], found["link_class"], directed)
    if given["position"] is not None:
        found["position"] = _places(f"{spec}: position", given["position"])
        if found["position"].ndim == 2 and found["position"].shape[1] == 3:
            said = "two expected, such as x + z / 3 and y + z / 3, or coord alone, which is drawn by itself"
            raise JumpnetError(f"{spec}: position has shape {found['position'].shape}: three axes found, {said}")
        _check_shape(f"{spec}: position", found["position"], ("routers", "axes"), lengths | {"axes": 2})
    if given["orbits"] is not None:
        found["orbits"] = _orbits(f"{spec}: orbits", given["orbits"], table[0])
        _refuse_unlike(f"{spec}: orbits", found["orbits"], found)
    return found


def table_shape(what: str, values: Any) -> tuple[int, ...]:
    """The shape of a table of routers and ports; raises JumpnetError for what is none."""
    try:
        shape = np.shape(values)
    except ValueError:
        raise JumpnetError(f"{what} has rows of different lengths, an array of whole numbers expected") from None
    if len(shape) != 2:
        raise JumpnetError(f"{what} has {len(shape)} dimensions, routers and ports expected")
    return shape


def _names(spec: object, given: Mapping[str, Any]) -> None:
    """Refuse names that are no text."""
    for name in ("spec", "family"):
        if not isinstance(given[name], str):
            raise JumpnetError(f"network {written(spec)}: {name} {written(given[name])} found, text expected")
    for name in ("class_names", "labels"):
        words = given[name]
        texts = isinstance(words, tuple | list) and all(isinstance(word, str) for word in words)
        if not texts and (name == "class_names" or words is not None):
            raise JumpnetError(f"{spec}: {name} is no tuple of texts")


def _places(what: str, values: Any) -> Array:
    values = kept(values)
    if is_locked(values):
        return values
    try:
        found = np.array(values, np.float64, order="C")
    except (TypeError, ValueError):
        raise JumpnetError(f"{what} is no array of numbers, two for each router expected") from None
    if not np.isfinite(found).all():
        raise JumpnetError(f"{what} holds {found[~np.isfinite(found)][0]}, finite numbers expected")
    if found.size and (far := float(np.abs(found).max())) > FARTHEST:
        raise JumpnetError(f"{what} holds {far:.3g}, at most {FARTHEST:.0e} expected")
    return locked(found)


def _check_shape(what: str, array: Array, shape: tuple[str, ...], lengths: Mapping[str, int]) -> None:
    expected = [lengths.get(name, array.shape[k] if k < array.ndim else -1) for k, name in enumerate(shape)]
    if list(array.shape) != expected:
        wanted = " x ".join(f"{n} {name}" if name in lengths else name for n, name in zip(expected, shape, strict=True))
        raise JumpnetError(f"{what} has shape {array.shape}, {wanted} expected")


def _check_channels(spec: str, neighbor: Array, far_port: Array, link_class: Array, directed: bool) -> None:
    """Every channel has a class and arrives at a port of its own; where links are two-way the port leads back."""
    routers, ports = neighbor.shape
    none = neighbor < 0

    def refuse(wrong: Array, why: str) -> None:
        if wrong.any():
            r, p = divmod(int(np.flatnonzero(wrong)[0]), ports)
            raise JumpnetError(f"{spec}: the channel from router {r} by port {p} {why}")

    refuse(none != (far_port < 0), "has a neighbor or a far_port, both or none expected")
    refuse(none != (link_class < 0), "has a neighbor or a link class, both or none expected")
    if directed:
        far = int(far_port.max(initial=-1)) + 1
        refuse(far_port >= none.size, f"arrives at port {far - 1}, more than there are channels")
        arrival = neighbor[~none].astype(np.int64) * far + far_port[~none]
        order = np.argsort(arrival, kind="stable")
        same = np.zeros(arrival.size, bool)
        same[order[1:]] = np.diff(arrival[order]) == 0
        doubled = np.zeros(none.shape, bool)
        doubled[~none] = same
        refuse(doubled, "arrives at a port where another one arrives")
        return
    refuse(far_port >= ports, f"arrives at a port above {ports - 1}")
    wide = np.int64 if routers * ports > MOST else np.int32
    if MOSTLY_EMPTY * np.count_nonzero(none) > (MOSTLY_EMPTY - 1) * none.size:  # one router with very many links
        at = np.flatnonzero(~none)
        wrong = np.zeros(none.shape, bool)
        wrong.reshape(-1)[at] = _places_of(_places_of(at, neighbor, far_port), neighbor, far_port) != at
    else:
        place = neighbor.astype(wide, copy=False) * ports + far_port
        here = np.arange(place.size, dtype=wide)
        # No channel looks up itself, and is right so.
        back = place.reshape(-1)[np.where(none.reshape(-1), here, place.reshape(-1))] if ports else here
        wrong = (back != here) & ~none.reshape(-1)
    refuse(wrong, "does not come back by the port that it arrives at")


def _places_of(channels: Array, neighbor: Array, far_port: Array) -> Array:
    """Where some channels, by their places in the tables, arrive: places too, of 64 bits."""
    return neighbor.reshape(-1)[channels].astype(np.int64) * neighbor.shape[1] + far_port.reshape(-1)[channels]


def _orbits(what: str, orbits: Any, routers: int) -> Any:
    """Orbits of the same type with arrays of their own."""
    if not hasattr(orbits, "representative") or not hasattr(orbits, "size"):
        raise JumpnetError(f"{what}: {type(orbits).__name__} found, Orbits(representative, size) expected")
    first = whole_numbers(f"{what}.representative", orbits.representative, 0, routers - 1, np.int64)
    size = whole_numbers(f"{what}.size", orbits.size, 1, routers, np.int64)
    if first.ndim != 1 or first.shape != size.shape or size.sum(dtype=np.int64) != routers:
        raise JumpnetError(f"{what} of {size.sum(dtype=np.int64)} routers found, {routers} expected")
    if (np.diff(np.sort(first)) == 0).any():  # `np.unique` loads masked arrays, a while
        raise JumpnetError(f"{what}.representative names a router twice, one of each orbit expected")
    return type(orbits)(first, size)


def _refuse_unlike(what: str, orbits: Any, found: Mapping[str, Array]) -> None:
    """Refuse orbits that the numbers of links and terminals contradict, which automorphisms keep.

    Which router is in which orbit is not declared: as many must have a number as the orbits whose representatives have.
    """
    for numbers, thing in (
        ((found["neighbor"] != NO_ROUTER).sum(axis=1), "link"),
        (found["terminals"], "terminal"),
        (found["sinks"], "sink"),
    ):
        refuse_unlike(what, orbits, numbers, partial(_so_many, thing))


def _so_many(thing: str, number: int) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def refuse_unlike(what: str, orbits: Any, numbers: Array, words: Callable[[int], str]) -> None:
    """Raise JumpnetError unless numbers (R,) that automorphisms keep fit orbits; `words` say what one of them means.

    Cost: O(R log R).
    """
    first, size = orbits.representative, orbits.size
    ordered = np.sort(numbers)
    values = ordered[np.append(True, np.diff(ordered) != 0)]  # `np.unique` loads masked arrays, a while
    of = np.searchsorted(values, numbers)
    there = np.bincount(of)
    said = np.zeros(len(values), np.int64)
    np.add.at(said, of[first], size)
    if np.array_equal(there, said):
        return
    which = int(np.flatnonzero(there > said)[0])
    other = int(np.flatnonzero(of == which)[0])
    has = words(int(values[which]))
    if len(first) == 1:
        mine = words(int(numbers[first[0]]))
        raise JumpnetError(f"{what}: router {first[0]} has {mine}, router {other}, said to be like it, has {has}")
    raise JumpnetError(f"{what}: {there[which]} routers, such as {other}, have {has}, {said[which]} are declared to")


def content_hash(net: Any, *more: str) -> str:
    """The hash of what a network says of itself, by its words and its arrays, of which more can be named."""
    told = hashlib.sha256(repr((net.family, net.directed, net.class_names, net.labels)).encode())
    for name in (*SHAPES, *more):
        array = getattr(net, name)
        if array is not None:
            told.update(f"{name} {array.dtype.str} {array.shape} ".encode())
            told.update(np.ascontiguousarray(array).data)
    return told.hexdigest()[:DIGEST_DIGITS]
