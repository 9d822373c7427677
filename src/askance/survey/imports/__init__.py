"""Questionnaires of other programs, read into a survey file, with a list of what did not come."""
