"""From Python functions to machine code: decorators, kernels linked into entries, their files on disk, records."""
