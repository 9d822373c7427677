"""Regression of unobserved answers and numbers on covariates."""
