"""Confidence intervals of shares, quantiles, averages and whole distribution functions."""
