"""Packets of adaptive routings, followed from one representative router of each orbit of the automorphisms."""
