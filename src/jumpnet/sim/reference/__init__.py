"""The plain-Python twin of the simulator: slow, obvious, the same results."""
