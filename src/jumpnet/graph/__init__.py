"""Exact metrics of any network: distances, bisection, symmetry, layout. Reads `network`, knows no family."""
