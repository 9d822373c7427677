"""What reported ranges give away."""
