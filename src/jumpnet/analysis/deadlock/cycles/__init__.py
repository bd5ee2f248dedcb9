"""Graphs without a cycle numbered and checked, and shortest cycles."""
