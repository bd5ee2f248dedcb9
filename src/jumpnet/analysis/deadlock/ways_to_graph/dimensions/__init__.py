"""Dependencies of routings on grids, dimension by dimension: all pairs of routers at once, without a walk."""
