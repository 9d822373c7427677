"""Answers and numbers that nobody saw, by covariates."""
