"""Choosing before asking: which mechanism buys more with the same privacy."""
