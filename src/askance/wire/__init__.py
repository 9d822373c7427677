"""The two documents that cross the wall: the form and the report (standard library only)."""
