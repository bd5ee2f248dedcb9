"""Options of verbs, and which go together."""
