"""Relations run for many packets at once: what all ways of doing so have in common."""
