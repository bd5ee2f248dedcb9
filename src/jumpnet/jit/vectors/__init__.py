"""Machine vectors for kernels: in Python, their sizes, and what they are in compiled code."""
