"""What reports mean."""
