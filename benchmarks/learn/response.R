# Fits the forced answers that a folder holds, by askance from R (whose sources the variable DOOR names),
# GLMMRR, rr and RRreg: the folder, then the folders of their sources. Prints for each the seconds, the log-likelihood and the coefficients.
given <- commandArgs(TRUE)
n <- file.size(file.path(given[1], "said")) / 8
said <- readBin(file.path(given[1], "said"), "double", n)
X <- matrix(readBin(file.path(given[1], "X"), "double", n * 6), n)
data <- data.frame(said, X, truth = 2 / 3, forced = 1 / 2, model = "Forced")
formula <- reformulate(paste0("X", 1:6), "said")
load <- function(paths, place = globalenv()) { # compiled, as a package is when it is installed
  for (path in paths) sys.source(path, place)
  for (name in ls(place)) if (is.function(place[[name]])) assign(name, compiler::cmpfun(place[[name]]), place)
}
seconds <- function() sum(proc.time()[-3]) # of a processor, those of programs that were called too
told <- function(name, fit, each = identity) {
  began <- seconds()
  found <- fit()
  spent <- each(seconds() - began)
  cat(name, format(c(spent, found$loglik, found$beta), digits = 10, trim = TRUE), sep = "\t")
  cat("\n")
  invisible(spent)
}
door <- new.env()
load(list.files(Sys.getenv("DOOR"), full.names = TRUE), door)
ours <- function() {
  fit <- door$askance_regress(formula, data, door$rr_forced("1/6", "1/6"), reports = c(yes = 1, no = 0))
  list(loglik = fit$log_likelihood, beta = fit$coefficients)
}
first <- told("askance, first call from R", function() {
  fit <- ours()
  door$askance_quit() # whose seconds count only once it has ended
  fit
})
told("askance, each call after it", function() {
  for (call in 1:11) fit <- ours()
  door$askance_quit()
  fit
}, function(spent) (spent - first) / 10)
load(file.path(given[2], "R", c("RRglm.R", "RRbinomial.R", "RRlink_logit.R", "getRRparameters.R")))
told("GLMMRR", function() {
  fit <- suppressWarnings(RRglm(formula, link = "RRlink.logit", RRmodel = model, p1 = truth,
    p2 = forced, data = data, etastart = rep(0.01, n)))
  list(loglik = as.numeric(logLik(fit)), beta = coef(fit))
})
if (length(given) > 2) {
  load(file.path(given[3], "R", "rr.R"))
  told("rr", function() {
    set.seed(1)
    fit <- rrreg(formula, p = 2 / 3, p0 = 1 / 6, p1 = 1 / 6, design = "forced-known", data = data)
    chance <- 1 / 6 + 2 / 3 * plogis(cbind(1, X) %*% fit$est)
    list(loglik = sum(dbinom(said, 1, chance, log = TRUE)), beta = fit$est)
  })
}
if (length(given) > 3) {
  load(file.path(given[4], "R", paste0(c("helper_functions", "RRcheck", "RRlog_check", "RRlin_getPW", "RRuni", "RRuni_models",
    "RRuni_loglik", "RRlog_fit", "RRlog"), ".R")))
  told("RRreg", function() {
    set.seed(1)
    fit <- suppressWarnings(RRlog(formula, data, "FR", c(1, 1) / 6, LR.test = FALSE, fit.n = 1))
    list(loglik = fit$logLik, beta = fit$coefficients)
  })
}
