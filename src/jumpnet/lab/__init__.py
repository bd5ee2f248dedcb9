"""The Python face, above every layer but the command line: networks under study, and what answers for them."""
