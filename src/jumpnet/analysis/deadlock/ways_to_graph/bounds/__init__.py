"""Graphs of fewer or of more dependencies than a routing has: of some packets, or of another routing."""
