"""Reports turned back into knowledge: shares, numbers, and how sure one may be of them."""
