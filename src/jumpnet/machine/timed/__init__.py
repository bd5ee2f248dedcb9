"""The machine with time, a file a part: processors, caches, homes, queues, locks and barriers, trees."""
