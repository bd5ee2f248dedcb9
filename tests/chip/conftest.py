"""`@pytest.mark.chip("F1", ...)` names the requirements of the router chip that a test covers."""

from __future__ import annotations

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known."""
    config.addinivalue_line("markers", "chip(*numbers): requirements of docs/decisions/0050 that the test covers")
