"""What every command goes through, from the words that were typed to its end."""
