"""What the routings of the RDT share: vectors of links, and which of them lead where."""
