"""Things of one's own made of the wrong types, and files edited by hand: one line, when they are made or read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from jumpnet.coherence.check import check_protocol
from jumpnet.coherence.protocol import Protocol, protocol
from jumpnet.errors import JumpnetError
from jumpnet.multicast.schedule import Schedule
from jumpnet.networks import from_neighbors
from jumpnet.study.results import open_plan
from jumpnet.topology import Family, _built, build
from jumpnet.traffic import Pattern

SCHEDULE = Schedule("torus:3", "flood", 0, *[np.zeros(1, np.int64)] * 3)
HOME = protocol("msi").home


def family(**methods: object) -> Family:
    """A family whose methods answer what they should not."""
    return type("Odd", (Family,), {"name": "odd", **methods})()


CASES: dict[str, tuple[Callable[[], object], str]] = {
    "table": (lambda: Protocol("p", 5, HOME), "cache of type int found, a string expected"),  # type: ignore[arg-type]
    "protocol name": (lambda: Protocol(5, HOME, HOME), "name of type int found"),  # type: ignore[arg-type]
    "no protocol": (lambda: check_protocol(None), "NoneType found, a Protocol expected"),  # type: ignore[arg-type]
    "word": (lambda: check_protocol(protocol("msi"), "x"), "caches 'x' found, a whole number"),  # type: ignore[arg-type]
    "part": (lambda: check_protocol(protocol("msi"), 2.5), "caches 2.5 found, a whole number"),  # type: ignore[arg-type]
    "pattern name": (lambda: Pattern(5, len, len), "5 found as the name"),  # type: ignore[arg-type]
    "options": (lambda: Pattern("p", len, len, options=5), "options 5 found"),  # type: ignore[arg-type]
    "claims": (lambda: _built(family(claims=lambda self: 5)), "odd: .* int, figures by name expected"),
    **{
        f"classes {type(names).__name__}": (
            lambda names=names: from_neighbors("n", "n", build("torus:4").neighbor, class_names=names),  # type: ignore[arg-type]
            "from_neighbors: class_names .* found, a tuple",
        )
        for names in (None, object(), True)
    },
    "directed": (lambda: replace(build("torus:3"), directed=np.zeros(2)), "directed of type ndarray"),  # type: ignore[arg-type]
    "gather": (lambda: replace(SCHEDULE, gather=np.zeros(2)), "gather of type ndarray"),  # type: ignore[arg-type]
    **{
        f"build {type(made).__name__}": (
            lambda made=made: _built(family(build=lambda self: made)),  # type: ignore[misc]
            f"odd: .*gives {type(made).__name__}, a Network expected",
        )
        for made in (None, 5, "x", np.zeros(3))
    },
}


@pytest.mark.parametrize("case", list(CASES))
def test_a_wrong_type_is_one_line(case: str) -> None:
    make, words = CASES[case]
    with pytest.raises(JumpnetError, match=words) as told:
        make()
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "x = {{ {} = 1 }}"])
def test_a_key_of_very_many_parts_is_not_read(tmp_path: Path, line: str) -> None:
    path = tmp_path / "s.toml"
    path.write_text(line.format("a" + ".a" * 200_000))
    with pytest.raises(JumpnetError, match=r"s.toml:1: a key of over 100 parts found"):
        open_plan(path)
