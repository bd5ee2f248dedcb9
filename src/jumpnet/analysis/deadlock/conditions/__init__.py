"""Conditions under which cycles of dependencies do no harm: Duato's, and bubble flow control."""
