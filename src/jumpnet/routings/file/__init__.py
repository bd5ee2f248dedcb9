"""Routings of networks from files: one file = one algorithm."""
