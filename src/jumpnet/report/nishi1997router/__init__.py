"""Sections of the router chip paper, nishi1997router: one file = one table, figure or claim."""

from __future__ import annotations

from jumpnet.report.nishi1997router._measure import SPEC, stages

__all__ = ["SPEC", "stages"]
