"""What every test tier shares: golden data of the papers, and Hypothesis profiles without deadlines."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings

from jumpnet.cli import _watch

settings.register_profile("jumpnet", deadline=None, derandomize=True, max_examples=40)
settings.load_profile("jumpnet")

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture(scope="session", autouse=True)
def _unwatched() -> Iterator[None]:
    """Commands that tests run in this process leave no thread behind that has its own words, and no handler."""
    with mock.patch.object(_watch.Watch, "start", lambda watch: _watch._first_word_s()):
        yield


@pytest.fixture(scope="session")
def golden() -> Any:
    """`golden("yang2001rdt")` is the parsed golden file of that paper."""

    def load(key: str) -> dict[str, Any]:
        return tomllib.loads((GOLDEN / f"{key}.toml").read_text(encoding="utf-8"))

    return load
