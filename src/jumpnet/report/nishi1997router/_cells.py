"""Tables of sentences: one row for each claim of the chip's text. Used by the sections of this paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from jumpnet.report._section import Cell, Golden, Rows, Table, Value, claimed

__all__ = ["Said", "sentences"]


class Said(NamedTuple):
    """What we found for a claim."""

    value: Value
    detail: str = ""
    stated: bool = False
    label: str = ""
    """Label of the row; the claim's own text where left out."""
    printed: str | None = None
    """What a printed formula gives, or other words of the paper, in place of the claim's value."""
    place: tuple[str, str] | None = None
    """Row and column of a printed table's cell."""


def sentences(
    golden: Golden,
    title: str,
    source: str,
    found: Mapping[str, Any | Said] | Sequence[tuple[str, Said]],
    note: str = "",
) -> Table:
    """A table of claims beside what was found; a value of its own stands for one that was computed.

    A cell of a table may stand among them, with its label and what is printed.
    """
    pairs = list(found.items()) if isinstance(found, Mapping) else list(found)
    rows: Rows = []
    for name, what in pairs:
        said = what if isinstance(what, Said) else Said(what)
        if name.startswith("table_"):
            cell = Cell(said.printed, said.value, claim=name, place=said.place, stated=said.stated, detail=said.detail)
        else:
            cell = claimed(golden, name, said.value, printed=said.printed, stated=said.stated, detail=said.detail)
        rows.append((said.label or golden["claims"][name]["text"], [cell]))
    return Table(title, source, ("value",), rows, note)
