"""Every setting of the simulator as rows: unit, range, default, meaning, and what BookSim 2 calls it.

Used by `jumpnet list setting`, the page of settings and the messages for names that are none.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise
from typing import Any, Literal, get_args, get_origin

from jumpnet.sim.booksim_names import BOOKSIM
from jumpnet.sim.config import SimConfig

__all__ = ["setting_rows", "settings_page"]

UNITS = {"flits": "flits", "cycles": "cycles", "packets": "packets", "bytes": "bytes", "vcs": "virtual channels"}
"""What the last word of a name says of the unit."""


def setting_rows() -> list[dict[str, str]]:
    """A row for each setting, in the order of `SimConfig`: name, unit, range, default, booksim, meaning.

    >>> row = next(row for row in setting_rows() if row["name"] == "buffer_flits")
    >>> row["unit"], row["range"], row["default"], row["booksim"]
    ('flits', '1 to 4096', '8', 'vc_buf_size')
    """
    said = _docstrings(SimConfig)
    return [
        {
            "name": name,
            "unit": UNITS.get(name.rpartition("_")[2], ""),
            "range": _range(field),
            "default": _word(field.default),
            "booksim": BOOKSIM.get(name, ""),
            "meaning": said[name],
        }
        for name, field in SimConfig.model_fields.items()
    ]


def settings_page() -> str:
    """The settings as a table in Markdown."""
    heads = {"name": "setting", "unit": "unit", "range": "values", "default": "default", "booksim": "BookSim 2"}
    lines = [" | ".join(["", *heads.values(), "meaning", ""]).strip(), "|---" * 6 + "|"]
    for row in setting_rows():
        cells = [f"`{row[key]}`" if row[key] and key in ("name", "booksim") else row[key] for key in heads]
        lines.append("| " + " | ".join([*cells, row["meaning"]]).replace("  ", " ") + " |")
    return "\n".join(lines) + "\n"


def _docstrings(model: type) -> dict[str, str]:
    """The string after each field of a class, on one line."""
    body = ast.parse(textwrap.dedent(inspect.getsource(model))).body[0].body  # type: ignore[attr-defined]
    found = {}
    for field, after in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
            text = getattr(getattr(after, "value", None), "value", "")
            found[field.target.id] = " ".join(str(text).split())
    return found


def _range(field: Any) -> str:
    """The values that a field takes."""
    kinds = [kind for kind in (get_args(field.annotation) or (field.annotation,)) if kind is not type(None)]
    if get_origin(field.annotation) is Literal:
        return ", ".join(kinds)
    if kinds == [bool]:
        return "true, false"
    words = ("ge", "gt", "le", "lt", "max_length")
    bounds = {word: getattr(part, word) for part in field.metadata for word in words if hasattr(part, word)}
    if "max_length" in bounds:
        return f"up to {bounds['max_length']}"
    low = _word(bounds["ge"]) if "ge" in bounds else f"above {_word(bounds['gt'])}" if "gt" in bounds else ""
    high = _word(bounds["le"]) if "le" in bounds else f"below {_word(bounds['lt'])}" if "lt" in bounds else ""
    if low and high:
        return f"{low} to {high}"
    return f"{low} and more" if low else "whole number" if kinds == [int] else "text"


def _word(value: Any) -> str:
    if value is None or value in ("", ()):
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:,}".replace(",", "") if isinstance(value, int) else str(value)
