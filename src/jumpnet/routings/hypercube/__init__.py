"""Routings of hypercubes: one file = one algorithm."""
