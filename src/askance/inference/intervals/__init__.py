"""How sure one may be of a share, a quantile, an average or a whole curve."""
