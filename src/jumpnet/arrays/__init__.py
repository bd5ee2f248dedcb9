"""Arrays that compiled code reads without a look: checked when they are made, and never written again."""
