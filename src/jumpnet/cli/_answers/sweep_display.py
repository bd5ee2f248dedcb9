"""How far a sweep is: a bar and the newest points, redrawn as they come. Used by the verbs that run several points."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.progress import Progress as Bar
from rich.table import Table

from jumpnet.cli._command.output import as_shown, drawn, printable, short_spec
from jumpnet.cli._command.watch import WATCH
from jumpnet.notices import counted, is_quiet
from jumpnet.study.kinds import kinds
from jumpnet.study.run import Progress
from jumpnet.study.settings import varied

__all__ = ["SweepDisplay"]

COLUMNS = ("spec", "routing", "traffic", "offered_load", "accepted_load", "packet_latency_mean_cycles", "saturated")
LAST_ROWS = 12


def _columns(newest: Sequence[Mapping[str, Any]]) -> list[str]:
    """What to show of some points: settings that differ between them; of other kinds, what is drawn of them.

    >>> _columns([{"spec": "torus:8x8", "kind": "yield", "method": "exact", "density": 0.1, "yield": 0.9}])
    ['spec', 'kind', 'density', 'yield']
    >>> _columns([{"spec": "ring:8", "vcs": 2, "offered_load": 0.1}, {"spec": "ring:8", "vcs": 4, "offered_load": 0.1}])
    ['vcs', 'spec', 'offered_load']
    """
    others = [kinds()[row["kind"]] for row in newest if row.get("kind") in kinds()]
    kind = ["kind"] if others else []
    keys = dict.fromkeys([*varied(newest), *COLUMNS, *kind, *(key for other in others for key in other.axes)])
    return [key for key in keys if any(row.get(key) is not None for row in newest)]


class SweepDisplay:
    """A bar and the newest points, redrawn as they come."""

    def __init__(self, name: str):
        self.newest: list[dict[str, Any]] = []
        self.bar = Bar(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self.task = self.bar.add_task(printable(name), total=None)
        hidden = is_quiet() or not sys.stderr.isatty()  # in a file it would share its last line with what comes next
        self.live = Live(self.bar, console=Console(stderr=True, quiet=hidden), refresh_per_second=4)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """While the sweep runs; on a terminal nothing else is said of how far it is."""
        with WATCH.at_work(WATCH.under_way), drawn(self.live):
            yield

    def show(self, progress: Progress) -> None:
        """Draw where the sweep stands."""
        if progress.newest is not None:
            self.newest = [*self.newest[-LAST_ROWS + 1 :], progress.newest]
        WATCH.under_way = f"{progress.finished} of {counted(progress.known, 'point')}"
        self.bar.update(self.task, completed=progress.finished, total=progress.known)
        table = Table(box=None, header_style="bold")
        columns = _columns(self.newest)
        for column in columns:
            table.add_column(column.replace("_", " "), overflow="fold")  # a narrow screen breaks them between words
        for row in self.newest:
            cells = (short_spec(as_shown(row.get(column))) for column in columns)
            table.add_row(*(escape(printable(cell)) for cell in cells))
        self.live.update(Group(table, self.bar))
