"""Shares of named answers, from counts of reports."""
