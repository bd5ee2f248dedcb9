"""Routes of a routing: followed, measured, listed, written as tables, as trees of multicasts, and in a timetable."""
