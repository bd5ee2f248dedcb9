"""Section 3.2 of the router chip paper: is LPRA the best scheme for a group of remote nodes?"""

from __future__ import annotations

from jumpnet.report._remote_group import remote_tables, sizes_by_lpra
from jumpnet.report._section import Golden, Progress, Section

TITLE = "Section 3.2: LPRA for a group of remote nodes"
ORDER = 22


def section(golden: Golden, progress: Progress) -> Section:
    """Every kind of group at every rank, alone and with local destinations."""
    tables = remote_tables(golden, "scheme_remote", "nishi1997router, section 3.2", progress)
    return Section(TITLE, TEXT.format(never=sizes_by_lpra(tables)["never"]), tables)


TEXT = """The same groups as for the earlier paper, which says the same. A subtree beside the source's path, as marked
in Figure 6(a), LPRA reaches exactly; so do the other schemes where no destination is near the source. With a few near
the source LPRA is the best for it. Groups of another shape touch several subtrees, of each of which LPRA reaches every
leaf below a child that has a single destination: for groups of {never} nodes it is never the best."""
