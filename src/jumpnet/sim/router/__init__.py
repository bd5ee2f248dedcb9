"""The general engine: one file a stage of the router, in the order of the textbook; `pipeline` calls them."""
