"""Routings of cube-connected cycles: one file = one algorithm."""
