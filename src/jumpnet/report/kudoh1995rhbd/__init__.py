"""The hierarchical bit-map directory paper: entry sizes, Figures 10 to 12, and what it could not compute."""
