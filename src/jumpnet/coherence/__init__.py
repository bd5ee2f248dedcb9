"""Directory encodings and coherence protocols."""
