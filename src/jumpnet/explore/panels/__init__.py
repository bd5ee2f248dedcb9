"""What the page's panels show beside the networks: computed here by the library, read by `web/src/panels`.

One file is one panel, with `PANEL` (its id there), `specs()` (networks that the page must hold) and `data()`, JSON
values with integer arrays among them. `elements` gives them as the page takes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType

from jumpnet.explore.packed import pack
from jumpnet.explore.panels import collectives, deadlock, faults, multicast, papers, wafer

__all__ = ["PANELS", "elements", "specs"]

PANELS: tuple[ModuleType, ...] = (deadlock, multicast, faults, wafer, papers, collectives)
"""In the order of their tabs."""


def specs() -> list[str]:
    """Networks that the panels draw on, each once, in the order in which they are met.

    >>> "torus:4x4" in specs()
    True
    """
    return list(dict.fromkeys(spec for panel in PANELS for spec in panel.specs()))


def elements() -> Iterator[str]:
    """An element of the page for each panel: `<script type="application/x-jumpnet-panel" data-panel="deadlock">`.

    Cost: some 15 CPU seconds for all.
    """
    for panel in PANELS:
        yield f'<script type="application/x-jumpnet-panel" data-panel="{panel.PANEL}">{pack(panel.data())}</script>\n'
