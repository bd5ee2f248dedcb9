"""How the Python API meets people: whatever they hand over, an error is one line; results show themselves."""
