"""A protocol's tables as a model of Murphi, for other model checkers: `export` writes it, from the parts beside it."""
