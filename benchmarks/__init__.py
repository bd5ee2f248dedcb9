"""Measurements by name: `python -m benchmarks NAME`. Slower than tests, run by hand, nothing is asserted about time."""
