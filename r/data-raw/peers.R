# What other packages of R find on inst/extdata/practices.csv, as tests/testthat/peers.json.
#   Rscript peers.R FOLDER      in this folder
# FOLDER holds the sources of rr 1.4.2, RRreg 0.7.5, GLMMRR 0.6.0, RRTCS 0.0.4 with sampling 2.11 and
# list 9.2.6, each in a folder of its name; survey 4.1-1 is installed. They are run where they lie,
# under R 4.2.2, and nothing of them is copied.
given <- commandArgs(TRUE)
from <- function(package, files) for (file in files) sys.source(file.path(given[1], package, "R", file), globalenv())
from("RRreg", paste0(c("helper_functions", "RRcheck", "RRlog_check", "RRlin_getPW", "RRuni", "RRuni_models", "RRuni_loglik", "RRlog_fit",
                        "RRlog"), ".R"))
from("GLMMRR", c("RRglm.R", "RRbinomial.R", "RRlink_logit.R", "RRlink_probit.R", "getRRparameters.R"))
from("RRTCS", c("Qualitative.R", "Estimator.R", "Warner.R", "ForcedResponse.R", "Horvitz.R", "Kuk.R"))
from("sampling", "varest.r")
from("rr", "rr.R")
library(magic)
library(sandwich)
library(VGAM)
from("list", "ictreg.R")
suppressPackageStartupMessages(library(survey))

people <- read.csv(file.path("..", "inst", "extdata", "practices.csv"))
people$forced_yes <- as.integer(people$forced == "yes")
people$saw <- as.integer(people$list == "long")
found <- list()
keep <- function(name, value, se, ...) {
  found[[name]] <<- c(list(value = as.vector(value), se = as.vector(se)), list(...))
}

# RRreg: shares, whose errors divide by n - 1, and a logit.
asked <- list(
  forced = list("FR", c(1, 1) / 6, "yes"), warner = list("Warner", 3 / 4, "yes"),
  crosswise = list("Crosswise", 1 / 4, "both or neither"), triangular = list("Triangular", 1 / 4, "one or both"),
  unrelated = list("UQTknown", c(0.7, 0.4), "yes"), mangat = list("Mangat", 0.7, "yes"), kuk = list("Kuk", c(0.8, 0.2), "red")
)
for (name in names(asked)) {
  one <- asked[[name]]
  said <- as.integer(na.omit(people[[name]]) == one[[3]])
  fit <- RRuni(said, model = one[[1]], p = one[[2]])
  keep(paste("RRuni", name), rev(fit$pi)[1], rev(fit$piSE)[1])
}
whole <- na.omit(people[c("forced_yes", "age", "female")])
set.seed(1)
fit <- suppressWarnings(RRlog(forced_yes ~ age + female, whole, "FR", c(1, 1) / 6, fit.n = 5))
keep("RRlog", fit$coefficients, sqrt(diag(fit$vcov)), log_likelihood = as.numeric(fit$logLik))

# rr: the same logit, by the EM algorithm.
set.seed(1)
fit <- rrreg(forced_yes ~ age + female, p = 2 / 3, p0 = 1 / 6, p1 = 1 / 6, design = "forced-known", data = whole,
             em.converge = 1e-14)
keep("rrreg", fit$est, fit$se)

# GLMMRR: the same, and a probit; errors by the expected information.
whole$truth <- 2 / 3; whole$either <- 1 / 2; whole$model <- "Forced"
for (link in c("logit", "probit")) {
  fit <- suppressWarnings(RRglm(forced_yes ~ age + female, link = paste0("RRlink.", link), RRmodel = model, p1 = truth,
    p2 = either, data = whole, etastart = rep(-0.5, nrow(whole)), epsilon = 1e-14, maxit = 200))
  keep(paste("RRglm", link), coef(fit), sqrt(diag(vcov(fit))), log_likelihood = as.numeric(logLik(fit)))
}

