"""Options that belong together as one record: a verb's `run` takes the record, the command line its fields.

    @dataclass(frozen=True)
    class Search:
        saturation: Annotated[bool, typer.Option("--find-saturation", help="Search the saturation load.")] = False
        fresh: Annotated[bool, typer.Option("--fresh", help="Take no point from an earlier run.")] = False

    def run(spec: Spec, search: Search, as_json: AsJson = False) -> None: ...

Typer reads options off the parameters of a function, which would otherwise have as many as the verb has options. Used
by `app`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import wraps
from typing import Any, get_type_hints

__all__ = ["spread"]


def _option(field: Field[Any], annotation: Any) -> inspect.Parameter:
    """A field of a record as a parameter that Typer reads."""
    default = inspect.Parameter.empty if field.default is MISSING else field.default
    return inspect.Parameter(field.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def spread(run: Callable[..., None]) -> Callable[..., None]:
    """`run` with the fields of each parameter that is a dataclass in the place of that parameter, in their order.

    The names of all fields and of the other parameters must differ. A `run` without records is returned as it is.
    """
    hints = get_type_hints(run, include_extras=True)
    records = {name: kind for name, kind in hints.items() if isinstance(kind, type) and is_dataclass(kind)}
    if not records:
        return run
    parameters: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(run).parameters.items():
        if name in records:
            types = get_type_hints(records[name], include_extras=True)
            parameters += [_option(field, types[field.name]) for field in fields(records[name])]
        else:
            parameters.append(parameter.replace(kind=inspect.Parameter.KEYWORD_ONLY, annotation=hints[name]))

    @wraps(run)
    def called(**given: Any) -> None:
        made = {
            name: kind(**{field.name: given.pop(field.name) for field in fields(kind)})
            for name, kind in records.items()
        }
        run(**given, **made)

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return called
