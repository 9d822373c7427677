# Regressions that R's RRreg 0.7.5, GLMMRR 0.6.0 and rr 1.4.2 find on replies.csv, as replies.json.
# Rscript make_replies.R RRREG GLMMRR RR: the folders of their sources. Beside it lies replies.csv, of make_replies.py.
given <- commandArgs(TRUE)
for (file in c("helper_functions", "RRcheck", "RRlog_check", "RRlin_getPW", "RRuni", "RRuni_models", "RRuni_loglik",
               "RRlog_fit", "RRlog", "RRlin_loglik", "RRlin")) source(file.path(given[1], "R", paste0(file, ".R")))
for (file in c("RRglm.R", "RRbinomial.R", "RRlink_logit.R", "RRlink_probit.R", "RRlink_cloglog.R", "getRRparameters.R"))
  source(file.path(given[2], "R", file))
source(file.path(given[3], "R", "rr.R"))
replies <- read.csv("replies.csv")
replies$age <- replies$age / 10
number <- function(x) paste0("[", paste(format(unname(x), digits = 12, trim = TRUE), collapse = ", "), "]")
entry <- function(name, loglik, value, se, more = "")
  sprintf('  "%s": {"log_likelihood": %.8f, "value": %s, "se": %s%s}', name, loglik, number(value), number(se), more)
logit <- function(name, data, model, p, group = NULL, formula = said ~ age + female + married) {
  set.seed(1)
  fit <- suppressWarnings(RRlog(formula, data, model, p, group = group, fit.n = 5))
  entry(paste("RRreg", name), fit$logLik, fit$coefficients, sqrt(diag(fit$vcov)),
        sprintf(', "ratio": %s', number(-2 * fit$deltaLogLik)))
}
forced <- subset(replies, design == "forced")
both <- subset(replies, design == "both")
lines <- c(
  logit("forced", forced, "FR", c(1, 1) / 6),
  logit("crosswise", subset(replies, design == "crosswise"), "Crosswise", 0.2),
  logit("unrelated", subset(replies, design == "unrelated"), "UQTknown", c(0.7, 0.4)),
  logit("both", both, "Crosswise", 0.2, group = both$protected, formula = said ~ age + female + married + protected))
set.seed(1)
line <- RRlin(score ~ said, forced, models = "FR", p.list = list(c(1, 1) / 6), fit.n = 1)
lines <- c(lines, entry("RRreg line", line$logLik, line$beta, sqrt(diag(line$vcov))[1:2],
                        sprintf(', "scale": %.10f, "share": %.10f', line$sigma, line$pi[["1"]])))
forced$truth <- 2 / 3; forced$either <- 1 / 2; forced$model <- "Forced"
for (link in c("logit", "probit", "cloglog")) {
  fit <- suppressWarnings(RRglm(said ~ age + female + married, link = paste0("RRlink.", link), RRmodel = model, p1 = truth,
    p2 = either, data = forced, etastart = rep(-0.5, nrow(forced)), epsilon = 1e-14, maxit = 200))
  lines <- c(lines, entry(paste("GLMMRR", link), as.numeric(logLik(fit)), coef(fit), sqrt(diag(vcov(fit)))))
}
set.seed(1)
fit <- rrreg(said ~ age + female + married, p = 2 / 3, p0 = 1 / 6, p1 = 1 / 6, design = "forced-known", data = forced)
share <- plogis(model.matrix(said ~ age + female + married, forced) %*% fit$est)
lines <- c(lines, entry("rr logit", sum(dbinom(forced$said, 1, 1 / 6 + 2 / 3 * share, log = TRUE)), fit$est, fit$se))
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
