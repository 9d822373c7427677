"""How many to ask, and how a budget is split."""
