# The same digits as rr, RRreg, GLMMRR, RRTCS and survey: data-raw/peers.R says how theirs were made.

near <- function(found, known, tolerance) expect_equal(unname(found), known, tolerance = tolerance)

test_that("shares are those of RRreg's RRuni, whose errors divide by n - 1", {
  for (name in names(asked_by)) {
    fit <- askance_estimate(name, practices, asked_by[[name]])
    known <- peers[[paste("RRuni", name)]]
    near(coef(fit)["yes"], known$value, 1e-9)
    near(sqrt(vcov(fit)["yes", "yes"] * nobs(fit) / (nobs(fit) - 1)), known$se, 1e-9)
  }
})

test_that("shares of a drawn population are those of RRTCS", {
  people <- transform(practices, people = 5000)
  for (name in c("warner", "unrelated")) {
    fit <- askance_estimate(name, people, asked_by[[name]], fpc = ~people)
    near(coef(fit)["yes"], peers[[paste("RRTCS", name)]]$value, 1e-9)
    near(sqrt(vcov(fit)["yes", "yes"]), peers[[paste("RRTCS", name)]]$se, 1e-9)
  }
})

test_that("shares of a complex sample are those of survey", {
  fit <- askance_estimate(~direct, practices, rr_direct(), weights = ~weight, strata = ~region,
                          clusters = ~school, fpc = ~schools)
  near(coef(fit)["yes"], peers[["svymean direct"]]$value, 1e-9)
  near(sqrt(vcov(fit)["yes", "yes"]), peers[["svymean direct"]]$se, 1e-9)
  fit <- askance_estimate(~crosswise, practices, asked_by$crosswise, weights = ~weight, strata = ~region, clusters = ~school)
  near(coef(fit)["yes"], peers[["svymean crosswise"]]$value, 1e-9)
  near(sqrt(vcov(fit)["yes", "yes"]), peers[["svymean crosswise"]]$se, 1e-9)
})

test_that("shares of domains, and a logit, are those of survey", {
  fit <- askance_estimate(~crosswise, practices, asked_by$crosswise, weights = ~weight, strata = ~region,
                          clusters = ~school, by = ~female)
  told <- subset(tidy(fit), term == "yes")
  expect_identical(told$female, 0:1)
  near(told$estimate, peers[["svyby crosswise"]]$value, 1e-9)
  near(told$std.error, peers[["svyby crosswise"]]$se, 1e-9)
  fit <- askance_regress(direct ~ age + female, practices, rr_direct(), weights = ~weight, strata = ~region,
                         clusters = ~school)
  near(coef(fit), peers[["svyglm direct"]]$value, 1e-9)
  near(sqrt(diag(vcov(fit))), peers[["svyglm direct"]]$se, 1e-7)
  expect_equal(df.residual(fit), 25)
})

test_that("regressions are those of rr, RRreg and GLMMRR", {
  fit <- askance_regress(forced ~ age + female, practices, asked_by$forced)
  near(coef(fit), peers$rrreg$value, 1e-6)
  near(coef(fit), peers$RRlog$value, 3e-5)
  near(sqrt(diag(vcov(fit))), peers$RRlog$se, 4e-4)
  near(as.numeric(logLik(fit)), peers$RRlog$log_likelihood, 1e-9)
  for (link in c("logit", "probit")) {
    known <- peers[[paste("RRglm", link)]]
    fit <- askance_regress(forced ~ age + female, practices, asked_by$forced, link = link, errors = "expected")
    near(coef(fit), known$value, 1e-6)
    near(sqrt(diag(vcov(fit))), known$se, 1e-6)
    near(as.numeric(logLik(fit)), known$log_likelihood, 1e-9)
  }
})
