"""Any answers: the optimal channel as a certified programme."""
