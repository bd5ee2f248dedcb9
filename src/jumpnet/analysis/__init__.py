"""Theorems about (network, routing): path figures, channel loads, deadlock freedom, embeddings."""

from jumpnet.analysis._moved import find_moved

find_moved()
