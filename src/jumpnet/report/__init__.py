"""The report: every table, figure and claim of the papers, printed beside computed. One folder = one paper."""

from __future__ import annotations

from jumpnet.report._claims import claims, tally
from jumpnet.report._committed import check_committed, record_committed
from jumpnet.report._pieces import MARKS
from jumpnet.report._report import Computed, cell_rows, chosen, compute, papers
from jumpnet.report._write import write_report

__all__ = [
    "MARKS", "Computed", "cell_rows", "check_committed", "chosen", "claims", "compute", "papers", "record_committed",
    "tally", "write_report",
]  # fmt: skip
