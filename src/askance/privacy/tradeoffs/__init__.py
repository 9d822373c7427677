"""Trade-offs of tests between two answers."""
