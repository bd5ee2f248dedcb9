"""Cells whose printed side is a formula of the paper with numbers in it. Used by the sections."""

from __future__ import annotations

from collections.abc import Mapping

from jumpnet.papers import claim, evaluate
from jumpnet.report._section import Cell, Golden, Value

__all__ = ["by_formula", "yes"]


def by_formula(golden: Golden, name: str, computed: Value, sizes: Mapping[str, float], detail: str = "") -> Cell:
    """What the printed formula of a claim gives for these sizes, beside our figure.

    >>> from jumpnet.papers import golden
    >>> by_formula(golden("li2009rdn"), "theorem_1_degree", 3, {"d0": 2, "k": 1}).verdict
    'equal'
    """
    formula = claim(golden, name)
    value = str(evaluate(formula, **sizes))
    return Cell(value, computed, claim=name, detail=" ".join(filter(None, (f"Printed: {formula}.", detail))))


def yes(true: bool) -> str:
    """A yes or no as the golden files write it.

    >>> yes(3 > 2)
    'yes'
    """
    return "yes" if true else "no"
