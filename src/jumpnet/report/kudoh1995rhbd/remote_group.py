"""Sections 3.1 and 5.2 of the bit-map directory paper: is LPRA the best scheme for a group far from the source?"""

from __future__ import annotations

from collections.abc import Sequence

from jumpnet.report._remote_group import GROUPS, remote_tables, sizes_by_lpra
from jumpnet.report._section import Golden, Progress, Section, Table

TITLE = "LPRA for a group of destinations far from the source"
ORDER = 33


def section(golden: Golden, progress: Progress) -> Section:
    """Every kind of group at every rank, alone and with local destinations."""
    tables = remote_tables(golden, "lpra_remote", "kudoh1995rhbd, sections 3.1 and 5.2", progress)
    return Section(TITLE, TEXT.format(times=_times(tables), **sizes_by_lpra(tables)), tables)


def _times(tables: Sequence[Table]) -> str:
    """How many times the nodes of SM the LPRA reaches for the least group in a square, without local destinations."""
    square = tables[list(GROUPS).index("square")]
    sm, lpra = (float(square.at(square.rows[0][0], scheme).computed) for scheme in ("SM", "LPRA"))
    return f"{lpra / sm:.1f}"


TEXT = """The paper expects LPRA to be useful for a group of destinations far from the source, without a figure of it.
Its broadcast serves whole subtrees beside the source's path. A group that is such a subtree (the one marked B in Figure
6(a)) it reaches exactly, while a few destinations near the source cost SM a product and LPRA a sum: there LPRA is the
best scheme, except beside 16 local destinations and a group of eight. Without local destinations all three schemes
reach exactly such a group. A group of another shape touches several subtrees, and LPRA sends to all of each: for groups
of {never} it is never the best, and beside eight nodes in a square it reaches {times} times the nodes of SM.
Of the groups drawn only those of {always}, an eighth of the machine, are large enough for it to be the best, or as
good as the others, in every shape."""
