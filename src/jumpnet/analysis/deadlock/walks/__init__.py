"""Packets followed, state by state: kernels, walks shared out among threads, searches, and what is kept of them."""
