"""Settings: one way to say what a family, routing, pattern, process, kind of point or simulation may be told.

`settings_of` reads them off a dataclass or a pydantic model, `settings_from` off the mappings that routings and
patterns are made with. All are then read, refused, spelled and listed here. Used by every layer; knows no family.
"""

from __future__ import annotations

import dataclasses
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass
from functools import cache
from numbers import Number, Real
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

from jumpnet.api.public import public
from jumpnet.errors import JumpnetError, unknown_name
from jumpnet.settings._field_words import meanings_of
from jumpnet.settings.typed import FLAGS, choices_of, from_value, is_readable, parts_of, wanted, with_sides
from jumpnet.spec import Sides, is_count

__all__ = ["Setting", "Settings", "make", "settings_from", "settings_of", "spell"]

T = TypeVar("T")
LIMITS = {"ge": operator.ge, "gt": operator.gt, "le": operator.le, "lt": operator.lt}
"""Bounds of numbers, by their names in the library annotated-types, which pydantic uses as well."""
UNITS = {
    "flits": "flits",
    "cycles": "cycles",
    "packets": "packets",
    "bytes": "bytes",
    "vcs": "virtual channels",
    "load": "flits per terminal and cycle",
}
"""What the last word of a name says of the unit."""
RANGES = {int: "whole number", float: "number", bool: "true, false", str: "text"}
"""What lists call types without bounds; the one other type that families have is `Sides`."""


@dataclass(frozen=True)
class Setting:
    """One setting: what it may be, what it is when nothing is said, and what it means."""

    name: str
    kind: Any
    """Its type; `Literal` where only some values are allowed."""
    default: Any = MISSING
    keyed: bool = False
    """Whether a canonical spec writes it with its name though it must be given, and Python takes it by keyword only."""
    bounds: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """Bounds of a number, `ge`, `gt`, `le` and `lt`; `max_length` of a tuple."""
    meaning: str = ""
    source: type | None = None
    """The class whose field it is; what it means is said there, and read for lists only."""

    @property
    def required(self) -> bool:
        """Whether it must be given."""
        return self.default is MISSING

    @property
    def choices(self) -> tuple[str, ...]:
        """The words that it may be, where they are few; for completion."""
        return ("true", "false") if self.kind is bool else tuple(map(str, choices_of(self.kind)))

    def read(self, owner: str, value: Any) -> Any:
        """A word, or a value from Python, as its type; raises JumpnetError."""
        return self._within(owner, from_value(self._where(owner), self.kind, value))

    def check(self, owner: str, value: Any) -> None:
        """Raise JumpnetError for a value from Python that cannot be taken as it is."""
        expected = wanted(self.kind, value)
        if expected and choices_of(self.kind) and isinstance(value, str):
            raise unknown_name(f"value of {self._where(owner)}", value, self.choices)
        if expected:
            raise JumpnetError(f"{self._where(owner)} {value!r} found, {expected} expected")
        self._within(owner, value)

    def _where(self, owner: str) -> str:
        return f"{owner} {self.name}" if owner else self.name

    def _within(self, owner: str, value: Any) -> Any:
        for bound, end in self.bounds.items():
            if bound in LIMITS and isinstance(value, Real) and not LIMITS[bound](value, end):
                raise JumpnetError(f"{self._where(owner)} {value!r} found, {self.bounded('at least')} expected")
        return value

    def spell(self, value: Any) -> str:
        """A value as the word that is read as it."""
        if isinstance(value, tuple):
            return "x".join(map(str, value))
        return str(value).lower() if isinstance(value, bool) and self.kind is bool else str(value)

    def row(self) -> dict[str, str]:
        """name, unit, range, default and meaning, for lists."""
        return {
            "name": self.name,
            "unit": UNITS.get(self.name.rpartition("_")[2], ""),
            "range": self._range(),
            "default": "required" if self.required else _said(self.default),
            "meaning": self.meaning or (meanings_of(self.source).get(self.name, "") if self.source else ""),
        }

    def bounded(self, least: str = "") -> str:
        """The bounds in words; `least` goes before a lower one that stands alone, "and more" behind it without.

        >>> Setting("vcs", int, 1, bounds={"ge": 1}).bounded(), Setting("vcs", int, 1, bounds={"ge": 1}).bounded("from")
        ('1 and more', 'from 1')
        """
        ends = {bound: _said(end) for bound, end in self.bounds.items()}
        if "max_length" in ends:
            return f"up to {ends['max_length']}"
        low = ends.get("ge", f"above {ends['gt']}" if "gt" in ends else "")
        high = ends.get("le", f"below {ends['lt']}" if "lt" in ends else "")
        if low and high:
            return f"{low} to {high}"
        alone = f"{least} {low}" if least and "ge" in ends else f"{low} and more" if "ge" in ends else low
        return alone or (f"at most {high}" if "le" in ends else high)

    def _range(self) -> str:
        """The values that it takes."""
        if self.bounds:
            return self.bounded()
        kinds = [kind for kind in parts_of(self.kind) if kind is not type(None)]
        return " or ".join(", ".join(map(str, choices_of(k))) or RANGES.get(k, "") or _other(k) for k in kinds)


