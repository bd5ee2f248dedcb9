"""The memory of a run: what lies where (`layout`), one record for all of it (`record`), and how it is filled."""
