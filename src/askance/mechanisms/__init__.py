"""Published recipes: each takes a frame or a line and yields a channel."""
