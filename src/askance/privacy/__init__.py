"""Judges of channels: what a report can give away, under each notion of privacy."""
