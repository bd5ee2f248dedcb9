"""Routings of concentrated meshes with express links: one file = one algorithm."""
