"""What parts ask of parts above them: a question has a name, and the package's face says which function answers it.

Imports go downward. But a result draws itself, a proof explains itself, and a name may be one that an installed package
brings: who answers stands above, and is loaded when it is asked. Called by `api.shown`, `registry` and proofs;
answers are named in `jumpnet/__init__.py`.
"""

from __future__ import annotations

TYPE_CHECKING = False  # `typing` is not loaded here, as in the package's face
if TYPE_CHECKING:
    from typing import Any

__all__ = ["answered_by", "call_above"]

_answers: dict[str, str] = {}


def answered_by(**functions: str) -> None:
    """Name the functions that answer questions, as entry points are written: `module:function`."""
    _answers.update(functions)


def call_above(question: str, *args: Any, **keyed: Any) -> Any:
    """What the function that answers a question returns for these arguments.

    >>> call_above("find_packages")
    """
    from importlib import import_module  # a while to load, and many commands ask nothing

    module, _, name = _answers[question].partition(":")
    return getattr(import_module(module), name)(*args, **keyed)
