"""Invented and recorded respondents: rehearsals, where the truth is known."""
