"""Routings of meshes: one file = one algorithm."""
