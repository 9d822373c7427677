"""Distributions, averages and tests, from ranges that hold unseen numbers."""
