"""Exact metrics of any network: distances, bisection, symmetry, layout. Reads `networks`, knows no family."""
