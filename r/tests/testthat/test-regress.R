fit <- askance_regress(forced ~ age + region * female, practices, asked_by$forced)

test_that("a regression has the methods of a fit", {
  whole <- stats::na.omit(practices[c("forced", "age")])
  expect_identical(names(coef(fit)), colnames(model.matrix(~ age + region * female, practices)))
  expect_identical(nobs(fit), nrow(whole))
  expect_equal(AIC(fit), fit$aic)
  expect_equal(BIC(fit), fit$aic + (log(nobs(fit)) - 2) * length(coef(fit)))
  expect_equal(unname(confint(fit)), unname(as.matrix(fit$conf.int)))
  expect_equal(rownames(confint(fit, "age")), "age")
  expect_equal(formula(fit), forced ~ age + region * female, ignore_formula_env = TRUE)
  expect_equal(summary(fit)$coefficients[, 4], 2 * pnorm(-abs(summary(fit)$coefficients[, 3])))
  expect_output(print(fit), "logit of the share of yes")
  expect_output(print(summary(fit)), "21 rows with something missing left out")
})

test_that("a regression is tidy", {
  expect_named(tidy(fit), c("term", "estimate", "std.error", "statistic", "p.value"))
  expect_equal(tidy(fit, conf.int = TRUE, conf.level = 0.9)$conf.low, unname(confint(fit, level = 0.9)[, 1]))
  expect_identical(glance(fit)$nobs, nobs(fit))
  expect_equal(augment(fit)$.fitted, unname(predict(fit)))
  expect_identical(nrow(augment(fit, practices)), nobs(fit))
  expect_identical(nrow(augment(fit, newdata = practices[1:3, ])), 3L)
})

test_that("predictions are those whose mean the program tells, by every link", {
  for (link in c("logit", "probit", "loglog", "cloglog")) {
    fit <- askance_regress(warner ~ age, practices, asked_by$warner, link = link)
    expect_equal(mean(predict(fit)), fit$prevalence$share[1], tolerance = 1e-12)
  }
  one <- predict(fit, data.frame(age = 15), se.fit = TRUE)
  eta <- sum(coef(fit) * c(1, 15))
  expect_equal(unname(one$fit), 1 - exp(-exp(eta)))
  expect_equal(unname(one$se.fit), exp(eta - exp(eta)) * sqrt(drop(c(1, 15) %*% vcov(fit) %*% c(1, 15))), tolerance = 1e-6)
  expect_equal(unname(predict(fit, data.frame(age = 15), type = "link")), eta)
})

test_that("several answers have odds against the last, or an order", {
  set.seed(2)
  people <- data.frame(said = sample(c("a", "b", "c"), 600, TRUE), x = rnorm(600), who = gl(2, 1, 600, c("f", "m")))
  design <- rr_kary(truth = 0.8, answers = c("a", "b", "c"))
  odds <- askance_regress(said ~ x + who, people, design)
  expect_named(coef(odds), paste0(rep(c("a: ", "b: "), each = 3), c("(Intercept)", "x", "whom")))
  expect_equal(unname(colMeans(predict(odds))), odds$prevalence$share, tolerance = 1e-12)
  expect_error(predict(odds, type = "link"), "response")
  ordered <- askance_regress(said ~ x + who, people, design, ordered = TRUE, link = "loglog")
  expect_named(coef(ordered), c("a | b", "b | c", "x", "whom"))
  expect_equal(unname(colMeans(predict(ordered))), ordered$prevalence$share, tolerance = 1e-12)
  expect_error(predict(ordered, type = "link"), "response")
  numbered <- transform(people, said = c(a = "x1", b = "x2", c = "x3")[said])
  design <- rr_kary(truth = 0.8, answers = c("x1", "x2", "x3"))
  expect_named(coef(askance_regress(said ~ x, numbered, design, ordered = TRUE)), c("x1 | x2", "x2 | x3", "x"))
  expect_named(augment(ordered, newdata = people[1:2, ])[4:9], c(paste0(".fitted.", c("a", "b", "c")), paste0(".se.fit.", c("a", "b", "c"))))
})

test_that("an intercept alone gives the share", {
  alone <- askance_regress(forced ~ 1, practices, asked_by$forced)
  expect_equal(plogis(coef(alone)[["(Intercept)"]]), peers[["RRuni forced"]]$value, tolerance = 1e-9)
})

