"""BookSim2's configuration files as they are: the language, the keys with their defaults, and what they mean here."""
