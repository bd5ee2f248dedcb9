"""Routings of fat trees: one file = one algorithm."""
