"""Theorems about (network, routing): path figures, channel loads, deadlock freedom, embeddings."""
