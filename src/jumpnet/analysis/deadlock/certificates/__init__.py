"""Certificates as text that others check: written, on grids and by orbits too, and checked."""
