"""Products of sets: one set of points for each axis, as (points,) or (k, k) bool, and lists of products.

Called by `states`, whose axes are dimensions, and by `covers`, which has one for the values of STATE besides.
"""

from __future__ import annotations

import numpy as np

from jumpnet.terms import Array

__all__ = ["Product", "add_product", "meet", "size", "within", "without"]

Product = tuple[Array, ...]
"""One array of bool for each axis."""


def size(product: Product) -> int:
    """Number of elements.

    >>> size((np.eye(3, dtype=bool), np.ones((2, 2), bool)))
    12
    """
    many = 1
    for mask in product:
        many *= int(mask.sum())
    return many


def meet(one: Product, other: Product) -> Product | None:
    """What two products have in common; None if nothing.

    >>> meet((np.array([True, False]),), (np.array([False, True]),)) is None
    True
    """
    both = tuple(np.asarray(a & b) for a, b in zip(one, other, strict=True))
    return both if all(mask.any() for mask in both) else None


def within(one: Product, other: Product) -> bool:
    """Whether a product holds another, the first.

    >>> within((np.array([True, False]),), (np.array([True, True]),))
    True
    """
    return not any((a & ~b).any() for a, b in zip(one, other, strict=True))


def without(product: Product, taken: Product) -> list[Product]:
    """A product without another, as products apart from each other."""
    if meet(product, taken) is None:
        return [product]
    found, before = [], product[:0]
    for d, (mask, other) in enumerate(zip(product, taken, strict=True)):
        left = mask & ~other
        if left.any():
            found.append((*before, left, *product[d + 1 :]))
        before = (*before, mask & other)
    return found


def add_product(products: list[Product], new: Product) -> bool:
    """Add a product to a list, in place; whether it was in none of them. Two that differ in one axis become one.

    >>> some = [(np.array([True, False]), np.array([True, False]))]
    >>> add_product(some, (np.array([False, True]), np.array([True, False]))), len(some)
    (True, 1)
    """
    if any(within(new, other) for other in products):
        return False
    joined = True
    while joined:
        joined = False
        products[:] = [other for other in products if not within(other, new)]
        for at, other in enumerate(products):
            differing = [d for d, (a, b) in enumerate(zip(new, other, strict=True)) if not np.array_equal(a, b)]
            if len(differing) == 1:
                d = differing[0]
                new = (*new[:d], np.asarray(new[d] | other[d]), *new[d + 1 :])
                del products[at]
                joined = True
                break
    products.append(new)
    return True
