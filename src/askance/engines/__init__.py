"""Counts reports where they lie: in the database, or in a file through an embedded engine."""
