"""What the rules have read is let go behind the last of them: every collection of garbage would walk those trees."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from tests.arch.sources import TREES


@pytest.fixture(scope="package", autouse=True)
def _trees_go() -> Iterator[None]:
    gc.disable()  # trees form no circles: nothing in them is garbage before they go
    yield
    TREES.clear()
    gc.enable()
