"""Decimals of the page's figures are those of the commands', in the middle of two as well."""

from __future__ import annotations

import json
import random

from tests.web.simulator.in_node import evaluated


def test_numbers_have_the_decimals_that_python_gives_them() -> None:
    drawn = random.Random(5)
    middle = [
        sign * (each + 0.5) / 8 for each in range(40) for sign in (1, -1)
    ]  # 31.125 and the like, and whole halves
    values = [*middle, 0.0, 0.5, 1.5, 2.5, 1.005, 1e15 + 0.5, *(drawn.uniform(-50, 50) for _ in range(200))]
    cases = [(value, decimals) for value in values for decimals in range(5)]
    program = f"(part) => {json.dumps(cases)}.map(([value, decimals]) => part.fixed(value, decimals))"
    assert evaluated('{ fixed } from "./src/data/words"', program) == [
        f"{value:.{decimals}f}" for value, decimals in cases
    ]
