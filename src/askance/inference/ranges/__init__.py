"""The most likely distribution of numbers that were seen as ranges."""
