"""Relations run on inequalities of coordinates and sides, for one network with long sides or for all sizes."""
