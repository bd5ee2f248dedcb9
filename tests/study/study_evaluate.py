"""Points that cost nothing, for tests of the runner: a pure function of the configuration, importable by workers."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path
from typing import Any


def evaluate(config: dict[str, Any]) -> dict[str, Any]:
    """A curve that saturates at `limit`; may take `seconds`, die the first time (`die_once`), or `die_always`."""
    time.sleep(config.get("seconds", 0.0))
    trap = config.get("die_once")
    first = trap is not None and not Path(trap).exists()
    if first:
        Path(trap).write_text("dying")
    if first or config.get("die_always"):
        os.kill(os.getpid(), signal.SIGKILL)
    load, limit = config["load"], config.get("limit", 0.4)
    saturated = load >= limit
    result = {"latency": None if saturated else 10 / (limit - load), "saturated": saturated, "load": load}
    return {"result": result, "about": {"pure": True}}


def resolve(point: dict[str, Any], load: float) -> dict[str, Any]:
    """The point and its load."""
    return {**point, "load": load}
