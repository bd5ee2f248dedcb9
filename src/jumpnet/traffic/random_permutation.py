"""Random permutation: one destination for each source, drawn once from a seed; the same on every machine.

Source: Dally and Towles, section 3.2 (permutation traffic).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from jumpnet.networks import Network
from jumpnet.terms import I64
from jumpnet.traffic._hash import hash_draws
from jumpnet.traffic._pattern import Pattern
from jumpnet.traffic._permutation import destination

__all__ = ["RANDOM_PERMUTATION"]


def _prepare(net: Network, options: Mapping[str, Any]) -> I64:
    return np.argsort(hash_draws(options["seed"], net.endpoints), kind="stable")


RANDOM_PERMUTATION = Pattern(
    name="random_permutation",
    destination=destination,
    prepare=_prepare,
    options={"seed": 1},
    meanings={"seed": "Which permutation: the same seed gives the same one."},
    source="Dally and Towles, section 3.2",
    summary="one random destination for each source, fixed by the seed",
)
