"""Settings: wherever they come from, the same words mean the same, are refused alike, and are listed whole."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Le
from pydantic import Field

from jumpnet.cli._options.settings import (
    KINDS,
    chip_words,
    known_settings,
    point_words,
    settings_given,
    settings_named,
    spec_words,
)
from jumpnet.errors import JumpnetError
from jumpnet.multicast.chip_rules import ChannelUse
from jumpnet.routings import routings
from jumpnet.settings.model import Model as Refusing
from jumpnet.settings.settings import Setting, Settings, make, settings_from, settings_of, spell
from jumpnet.sim.config import SimConfig
from jumpnet.topology import Family, build, families
from jumpnet.traffic import Pattern


@dataclass(frozen=True)
class Plain:
    """As a family has them."""

    count: Annotated[int, Ge(1), Le(8)] = 2
    """How many."""
    share: float = 0.5
    """Which part."""
    both: bool = False
    """Whether both."""
    way: Literal["first", "best"] = "first"
    """Which way."""
    note: str = "none"
    """What to say."""


class Model(Refusing):
    """As a simulation has them."""

    count: int = Field(2, ge=1, le=8)
    """How many."""
    share: float = 0.5
    """Which part."""
    both: bool = False
    """Whether both."""
    way: Literal["first", "best"] = "first"
    """Which way."""
    note: str = "none"
    """What to say."""


MEANINGS = {
    "count": "How many.", "share": "Which part.", "both": "Whether both.", "way": "Which way.", "note": "What to say.",
}  # fmt: skip
FROM_OPTIONS = settings_from(
    "",
    {
        "count": Setting("", int, 2, bounds={"ge": 1, "le": 8}), "share": 0.5, "both": False, "way": ("first", "best"),
        "note": "none",
    },
    MEANINGS,
)  # fmt: skip


FROM_FIELDS = Settings("", settings_of(Plain).values())

READERS = {
    "dataclass": FROM_FIELDS.complete,
    "options": FROM_OPTIONS.complete,
    "model": lambda given: dict(make(Model, given)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("name", "word", "value"),
    [
        ("count", "8", 8), ("count", 3, 3), ("share", "0.25", 0.25), ("share", 1, 1.0), ("both", "true", True),
        ("both", "0", False), ("both", True, True), ("way", "best", "best"), ("note", "a b", "a b"), ("note", 16, "16"),
    ],
)  # fmt: skip
def test_words_and_values_mean_the_same_from_everywhere(reader: str, name: str, word: object, value: object) -> None:
    found = READERS[reader]({name: word})
    assert found == {**FROM_OPTIONS.defaults, name: value}
    assert type(found[name]) is type(value)


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("name", "word", "says"),
    [
        ("count", "two", "count 'two' found, a whole number expected"),
        ("count", 2.5, "count 2.5 found, a whole number expected"),
        ("share", "half", "share 'half' found, a number expected"),
        ("both", "maybe", "both 'maybe' found, true or false expected"),
        ("way", "bset", "unknown value of way 'bset'; did you mean 'best'?"),
        ("cuont", 1, "unknown setting 'cuont'; did you mean 'count'?"),
    ],
)
def test_they_are_refused_in_the_same_words(reader: str, name: str, word: object, says: str) -> None:
    with pytest.raises(JumpnetError) as refused:
        READERS[reader]({name: word})
    assert str(refused.value) == says


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("count", [0, 9, -1])
def test_bounds_are_told_whole(reader: str, count: int) -> None:
    with pytest.raises(JumpnetError, match=f"count {count} found, 1 to 8 expected$"):
        READERS[reader]({"count": count})


def test_rows_are_the_same() -> None:
    rows = FROM_OPTIONS.rows()
    assert rows == settings_of(Plain).rows() == settings_of(Model).rows()
    assert rows[0] == {"name": "count", "unit": "", "range": "1 to 8", "default": "2", "meaning": "How many."}
    assert [row["range"] for row in rows[1:]] == ["number", "true, false", "first, best", "text"]


def test_what_is_spelled_is_read_again() -> None:
    made = Plain(3, way="best")
    assert spell(made, "plain") == "plain:count=3,way=best"
    assert make(Plain, {"count": "3", "way": "best"}) == made
    for routing in routings().values():
        for name, setting in routing.settings.items():
            for choice in setting.choices:
                spec = routing.settings.spell({**routing.settings.defaults, name: choice})
                again = dict(word.split("=") for word in filter(None, spec.partition(":")[2].split(",")))
                assert routing.settings.complete(again)[name] == choice


def test_python_takes_values_as_they_are() -> None:
    known = settings_of(Plain, "plain")
    known.check((3, 1, True, "best"), {"note": "x"})
    for given, says in (
        ({"count": "3"}, "plain count '3' found, a whole number expected"),
        ({"note": 16}, "plain note 16 found, a string expected"),
        ({"way": "bset"}, "unknown value of plain way 'bset'; did you mean 'best'?"),
        ({"count": 9}, "plain count 9 found, 1 to 8 expected"),
    ):
        with pytest.raises(JumpnetError) as refused:
            known.check((), given)
        assert str(refused.value) == says


def test_a_tuple_of_whole_numbers_is_read_as_sides_are() -> None:
    tuples = make_dataclass("Grid", [("sides", tuple[int, ...]), ("wraps", tuple[int, ...], (1,))], frozen=True)
    assert make(tuples, {"sides": "3x4"}, "grid") == tuples((3, 4), (1,))
    assert spell(tuples((3, 4), (2, 2)), "grid") == "grid:3x4,wraps=2x2"
    with pytest.raises(JumpnetError, match=r"^grid sides '3xy' found, sides such as 8x8 expected$"):
        make(tuples, {"sides": "3xy"}, "grid")


@pytest.mark.parametrize("kind", [list[int], tuple[int, int], dict[str, int] | None])
def test_a_family_with_a_field_that_no_word_is_read_as_is_refused(kind: Any) -> None:
    grid = make_dataclass("Grid", [("sides", kind)], bases=(Family,), frozen=True, namespace={"name": "grid"})
    with pytest.raises(JumpnetError, match=r"^grid sides: type .* found; int, float, .* expected$"):
        grid.parse(["3x4"], {})


def test_bounds_are_those_of_numbers_only() -> None:
    way = Setting("way", int | Literal["auto"] | None, None, bounds={"ge": 2})
    assert [way.read("", word) for word in ("auto", "2", None)] == ["auto", 2, None]
    with pytest.raises(JumpnetError, match=r"^way 1 found, at least 2 expected$"):
        way.read("", "1")
    assert way.row()["range"] == "2 and more" and way.row()["default"] == "none"


@dataclass(frozen=True)
class Required:
    """One that must be given, another by its name."""

    size: int
    base: int = field(kw_only=True)


def test_what_must_be_given_is_asked_for() -> None:
    known = settings_of(Required, "sized")
    assert known.read(["4"], {"base": "2"}) == {"size": 4, "base": 2}
    assert known.spell({"size": 4, "base": 2}) == "sized:4,base=2"
    assert [row["default"] for row in known.rows()] == ["required", "required"]
    with pytest.raises(JumpnetError, match=r"^torus: no sides found, torus:sides expected, such as torus:8x8$"):
        settings_of(families()["torus"]).read()
    for unnamed, named, says in (
        ([], {}, "sized: no size found, sized:size expected"),
        (["4"], {}, "sized: no base found, base=NUMBER expected"),
        (["4", "2", "1"], {}, "sized: 3 settings without a name found, at most 2 expected"),
        (["4"], {"size": "5"}, "sized: size is given twice, as 4 and as size=5"),
    ):
        with pytest.raises(JumpnetError) as refused:
            known.read(unnamed, named)
        assert str(refused.value) == says


def test_patterns_of_users_have_values_to_choose_from_and_words_for_false() -> None:
    seen: dict[str, Any] = {}

    def prepare(net: object, options: dict[str, Any]) -> list[int]:
        seen.update(options)
        return [0]

    made = Pattern("mine", lambda own, source, draw: own[0], prepare, options={"way": ("up", "down"), "both": True})
    made.bind(build("torus:4"), way="down", both="false")
    assert seen == {"way": "down", "both": False}
    with pytest.raises(JumpnetError, match=r"^unknown value of mine way 'dwon'; did you mean 'down'?"):
        made.bind(build("torus:4"), way="dwon")


EVERY = [(kind, name) for kind in KINDS for name in known_settings(kind)]


@pytest.mark.parametrize(("kind", "name"), EVERY, ids=lambda word: str(word))
def test_rows_name_every_setting_of_everything_that_is_registered(kind: str, name: str) -> None:
    known = settings_named(kind, name)
    rows = known.rows()
    assert [row["name"] for row in rows] == list(known)
    for row in rows:
        assert row["range"] and row["default"] and row["meaning"].endswith("."), row


def test_everything_that_is_registered_has_settings_there() -> None:
    assert set(known_settings("family")) == set(families()) and set(known_settings("routing")) == set(routings())
    assert list(settings_named("setting", "simulate")) == list(SimConfig.model_fields)
    assert list(settings_named("setting", "channels")) == ["change", "special"] == list(vars(ChannelUse()))


def test_a_shell_completes_names_settings_and_values() -> None:
    assert spec_words("family", "dragonf") == ["dragonfly"]
    assert spec_words("family", "rdt:64,a") == ["rdt:64,assignment="]
    assert spec_words("family", "dragonfly:2,arrangement=p") == ["dragonfly:2,arrangement=palmtree"]
    assert spec_words("routing", "up_down:ports=all,root=f") == ["up_down:ports=all,root=first"]
    assert spec_words("routing", "none:") == []
    assert point_words("buffer_f") == ["buffer_flits="] and "ack_flits=" in point_words("ack")
    assert point_words("drain=") == ["drain=true", "drain=false"]
    assert chip_words("turn") == ["turn_round="]


def test_words_of_set_are_given_once() -> None:
    assert settings_given(["vcs=2", "buffer-flits=4"]) == {"vcs": "2", "buffer_flits": "4"}
    with pytest.raises(JumpnetError, match="--set vcs=3 found, one value of each setting expected"):
        settings_given(["vcs=2", "vcs=3"])


def test_a_collection_without_settings_says_so() -> None:
    with pytest.raises(JumpnetError, match=r"^setting 'x' of plain found, none expected: it has no settings$"):
        Settings("plain", ()).complete({"x": "1"})
