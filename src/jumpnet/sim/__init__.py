"""The flit-level simulator: kernel, reference twin, presets, measurements."""
