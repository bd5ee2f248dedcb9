"""Records of sizes and arrays that a kernel takes as one number, and their rows with named numbers."""
