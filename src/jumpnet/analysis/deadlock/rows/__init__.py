"""How a dependency graph is held: rows of bits, compressed rows, or rows made piece by piece where they are too many."""
