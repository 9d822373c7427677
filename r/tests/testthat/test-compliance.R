# Carriers who deny, and others who are told to say "yes" with a chance that differs by group. Counts
# are what is expected, so that shares are as they were laid out.
asked <- list(few = rr_one_sided("1/6"), many = rr_one_sided("5/6"))

laid_out <- function(share, denies, wary) {
  rows <- lapply(names(asked), function(one) {
    yes <- round(3000 * (share * (1 - denies) + (1 - share) * c(few = 1, many = 5)[[one]] / 6))
    data.frame(version = one, wary = wary, said = rep(c("yes", "no"), c(yes, 3000 - yes)))
  })
  do.call(rbind, rows)
}
people <- rbind(laid_out(0.4, 0.1, 0), laid_out(0.4, 0.5, 1))
people$said[1] <- NA
whole <- people[-1, ]

test_that("who denies depends on a covariate, and shares are those of all people", {
  fit <- askance_regress(said ~ 1, whole, asked, group = ~version, models = "sld", compliance = ~wary)
  expect_named(coef(fit), c("yes: (Intercept)", "deny: (Intercept)", "deny: wary"))
  expect_equal(unname(plogis(cumsum(coef(fit)[-1]))), c(0.1, 0.5), tolerance = 2e-3)
  expect_equal(fit$prevalence$share, c(0.4, 0.6), tolerance = 1e-3)
  expect_equal(mean(predict(fit)), fit$prevalence$share[1], tolerance = 1e-9)
  expect_equal(fit$classes$share, c(0.4 * 0.7, 0.6, 0.4 * 0.3), tolerance = 2e-3)
  expect_output(print(summary(fit)), "of each class: yes, and comply 0.2.*deny 0.1")
  expect_equal(AIC(logLik(fit)), glance(fit)$AIC, tolerance = 1e-12)
})

test_that("rows with holes are left out, whichever formula they are in", {
  people$wary[2:4] <- NA
  fit <- askance_regress(said ~ 1, people, asked, group = ~version, models = "sld", compliance = ~wary)
  expect_identical(nobs(fit), nrow(people) - 4L)
  expect_error(askance_regress(said ~ 1, people, asked, group = ~version, models = "sld", compliance = ~wary,
                               missing = "refuse"), "holes in row")
})

test_that("columns that both formulas have are one, and groups may be named by numbers", {
  set.seed(12)
  whole$age <- rnorm(nrow(whole), 40, 10)
  how <- list(said ~ age, whole, asked, group = ~version, models = "sld", compliance = ~ age + factor(wary))
  fit <- do.call(askance_regress, how)
  expect_named(coef(fit), c("yes: (Intercept)", "yes: age", "deny: (Intercept)", "deny: age", "deny: factor(wary)1"))
  how[[2]]$version <- c(few = "01", many = "1")[whole$version]
  how[[3]] <- list(`01` = asked$few, `1` = asked$many)
  expect_equal(coef(do.call(askance_regress, how)), coef(fit))
})

test_that("groups asked differently are a plain regression where everybody complies", {
  fit <- askance_regress(said ~ wary, whole, asked, group = ~version)
  expect_named(coef(fit), c("(Intercept)", "wary"))
  expect_equal(nobs(fit), nrow(whole))
  several <- list(a = rr_forced(forced = list(low = "1/6", mid = "1/6", high = 0)), b = rr_direct(c("low", "mid", "high")))
  said <- data.frame(said = rep(c("low", "mid", "high"), 40), group = rep(c("a", "b"), 60))
  fit <- askance_regress(said ~ 1, said, several, group = ~group)
  expect_equal(sum(fit$prevalence$share), 1)
  expect_equal(colSums(t(predict(fit))), rep(1, 120), ignore_attr = TRUE)
})

test_that("groups may have written chances, and answers with any sign", {
  chances <- function(yes, no) {
    rr_chances(matrix(c("1", yes, "0", no), 2, dimnames = list(c("yes, [often]", "no"), c("yes", "no"))))
  }
  written <- list(few = chances("1/6", "5/6"), many = chances("5/6", "1/6"))
  ask <- function(mechanism) askance_regress(said ~ 1, whole, mechanism, group = ~version)
  expect_equal(coef(ask(written)), coef(ask(asked)), tolerance = 1e-6)
  expect_equal(ask(written)$prevalence$share, ask(asked)$prevalence$share, tolerance = 1e-6)
})

test_that("what cannot be meant is refused", {
  ask <- function(...) askance_regress(said ~ 1, whole, ...)
  expect_error(ask(asked, models = "sld"), "how the question was asked")
  expect_error(ask(asked[1], group = ~version), "a list of mechanisms whose names are the groups")
  expect_error(ask(unname(asked), group = ~version), "a list of mechanisms whose names are the groups")
  expect_error(ask(asked, group = ~version, compliance = ~wary), "no models")
  expect_error(ask(asked, group = ~version, models = "sl"), "did you mean 'sld'")
  expect_error(ask(list(few = asked$few, lots = asked$many), group = ~version), "the names of mechanism: few, lots")
  expect_error(ask(list(few = asked$few, many = rr_warner(0.75, answers = c("a", "b"))), group = ~version), "the same answers")
  expect_error(ask(rr_one_sided("1/6"), models = "sld"), "reports that distinguish answers and kinds of people")
})

test_that("the stochastic lie detector is RRreg's, which tells the share of carriers who tell the truth", {
  lie <- data.frame(said = rep(c("yes", "no"), 2), version = rep(c("few", "many"), each = 2), n = c(440, 560, 800, 200))
  asked <- list(few = rr_one_sided(0.2), many = rr_one_sided(0.8))
  fit <- askance_regress(said ~ 1, lie, asked, group = ~version, models = "sld", counts = ~n)
  known <- peers[["RRlog SLD"]]
  expect_equal(as.numeric(logLik(fit)), known$log_likelihood, tolerance = 1e-9)
  expect_equal(coef(fit)[["yes: (Intercept)"]], known$value[1], tolerance = 1e-4)
  expect_equal(plogis(-coef(fit)[["deny: (Intercept)"]]), known$value[2], tolerance = 1e-5)
  expect_equal(sqrt(diag(vcov(fit)))[[1]], known$se[1], tolerance = 1e-4)
})
