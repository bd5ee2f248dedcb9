"""Slower checks against the outside world, run by name: `python -m validation NAME`. Not part of the test suite."""
