"""Routings of recursive diagonal tori: one file = one algorithm."""
