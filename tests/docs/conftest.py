"""Examples register things of their own; what one of them has registered is gone when it ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jumpnet.registry import Registry, users


@pytest.fixture(autouse=True)
def nothing_stays_registered(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    touched: dict[int, tuple[Registry[Any], dict[str, Any]]] = {}
    add = Registry.add

    def noted(self: Registry[Any], name: str, thing: Any) -> None:
        touched.setdefault(id(self), (self, dict(self._added)))
        add(self, name, thing)

    monkeypatch.setattr(users, "extended", users.extended)
    monkeypatch.setattr(users, "origins", dict(users.origins))
    monkeypatch.setattr(Registry, "add", noted)
    yield
    for registry, before in touched.values():
        registry._added = before
