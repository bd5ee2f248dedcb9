"""What a protocol's tables do when each reference is completed at once: codes of a row (`codes`), `rows`."""