# RRTCS: as if these had been drawn at random from 5,000.
drawn <- rep(nrow(people) / 5000, nrow(people))
told <- function(name, fit) keep(paste("RRTCS", name), fit$Estimation, sqrt(fit$Variance))
told("warner", Warner(as.integer(people$warner == "yes"), 0.75, drawn, "mean", 0.95, 5000))
told("unrelated", Horvitz(as.integer(people$unrelated == "yes"), 0.7, 0.4, drawn, "mean", 0.95, 5000))

# survey: shares and a logit of the plain answers, and a crosswise share by the mean of its unbiased scores.
people$plain <- as.integer(people$direct == "yes")
people$score <- (as.integer(people$crosswise == "both or neither") - 0.75) / (0.25 - 0.75)
sample <- svydesign(ids = ~school, strata = ~region, weights = ~weight, fpc = ~schools, data = people)
fit <- svymean(~plain, sample)
keep("svymean direct", coef(fit), SE(fit), df = degf(sample))
apart <- svydesign(ids = ~school, strata = ~region, weights = ~weight, data = people)
fit <- svymean(~score, apart)
keep("svymean crosswise", coef(fit), SE(fit))
fit <- svyby(~score, ~female, apart, svymean)
keep("svyby crosswise", coef(fit), SE(fit))
fit <- svyglm(plain ~ age + female, subset(apart, !is.na(age)), family = quasibinomial(), control = list(epsilon = 1e-12))
keep("svyglm direct", coef(fit), SE(fit))

# list: difference in means with HC3 errors, and Imai's model by the EM algorithm.
listed <- people[!is.na(people$age), ]
fit <- ictreg(items ~ 1, data = people, treat = "saw", J = 3, method = "lm")
keep("ictreg lm", fit$par.treat, fit$se.treat)
for (method in c("nls", "lm")) {
  fit <- ictreg(items ~ age + female, data = listed, treat = "saw", J = 3, method = method)
  keep(paste("ictreg", method, "regression"), c(fit$par.treat, fit$par.control), c(fit$se.treat, fit$se.control))
}
fit <- ictreg(items ~ age + female, data = listed, treat = "saw", J = 3, method = "ml", constrained = TRUE)
keep("ictreg ml", c(fit$par.treat, fit$par.control), c(fit$se.treat, fit$se.control), log_likelihood = fit$llik)
for (method in c("ml", "nls")) { # drawn close to the difference in means
  fit <- ictreg(items ~ age + female, data = listed, treat = "saw", J = 3, method = method, robust = TRUE)
  keep(paste("ictreg robust", method), c(fit$par.treat, fit$par.control), c(fit$se.treat, fit$se.control),
       mean = mean(plogis(fit$x %*% fit$par.treat)))
}
# An outcome by the sensitive item, begun at the means of its random starts; it sums squares of scores for errors.
rmvnorm <- function(n, mean, sigma) matrix(mean, nrow = 1)
from("list", "ictreg.joint.R")
invisible(capture.output(fit <- ictreg.joint(items ~ age, data = listed, treat = "saw", J = 3, outcome = "female",
  outcome.reg = "logistic", constrained = TRUE, maxIter = 5000)))
keep("ictreg.joint", fit$par.outcome, fit$se.outcome, log_likelihood = fit$llik)
# Carriers who deny, in two groups of 1,000: the stochastic lie detector, whose last value is the share of carriers
# who tell the truth.
lie <- data.frame(said = rep(c(1, 0, 1, 0), c(440, 560, 800, 200)), group = rep(1:2, each = 1000))
set.seed(1)
fit <- suppressWarnings(RRlog(said ~ 1, lie, "SLD", c(0.8, 0.2), group = lie$group, fit.n = 5))
keep("RRlog SLD", fit$coefficients, sqrt(diag(fit$vcov)), log_likelihood = as.numeric(fit$logLik))

writeLines(jsonlite::toJSON(found, digits = 12, auto_unbox = TRUE, pretty = TRUE),
           file.path("..", "tests", "testthat", "peers.json"))
