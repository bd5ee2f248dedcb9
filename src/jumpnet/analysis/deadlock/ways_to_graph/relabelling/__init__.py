"""Dependencies of routings between permutations whose ways do not depend on what the symbols are called."""
