"""Pages for people: the analyst's page, its figures, and tables for a terminal."""
