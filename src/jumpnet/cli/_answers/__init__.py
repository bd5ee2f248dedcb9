"""What verbs say: tables for a person, lines for programs."""
