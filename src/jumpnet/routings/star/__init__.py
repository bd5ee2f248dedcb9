"""Routings of star graphs: one file = one algorithm."""
