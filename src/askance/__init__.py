"""Ask with chance."""
