"""Routings of shifted recursive tori: one file = one algorithm."""
