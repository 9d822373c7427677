"""The laws of noise about a regression, and what a range says of them."""
