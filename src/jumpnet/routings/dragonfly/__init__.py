"""Routings of dragonflies: one file = one algorithm."""
