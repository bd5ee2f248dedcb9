"""Dependency graphs of routings by shortest ways, from sets of destinations."""
