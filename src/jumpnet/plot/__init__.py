"""Pictures of networks and results; the only place that imports Matplotlib."""
