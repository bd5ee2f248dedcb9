"""Routings of recursive dual-nets: one file = one algorithm."""
