"""What a protocol's tables do when each reference is carried through: what a row of numbers tells (`codes`), `rows`."""
