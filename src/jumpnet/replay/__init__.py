"""Runs of the simulator made from what a proof says: its packets, posted so that they do wait for each other."""
