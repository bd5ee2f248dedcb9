"""Threads and processes that work for this one: shared work, workers, calls that cannot be ended."""
