"""What the fields of a class mean, read from its source. Called by `settings`, for lists."""

from __future__ import annotations

import ast
import inspect
import textwrap
from functools import cache
from itertools import pairwise

__all__ = ["meanings_of"]


@cache
def meanings_of(cls: type) -> dict[str, str]:
    """The string after each field of a class and of those it inherits from, on one line; none without a source."""
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        try:
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0].body  # type: ignore[attr-defined]
        except (OSError, TypeError, SyntaxError):
            continue
        for field, after in pairwise(body):
            text = getattr(after.value, "value", None) if isinstance(after, ast.Expr) else None
            if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, str):
                found[field.target.id] = " ".join(text.split())
    return found
