"""Proofs of deadlock freedom: dependencies, the conditions held against them, certificates, and what a cycle means."""
