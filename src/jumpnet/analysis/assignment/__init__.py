"""Torus assignments of an RDT compared exactly."""
