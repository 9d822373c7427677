"""Several reports of one person together."""
