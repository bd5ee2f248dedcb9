"""Experiments: a TOML study becomes points, a resumable store, and tables."""
