"""A run measured: its phases, statistics and checkpoints, deadlocks found, and laws that must hold."""
