# Regressions that R's rr 1.4.2 and GLMMRR 0.6.0 find on public data, as response.json (for tests/beside).
# Rscript make_response.R GLMMRR RR FORCED: the folders of the two sources, and the file
# nigeria_forced_response.csv (from rr).
given <- commandArgs(TRUE)
for (file in c("RRglm.R", "RRbinomial.R", "RRlink_logit.R", "RRlink_probit.R", "RRlink_cloglog.R", "getRRparameters.R"))
  source(file.path(given[1], "R", file))
source(file.path(given[2], "R", "rr.R"))
number <- function(x) paste0("[", paste(format(unname(x), digits = 12, trim = TRUE), collapse = ", "), "]")
entry <- function(name, n, loglik, beta, se)
  sprintf('  "%s": {"n": %d, "log_likelihood": %.8f, "value": %s, "se": %s}', name, n, loglik, number(beta), number(se))
nigeria <- na.omit(read.csv(given[3])[, 1:6])
names(nigeria) <- c("said", "age", "asset", "married", "education", "female")
nigeria$age <- nigeria$age / 10
nigeria$age2 <- nigeria$age^2
nigeria$truth <- 2 / 3; nigeria$forced <- 1 / 2; nigeria$model <- "Forced"
formula <- said ~ asset + married + age + age2 + education + female
lines <- c()
for (link in c("logit", "probit", "cloglog")) {
  fit <- suppressWarnings(RRglm(formula, link = paste0("RRlink.", link), RRmodel = model, p1 = truth,
    p2 = forced, data = nigeria, etastart = rep(-0.5, nrow(nigeria)), epsilon = 1e-14, maxit = 200))
  lines <- c(lines, entry(paste("GLMMRR forced", link), nrow(nigeria), as.numeric(logLik(fit)), coef(fit), sqrt(diag(vcov(fit)))))
}
set.seed(1)
fit <- rrreg(formula, p = 2 / 3, p0 = 1 / 6, p1 = 1 / 6, design = "forced-known", data = nigeria)
x <- model.matrix(formula, nigeria)
p <- plogis(x %*% fit$est)
loglik <- sum(dbinom(nigeria$said, 1, 1 / 6 + 2 / 3 * p, log = TRUE))
lines <- c(lines, entry("rr forced logit", nrow(nigeria), loglik, fit$est, fit$se))
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
