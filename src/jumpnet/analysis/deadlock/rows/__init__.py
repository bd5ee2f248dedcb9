"""How a dependency graph is held: rows of bits, compressed rows, and rows made piece by piece where they are many."""
