"""Programmes solved: linear ones by the simplex method, concave merits by a climb."""
