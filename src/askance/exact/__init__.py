"""Numbers that may not be rounded the wrong way (standard library only)."""