PLAIN = (str, Number, Setting)
"""What a default in a mapping may be, or one of the values allowed."""


class Settings(Mapping[str, Setting]):
    """The settings of one thing by name, in their order; `name` is the thing's, in messages and canonical specs.

    sample: a spec of the thing with all that must be given, for messages; empty where there is none.
    """

    def __init__(self, name: str, settings: Iterable[Setting], sample: str = "") -> None:
        self.name, self._sample = name, sample
        self._known = {setting.name: setting for setting in settings}
        self._unnamed = [setting.name for setting in self._known.values() if not setting.keyed]

    def __getitem__(self, name: str) -> Setting:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)

    @property
    def defaults(self) -> dict[str, Any]:
        """The default of each setting that has one."""
        return {name: setting.default for name, setting in self._known.items() if not setting.required}

    def refuse_unknown(self, names: Iterable[str]) -> None:
        """Raise JumpnetError for the first name that is no setting, with the nearest that is one."""
        for name in names:
            if not self._known:
                raise JumpnetError(f"setting {name!r} of {self.name} found, none expected: it has no settings")
            if name not in self._known:
                raise unknown_name(f"setting of {self.name}" if self.name else "setting", name, self._known)

    def refuse_unreadable(self) -> None:
        """Raise JumpnetError for a setting whose type no word can be read as."""
        for name, setting in self._known.items():
            if not is_readable(setting.kind):
                expected = "int, float, bool, str, tuple[int, ...] or Literal expected"
                raise JumpnetError(f"{self.name} {name}: type {setting.kind} found; {expected}")

    def by_name(
        self, unnamed: Sequence[Any], named: Mapping[str, Any], order: Sequence[str] | None = None
    ) -> dict[str, Any]:
        """The words of a spec by the names of settings; those without one are for the settings in their order.

        Raises JumpnetError for unknown names, too many words, and what is given twice.

        >>> settings_from("local", {"sigma": 4.0, "seed": 1}).by_name(["2"], {"seed": "1"})
        {'sigma': '2', 'seed': '1'}
        """
        order = list(self) if order is None else order
        self._refuse_sides_apart(unnamed, order)
        if len(unnamed) > len(order):
            raise JumpnetError(
                f"{self.name}: {len(unnamed)} settings without a name found, at most {len(order)} expected"
            )
        self.refuse_unknown(named)
        words = dict(zip(order, unnamed, strict=False))
        for name, word in named.items():
            if name in words:
                raise JumpnetError(f"{self.name}: {name} is given twice, as {words[name]} and as {name}={word}")
            words[name] = word
        return words

    def _refuse_sides_apart(self, unnamed: Sequence[Any], order: Sequence[str]) -> None:
        """Raise JumpnetError for 4,4 where sides are meant, which are written 4x4, and nothing else takes a number."""
        if len(unnamed) < 2 or not order or self._known[order[0]].kind is not Sides:
            return
        flag = len(order) > 1 and self._known[order[1]].kind is bool and unnamed[1] not in FLAGS
        if (flag or len(order) == 1) and all(isinstance(word, str) and is_count(word) for word in unnamed):
            found = f"{self.name} {order[0]} {','.join(unnamed)} found"
            raise JumpnetError(f"{found}, sides such as {'x'.join(unnamed)} expected")

    def read(self, unnamed: Sequence[Any] = (), named: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """What is given, each as its type; raises JumpnetError as `by_name`, and for what is missing or wrong."""
        words = self.by_name(unnamed, named or {})
        for name, setting in self._known.items():
            if setting.required and name not in words:
                expected = f"{name}=NUMBER" if setting.keyed else f"{self.name}:{name}"
                such = f", such as {self._sample}" if self._sample else ""
                raise JumpnetError(f"{self.name}: no {name} found, {expected} expected{such}")
        return {name: self._known[name].read(self.name, word) for name, word in words.items()}

    def complete(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """Every setting: its default, or what is given.

        >>> settings_from("hotspot", {"nodes": 1, "share": 0.5}).complete({"nodes": "128"})
        {'nodes': 128, 'share': 0.5}
        """
        return {**self.defaults, **self.read(named=given)}

    def check(self, unnamed: Sequence[Any], named: Mapping[str, Any]) -> None:
        """Refuse arguments from Python that a dataclass cannot take; one that is missing is left to Python.

        >>> from jumpnet.topology import family
        >>> type(family("torus:8x8"))("8x8")
        Traceback (most recent call last):
        ...
        jumpnet.errors.JumpnetError: torus sides '8x8' found, a tuple of positive sides such as (8, 8) expected
        """
        for name, value in self.by_name(unnamed, named, self._unnamed).items():
            self._known[name].check(self.name, value)

    def spell(self, values: Mapping[str, Any]) -> str:
        """The canonical spec: what must be given, then what differs from its default."""
        words = []
        for name, setting in self._known.items():
            if setting.required and not setting.keyed:
                words.append(setting.spell(values[name]))
            elif setting.required or values[name] != setting.default:
                words.append(f"{name}={setting.spell(values[name])}")
        return f"{self.name}:{','.join(words)}" if words else self.name

    def rows(self) -> list[dict[str, str]]:
        """A row for each setting: name, unit, range, default, meaning.

        >>> settings_from("x", {"order": ("best", "first")}, {"order": "Which rank is next."}).rows()[0]["range"]
        'best, first'
        """
        return [setting.row() for setting in self._known.values()]


@public
def settings_of(cls: type, name: str | None = None) -> Settings:
    """The settings that the fields of a dataclass or of a pydantic model are; bounds stand in `Annotated`.

    name: what messages call the thing; by default the `name` of a dataclass, and nothing for a model.
    """
    return _settings_of(cls, name)


@cache
def _settings_of(cls: type, name: str | None) -> Settings:
    if hasattr(cls, "model_fields"):
        return Settings(name or "", (_of_field(cls, key, field) for key, field in cls.model_fields.items()))
    called = name or getattr(cls, "name", "") or cls.__name__
    hints = _or_refused(called, "the types of the fields", get_type_hints, cls, None, None, True)
    found = []
    for field in dataclasses.fields(cls):
        if field.init:
            hint = hints[field.name]
            kind, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
            default = field.default
            if field.default_factory is not MISSING:
                default = _or_refused(called, f"the default of {field.name}", field.default_factory)
            bounds = _bounds(extras)
            if not all(isinstance(end, Real) for end in bounds.values()):
                raise JumpnetError(f"{called} {field.name}: bounds {bounds} found, numbers expected")
            found.append(Setting(field.name, with_sides(kind), default, field.kw_only is True, bounds, source=cls))
    samples = getattr(cls, "samples", ())
    sample = samples[0] if isinstance(samples, tuple) and samples and isinstance(samples[0], str) else ""
    return Settings(called, found, sample)


def _or_refused(name: str, what: str, function: Any, *given: Any) -> Any:
    """The answer of what a class says: it may be a user's own, and its words run as code."""
    try:
        return function(*given)
    except (JumpnetError, KeyboardInterrupt):
        raise
    except BaseException as error:  # an annotation may even end the program
        reason = " ".join(f"{type(error).__name__}: {error}".split())
        raise JumpnetError(f"{name}: {what}: {reason}") from None


def settings_from(name: str, options: Mapping[str, Any], meanings: Mapping[str, str] | None = None) -> Settings:
    """The settings that a mapping says: by name a default, whose type is the type; or the values allowed, the default
    first, as a tuple; or a `Setting`."""
    for what, given in (("options", options), ("meanings", meanings or {})):
        if not isinstance(given, Mapping) or not all(isinstance(key, str) for key in given):
            raise JumpnetError(f"{name}: {what} {given!r} found, a table by name expected")

    def one(key: str, said: Any) -> Setting:
        allowed = said if isinstance(said, tuple | list) else (said,)
        if not allowed or not all(value is None or isinstance(value, PLAIN) for value in allowed):
            raise JumpnetError(f"{name} {key}: default {said!r} found, a number, a text or the values allowed expected")
        meaning = (meanings or {}).get(key, "")
        if isinstance(said, Setting):
            return dataclasses.replace(said, name=key, meaning=meaning or said.meaning)
        if isinstance(said, tuple | list) and said:
            return Setting(key, Literal[tuple(said)], said[0], meaning=meaning)
        return Setting(key, type(said), said, meaning=meaning)

    return Settings(name, (one(key, said) for key, said in options.items()))


def make(cls: type[T], given: Mapping[str, Any], name: str | None = None) -> T:
    """An object of a dataclass, or of a pydantic model, which checks the values itself; raises JumpnetError.

    >>> from jumpnet.sim.config.sim_config import SimConfig
    >>> make(SimConfig, {"buffer_flits": "0"})
    Traceback (most recent call last):
    ...
    jumpnet.errors.JumpnetError: buffer_flits '0' found, 1 to 4096 expected
    """
    return cls(**(given if hasattr(cls, "model_fields") else settings_of(cls, name).read(named=given)))


def spell(thing: Any, name: str | None = None) -> str:
    """The canonical spec of an object of a dataclass.

    >>> from jumpnet.topology import family
    >>> spell(family("debruijn:2,3,true"))
    'debruijn:2,n=3,directed=true'
    """
    known = settings_of(type(thing), name)
    return known.spell({key: getattr(thing, key) for key in known})


def _of_field(cls: type, name: str, field: Any) -> Setting:
    """A field of a pydantic model."""
    default = MISSING if field.is_required() else field.get_default(call_default_factory=True)
    return Setting(name, field.annotation, default, True, _bounds(field.metadata), source=cls)


def _bounds(extras: Iterable[Any]) -> dict[str, Any]:
    """The bounds among what `Annotated`, or a field of pydantic, says beside the type."""
    words = (*LIMITS, "max_length")
    return {word: getattr(extra, word) for extra in extras for word in words if hasattr(extra, word)}


def _other(kind: Any) -> str:
    """What lists call a type that is none of the usual ones."""
    name = getattr(kind, "__name__", "")
    return "sides such as 8x8" if name == "Sides" else name or str(kind)


def _said(value: Any) -> str:
    """A default, or the end of a range, in lists."""
    if value is None or value in ("", ()):
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
