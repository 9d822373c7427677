# Linear and log-linear models of censored outcomes as R's survival fits them: survreg.json.
# Rscript tests/oracles/make_survreg.R > tests/oracles/survreg.json
suppressMessages({
  library(survival)
  library(jsonlite)
})

exact <- survreg.control(rel.tolerance = 1e-15, maxiter = 200)

# survreg's own robust errors leave weights out, and take the slope by the scale with the wrong sign
# for rows of status 3 (residuals(fit, "matrix")[, "ds"]): so slopes are differences here.
sandwich <- function(fit, lower, upper, X, dist, weights, group) {
  at <- c(coef(fit), log(fit$scale))
  rows <- function(at) {
    mean <- drop(cbind(1, X) %*% at[-length(at)])
    scale <- exp(at[length(at)])
    told <- function(f, q) do.call(f, c(list(q, mean, scale, dist), if (dist == "t") list(parms = 4)))
    below <- function(q) told(psurvreg, q)
    ends <- ifelse(is.na(upper), 1, below(upper)) - ifelse(is.na(lower), 0, below(lower))
    seen <- !is.na(lower) & !is.na(upper) & lower == upper
    log(ifelse(seen, told(dsurvreg, upper), ends))
  }
  step <- 1e-4 * sqrt(diag(vcov(fit)))
  central <- function(j, h) {
    move <- replace(0 * at, j, h)
    (rows(at + move) - rows(at - move)) / (2 * h)
  }
  scores <- sapply(seq_along(at), function(j)
    (4 * central(j, step[j]) - central(j, 2 * step[j])) / 3)
  meat <- crossprod(rowsum(scores * weights, group))
  unname(sqrt(diag(vcov(fit) %*% meat %*% vcov(fit))))
}

entry <- function(name, lower, upper, X, noise, dist,
                  weights = rep(1, length(lower)), cluster = NULL) {
  log <- dist %in% c("weibull", "lognormal", "loglogistic")
  frame <- data.frame(lower, upper, X, weights)
  frame$group <- if (is.null(cluster)) seq_along(lower) else cluster
  formula <- as.formula(paste(
    "Surv(lower, upper, type = 'interval2') ~", paste(colnames(X), collapse = " + ")
  ))
  fit <- survreg(formula, frame, dist = dist, weights = weights, control = exact)
  robust <- sandwich(fit, lower, upper, as.matrix(X), dist, weights, frame$group)
  list(
    name = name, noise = noise, log = log, lower = lower, upper = upper,
    terms = colnames(X), covariates = as.matrix(X), weights = weights, cluster = cluster,
    value = unname(c(coef(fit), log(fit$scale))), se = unname(sqrt(diag(vcov(fit)))),
    robust_se = robust, log_likelihood = fit$loglik[2],
    median = unname(predict(fit, type = "quantile", p = .5)[1:3])
  )
}

censored <- function(time, status) list(lower = time, upper = ifelse(status == 1, time, NA))

tobin_X <- tobin[c("age", "quant")]
tobin_low <- ifelse(tobin$durable > 0, tobin$durable, NA)
capacitors <- censored(capacitor$time, capacitor$status)
cancer <- na.omit(lung[c("time", "status", "age", "sex", "ph.ecog", "inst")])
names(cancer)[5] <- "ecog"
patients <- censored(cancer$time, cancer$status - 1)

set.seed(1958)
n <- 150
X <- data.frame(a = round(rnorm(n), 3), b = round(runif(n, 2000, 2020)), c = rbinom(n, 1, .3))
y <- 1 + .5 * X$a + .1 * (X$b - 2010) - X$c + rlogis(n) * .7
cuts <- cbind(round(rnorm(n, 0, 2), 2), round(rnorm(n, 2, 2), 2))
first <- pmin(cuts[, 1], cuts[, 2])
last <- pmax(cuts[, 1], cuts[, 2]) + .01
lower <- ifelse(y <= first, NA, ifelse(y <= last, first, last))
upper <- ifelse(y <= first, first, ifelse(y <= last, last, NA))
seen <- seq_len(n) %% 10 == 0
lower[seen] <- upper[seen] <- round(y[seen], 2)
often <- rpois(n, 1) + 1
village <- rep(1:30, each = 5)

cases <- list(
  entry("tobin", tobin_low, tobin$durable, tobin_X, "normal", "gaussian"),
  entry("capacitor, Weibull", capacitors$lower, capacitors$upper,
    capacitor[c("temperature", "voltage")], "gumbel", "weibull"),
  entry("capacitor, log-normal", capacitors$lower, capacitors$upper,
    capacitor[c("temperature", "voltage")], "normal", "lognormal"),
  entry("lung, Weibull", patients$lower, patients$upper, cancer[c("age", "sex", "ecog")],
    "gumbel", "weibull", cluster = cancer$inst),
  entry("lung, log-logistic", patients$lower, patients$upper, cancer[c("age", "sex", "ecog")],
    "logistic", "loglogistic", cluster = cancer$inst),
  entry("two cuts, normal", lower, upper, X, "normal", "gaussian", often, village),
  entry("two cuts, logistic", lower, upper, X, "logistic", "logistic", often, village),
  entry("two cuts, t", lower, upper, X, "student", "t", often, village),
  entry("two cuts, extreme value", lower, upper, X, "gumbel", "extreme", often, village)
)
cat(toJSON(cases, digits = 15, auto_unbox = TRUE, na = "null"), "\n")
