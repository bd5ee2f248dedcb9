"""Proofs of deadlock freedom: dependencies, the conditions checked on them, certificates, and what a cycle means."""
