"""Protected numbers of a form: mean, quantiles and distribution."""
