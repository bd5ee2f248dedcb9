"""The wafers of Figures 9 to 12 of the SRT report, as read from its section 5, and the sizes at which yields are drawn.

Source: inoguchi1996srt, section 5, whose printed figures are lost (docs/decisions/0020). Called by `report` and
`explore`.
"""

from __future__ import annotations

import numpy as np

from jumpnet.analysis.reconfigure import WaferNetwork, array_for, on_wafer, reconfigure
from jumpnet.fault.array import EAST
from jumpnet.fault.configuration import configure
from jumpnet.fault.defects import from_places
from jumpnet.topology import build

__all__ = ["FAULT", "FAULTS_10", "SPEC", "YIELD_CORE", "YIELD_DENSITIES", "YIELD_WAFERS", "paper_wafers"]

SPEC = "srt2d:8"
FAULT = (3, 5)
"""Physical place of the fault of Figures 11 and 12: the logical element in row 2, column 4, of level 2."""
FAULTS_10 = ((2, 4), (4, 2), (5, 2), (6, 7), (8, 5), (4, 6))
"""Physical places of the faults of Figure 10."""
YIELD_CORE = "torus:16x16"
YIELD_DENSITIES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1)
YIELD_WAFERS = 300


def paper_wafers() -> dict[str, WaferNetwork]:
    """Each wafer by the first figure that shows it: no fault, six of them, one that is shifted to the right.

    >>> {figure: (made.repaired, len(made.configuration.faults)) for figure, made in paper_wafers().items()}
    {'9': (True, 0), '10': (True, 6), '11': (True, 1)}
    """
    net = build(SPEC)
    array = array_for(net)
    right = configure(array, from_places(array, [FAULT]), np.array([EAST]), "shift right")
    return {
        "9": reconfigure(SPEC, from_places(array, ()), method="exact"),
        "10": reconfigure(SPEC, from_places(array, FAULTS_10), method="exact"),
        "11": on_wafer(net, right),
    }
