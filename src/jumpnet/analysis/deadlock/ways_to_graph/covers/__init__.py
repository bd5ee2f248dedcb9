"""Relations on grids run with their ways joined again, for those that part pairs of routers into too many cases."""
