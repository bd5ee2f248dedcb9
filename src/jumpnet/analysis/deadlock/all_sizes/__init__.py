"""Proofs for all sizes of a family: the relation run on places of which only inequalities are known."""
