"""The chip as a kernel on integer tables, a file a part, each the compiled form of the model of its name."""
