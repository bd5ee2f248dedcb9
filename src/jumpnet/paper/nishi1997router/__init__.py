"""Sections of the router chip paper, nishi1997router: one file = one table, figure or claim."""
