"""The report: every table, figure and claim of the papers, printed beside computed. One folder = one paper."""

from __future__ import annotations

from jumpnet.paper._claims import claims, tally
from jumpnet.paper._committed import check_committed, record_committed
from jumpnet.paper._pieces import MARKS
from jumpnet.paper._report import Computed, cell_rows, compute, papers
from jumpnet.paper._write import write_report

__all__ = [
    "MARKS", "Computed", "cell_rows", "check_committed", "claims", "compute", "papers", "record_committed", "tally",
    "write_report",
]  # fmt: skip
