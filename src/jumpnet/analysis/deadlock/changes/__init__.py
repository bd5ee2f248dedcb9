"""From one routing to another while packets are on their way: the proof, in words too, and where routes meet."""
