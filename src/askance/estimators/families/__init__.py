"""Families of distributions fitted to ranges."""
