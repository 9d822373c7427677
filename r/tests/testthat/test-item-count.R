ask_list <- function(formula, data = practices, ...) {
  askance_item_count(formula, data, list = ~list, control = "short", items = 3, ...)
}

test_that("the difference in means is that of list, but for its HC3 errors", {
  fit <- ask_list(~items)
  expect_equal(unname(coef(fit)), peers[["ictreg lm"]]$value, tolerance = 1e-9)
  expect_equal(unname(sqrt(diag(vcov(fit)))), peers[["ictreg lm"]]$se, tolerance = 1e-3)
  expect_identical(nobs(fit), 1200L)
  expect_output(print(summary(fit)), "difference in means")
  expect_named(tidy(fit), c("term", "estimate", "std.error", "conf.low", "conf.high"))
})

test_that("the regression is that of list, whose algorithm stops a little early", {
  fit <- ask_list(items ~ age + female)
  known <- peers[["ictreg ml"]]
  expect_equal(as.numeric(logLik(fit)), known$log_likelihood, tolerance = 1e-9)
  errors <- unname(sqrt(diag(vcov(fit))))
  expect_lt(max(abs(unname(coef(fit)) - known$value) / errors), 1e-3)
  expect_equal(errors, known$se, tolerance = 1e-3)
  expect_named(coef(fit), paste0(rep(c("long: ", "control: "), each = 3), c("(Intercept)", "age", "female")))
  expect_equal(mean(predict(fit)), fit$prevalence$share, tolerance = 1e-12)
})

test_that("least squares are those of list, which stops a little early and divides by n, or takes HC3", {
  n <- sum(!is.na(practices$age) & !is.na(practices$items))
  for (method in c("nls", "lm")) {
    fit <- ask_list(items ~ age + female, method = method)
    known <- peers[[paste("ictreg", method, "regression")]]
    errors <- unname(sqrt(diag(vcov(fit))))
    expect_lt(max(abs(unname(coef(fit)) - known$value) / errors), 1e-3)
    expect_equal(errors * if (method == "nls") sqrt((n - 1) / n) else 1, known$se, tolerance = 1e-2)
    expect_equal(mean(predict(fit)), fit$prevalence$share, tolerance = 1e-12)
    expect_true(is.na(logLik(fit)))
    expect_true(is.na(glance(fit)$AIC))
    expect_false(grepl("log-likelihood", paste(capture.output(print(summary(fit))), collapse = "")))
  }
  expect_error(ask_list(~items, method = "nls"), "none without covariates")
})

test_that("a complex sample and a missing count are taken", {
  people <- practices
  people$items[1:5] <- NA
  fit <- ask_list(~items, people, weights = ~weight, strata = ~region, clusters = ~school)
  expect_identical(nobs(fit), 1195L)
  with_counts <- subset(people, !is.na(items))
  means <- sapply(split(with_counts, with_counts$list), function(part) weighted.mean(part$items, part$weight))
  expect_equal(unname(coef(fit)), means[["long"]] - means[["short"]])
})

test_that("holes are refused where that is asked", {
  expect_error(ask_list(items ~ age, missing = "refuse"), "holes in row")
  people <- practices
  people$items[1] <- NA
  expect_error(ask_list(~items, people, missing = "refuse"), "row")
})

test_that("what cannot be meant is refused", {
  expect_error(ask_list("items"), "~ items, or")
  expect_error(ask_list(~ items + age), "the name of one column")
  expect_error(ask_list(log(items) ~ age), "the column of counts on the left")
  expect_error(askance_item_count(~items, practices, list = ~list, control = "none", items = 3), "control")
  expect_error(askance_item_count(~items, practices, list = ~list, control = "short", items = 2), "whole number")
  expect_error(ask_list(items ~ age, misreport = "never"), "should be one of")
})
