"""Pairs of ways to the same answer, on cases drawn at random: `python -m tests.attack.pairs KIND --count 500`.

A kind is a file beside this one with a function `compared(draw, seen)`: it draws a case, raises JumpnetError for one
that jumpnet refuses, and gives the case in words and where two ways differ, empty where none does. What is found can
be made again by its number (`--seed`, `--first`).
"""

from __future__ import annotations

import importlib
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

from jumpnet.errors import JumpnetError

__all__ = ["Seen", "attack", "kinds"]


Seen = Counter[str]
"""How often what was compared."""
Compared = Callable[[Random, Seen], tuple[Any, str]]


def kinds() -> list[str]:
    """Names of all kinds."""
    return sorted(path.stem for path in Path(__file__).parent.glob("[!_]*.py"))


def attack(
    kind: str, seed: str, first: int, count: int, end: float, seen: Seen, slow: float = 1e9
) -> Iterator[tuple[int, Any, str]]:
    """Cases `first` to `first + count - 1` of a seed until time.monotonic() is `end`: those that differ, and how."""
    compared: Compared = importlib.import_module(f"{__name__}.{kind}").compared
    for number in range(first, first + count):
        if end and time.monotonic() > end:
            return
        seen["cases"] += 1
        began = time.process_time()
        try:
            case, how = compared(Random(f"{seed}/{number}"), seen)
        except JumpnetError as error:
            if "conservation" in str(error):
                yield number, "", str(error)
            seen["refused"] += 1
            seen[f"refused: {str(error)[:60]}"] += 1
            continue
        except Exception as error:  # whatever it is, it is a finding
            case, how = "", f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-6)}"
        if how:
            yield number, case, how
        elif (spent := time.process_time() - began) > slow:
            print(f"case {number} took {spent:.0f} CPU seconds: {case}", flush=True)
