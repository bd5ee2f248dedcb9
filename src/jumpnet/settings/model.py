"""Settings as a pydantic model that says in one line what it does not take, also where it is made directly.

Loaded by the settings of runs, multicasts and studies; what pydantic's words are called here stands with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, ValidationError

from jumpnet.errors import JumpnetError, unknown_name, written
from jumpnet.settings.settings import Settings, settings_of
from jumpnet.settings.typed import choices_of

__all__ = ["Model"]


class Model(BaseModel):
    """A model that is frozen and refuses unknown names, each in one line with the nearest one."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    called: ClassVar[str] = ""
    """What messages call it, before the name of a field."""

    def __init__(self, /, **given: Any) -> None:
        known = settings_of(type(self), self.called)
        self.refuse_unknown(given)
        for key, value in given.items():
            if known[key].kind is str and isinstance(value, Integral) and hasattr(value, "__index__"):
                given = {**given, key: value if isinstance(value, bool) else written(int(value))}
        try:
            super().__init__(**given)
        except ValidationError as error:
            raise _refused(error, known) from None

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]  # a model within a model is read by its fields

    @classmethod
    def refuse_unknown(cls, names: Iterable[str]) -> None:
        """Raise JumpnetError for the first name that is no field, with the nearest that is one."""
        settings_of(cls, cls.called).refuse_unknown(names)


PYDANTIC = {
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_parsing": "a number",
    "bool_parsing": "true or false",
    "extra_forbidden": "no setting of this name",
}
"""What pydantic's kinds of errors mean in our words."""


def _refused(error: ValidationError, known: Settings) -> JumpnetError:
    """The first thing that pydantic does not like, as one line of ours."""
    first = error.errors()[0]
    message = str(first["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    if first["type"] == "value_error":
        return JumpnetError(message)
    key = ".".join(map(str, first["loc"]))
    where = f"{known.name} {key}".strip()
    if key in known and choices_of(known[key].kind) and isinstance(first["input"], str):
        return unknown_name(f"value of {where}", first["input"], known[key].choices)
    if key in known and first["type"].startswith(("greater_than", "less_than")):
        message = known[key].bounded("at least")
    return JumpnetError(f"{where} {written(first['input'])} found, {PYDANTIC.get(first['type'], message)} expected")
