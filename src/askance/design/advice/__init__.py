"""Recommendations side by side, ready to deploy."""
