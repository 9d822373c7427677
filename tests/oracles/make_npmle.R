# Mean log-likelihood at the maximum that npsurv finds: cases as JSON in, numbers as JSON out.
suppressMessages({
  library(npsurv)
  library(jsonlite)
})

cases <- fromJSON(file("stdin"), simplifyDataFrame = FALSE)
found <- sapply(cases, function(case) {
  lower <- ifelse(is.na(case$lower), 0, case$lower)
  upper <- ifelse(is.na(case$upper), Inf, case$upper)
  fit <- npsurv(cbind(lower, upper), w = case$count, maxit = 10000, tol = 1e-12)
  stopifnot(fit$convergence)
  fit$ll / sum(case$count)
})
cat(toJSON(found, digits = 17))
