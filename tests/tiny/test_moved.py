"""What was imported from a module of the Python API before it moved still is."""

from __future__ import annotations

from importlib import import_module

import pytest

from jumpnet.analysis._moved import MOVED


@pytest.mark.parametrize(("old", "new"), MOVED.items())
def test_the_names_of_the_old_place_are_those_of_the_new_one(old: str, new: str) -> None:
    was, now = import_module(old), import_module(new)
    assert now.__all__ and all(getattr(was, name) is getattr(now, name) for name in now.__all__)


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such"):
        import_module("jumpnet.analysis.no_such")
