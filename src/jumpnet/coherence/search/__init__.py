"""All states of a line under a protocol: what its rows do (`model`), as numbers (`tables`), the search (`states`)."""
