"""What a start hook of a user's own may do with its queues, whatever they are, and whether proofs follow all of it."""
