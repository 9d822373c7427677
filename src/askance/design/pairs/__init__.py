"""Two answers: the optimal pairs of rows, in closed form."""