test_that("R's own formulas and contrasts are kept", {
  again <- askance_regress(forced ~ poly(age, 2) + factor(region), stats::na.omit(practices), asked_by$forced,
                           contrasts = list("factor(region)" = "contr.sum"))
  expect_named(coef(again), c("(Intercept)", "poly(age, 2)1", "poly(age, 2)2", "factor(region)1", "factor(region)2"))
  expect_equal(unname(predict(again, practices[3, ])), unname(predict(again)["3"]))
})

test_that("what cannot be meant is refused", {
  regress <- function(formula, ...) askance_regress(formula, practices, asked_by$forced, ...)
  expect_error(regress(~age), "the column of reports on the left")
  expect_error(regress(log(age) ~ female), "the column of reports on the left")
  expect_error(regress(forced ~ age - 1), "an intercept")
  expect_error(regress(forced ~ age + offset(female)), "covariates alone")
  expect_error(regress(forced ~ age + I(2 * age)), "do not follow from the others")
  expect_error(regress(forced ~ age, link = "log"), "should be one of")
  expect_error(regress(kuk ~ age), "the design's reports")
  expect_error(askance_regress(forced ~ age, transform(practices, age = NA_real_), asked_by$forced), "every row")
  expect_error(regress(forced ~ age, level = 2), "a number in \\(0, 1\\)")
})

test_that("rows with holes are refused where that is asked", {
  expect_error(askance_regress(forced ~ age, practices, asked_by$forced, missing = "refuse"), "holes in row")
  whole <- stats::na.omit(practices[c("forced", "age")])
  strict <- askance_regress(forced ~ age, whole, asked_by$forced, missing = "refuse")
  expect_equal(coef(strict), coef(askance_regress(forced ~ age, practices, asked_by$forced)))
})

test_that("each group has a regression, as a domain of the sample", {
  told <- askance_regress(forced ~ age, practices, asked_by$forced, by = ~region)
  expect_identical(told$groups$region, c("middle", "north", "south"))
  south <- askance_regress(forced ~ age, subset(practices, region == "south"), asked_by$forced)
  expect_equal(coef(told$fits[[3]]), coef(south))
  expect_identical(nobs(told$fits[[3]]), nobs(south))
  expect_equal(predict(told$fits[[3]]), predict(south))
  expect_named(tidy(told), c("region", "term", "estimate", "std.error", "statistic", "p.value"))
  expect_identical(nrow(tidy(told, conf.int = TRUE)), 6L)
  expect_identical(nrow(as.data.frame(told)), 6L)
  expect_output(print(told), "region: south")
  drawn <- askance_regress(forced ~ age, practices, asked_by$forced, by = ~region, clusters = ~school)
  expect_equal(coef(drawn$fits[[3]]), coef(south), tolerance = 1e-6)
  expect_identical(drawn$fits[[3]]$df.residual, 8) # 10 schools, 2 coefficients
  people <- transform(practices, one = c(TRUE, rep(FALSE, 1199)))
  told <- askance_regress(forced ~ age, people, asked_by$forced, by = ~one)
  expect_identical(is.na(told$groups$refused), c(TRUE, FALSE))
  expect_output(print(told), "not estimated")
  expect_identical(nrow(tidy(told)), 2L)
})

test_that("a table of counts, and a methods paragraph with the formula as it was written", {
  counted <- as.data.frame(table(forced = practices$forced, female = practices$female), stringsAsFactors = FALSE)
  both <- askance_regress(forced ~ age + female, practices, asked_by$forced, methods = TRUE)
  expect_match(both$methods$text, "forced ~ age + female", fixed = TRUE)
  told <- askance_regress(forced ~ female, counted, asked_by$forced, counts = ~Freq, methods = TRUE)
  alone <- askance_regress(forced ~ female, transform(practices, female = factor(female)), asked_by$forced)
  expect_equal(unname(coef(told)), unname(coef(alone)), tolerance = 1e-6)
  expect_identical(nobs(told), nobs(alone))
  expect_match(told$methods$text, "forced ~ female", fixed = TRUE)
  expect_null(alone$methods)
})
