"""A person types it; the only place that wires rooms together."""
