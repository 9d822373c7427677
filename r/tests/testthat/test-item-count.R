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

test_that("groups are told apart, as domains of the sample", {
  parts <- split(practices, practices$region)
  fit <- ask_list(~items, by = ~region)
  alone <- lapply(parts, function(part) ask_list(~items, part))
  expect_s3_class(fit, "askance_by")
  expect_identical(fit$groups$region, names(parts))
  expect_identical(fit$groups$rows, vapply(alone, nobs, 0L, USE.NAMES = FALSE))
  expect_equal(vapply(fit$fits, coef, 0), vapply(alone, coef, 0), ignore_attr = TRUE, tolerance = 1e-12)
  expect_equal(tidy(fit)$std.error, vapply(alone, function(one) tidy(one)$std.error, 0, USE.NAMES = FALSE), tolerance = 1e-9)
  drawn <- ask_list(~items, weights = ~weight, strata = ~region, clusters = ~school, by = c("female", "region"))
  expect_identical(nrow(drawn$groups), 6L)
  girls <- subset(practices, female == 1 & region == "north")
  means <- sapply(split(girls, girls$list), function(part) weighted.mean(part$items, part$weight))
  at <- which(drawn$groups$female == 1 & drawn$groups$region == "north")
  expect_equal(unname(coef(drawn$fits[[at]])), means[["long"]] - means[["short"]], tolerance = 1e-12)
  expect_output(print(fit), "region: north.*difference in means")
})

test_that("a regression of each group is that of its rows, and one that cannot be is told why", {
  fit <- ask_list(items ~ age, by = ~female)
  expect_s3_class(fit, "askance_regressions")
  for (at in 1:2) {
    alone <- ask_list(items ~ age, subset(practices, female == at - 1))
    expect_equal(coef(fit$fits[[at]]), coef(alone), tolerance = 1e-6)
    expect_equal(mean(predict(fit$fits[[at]])), alone$prevalence$share, tolerance = 1e-6)
    expect_identical(nobs(fit$fits[[at]]), nobs(alone))
  }
  expect_identical(unique(tidy(fit)$female), 0:1)
  people <- transform(practices, few = ifelse(seq_len(nrow(practices)) < 3, "few", "many"))
  people$list[people$few == "few"] <- "long"
  few <- ask_list(~items, people, by = ~few)
  expect_match(few$groups$refused[1], "the control group")
  expect_true(is.na(few$groups$refused[2]))
  expect_null(few$fits[[1]])
  effect <- ask_list(items ~ 1, outcome = ~age, by = ~female)
  expect_identical(class(effect$fits[[1]])[1], "askance_outcome")
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

test_that("mean shares are held at the difference in means", {
  means <- coef(ask_list(~items, subset(practices, !is.na(age))))
  for (method in c("nls", "lm", "ml")) {
    fit <- ask_list(items ~ age, method = method, anchored = TRUE)
    expect_equal(fit$prevalence$share, unname(means), tolerance = 1e-9)
    expect_equal(mean(predict(fit)), unname(means), tolerance = 1e-9)
  }
})

test_that("an outcome is regressed on the item, and predicted of those who have it and who have not", {
  fit <- ask_list(items ~ female, outcome = ~age)
  names <- c("outcome: (Intercept)", "outcome: long", "outcome: female", "long: (Intercept)", "long: female",
             "control: (Intercept)", "control: female")
  expect_named(coef(fit), names)
  expect_identical(dimnames(vcov(fit)), list(names, names))
  expect_identical(nobs(fit), sum(!is.na(practices$age)))
  expect_identical(attr(logLik(fit), "df"), 8L)
  expect_equal(glance(fit)$AIC, AIC(logLik(fit)))
  told <- predict(fit, data.frame(female = 1), se.fit = TRUE)
  expect_equal(told$fit[1, "holds"] - told$fit[1, "not"], coef(fit)[["outcome: long"]], ignore_attr = TRUE)
  expect_equal(told$se.fit[1, "not"]^2, sum(vcov(fit)[c(1, 3), c(1, 3)]), tolerance = 1e-6, ignore_attr = TRUE)
  expect_output(print(summary(fit)), "normal outcome.*12 rows with something missing left out")
  expect_named(augment(fit), c("items", "female", ".fitted.holds", ".fitted.not", ".se.fit.holds", ".se.fit.not"))
})

test_that("the outcome's law, and harmless items that go with the item, are taken", {
  people <- transform(practices, girl = female == 1)
  fit <- ask_list(items ~ 1, people, outcome = "girl", family = "logit", constrained = FALSE, errors = "robust")
  expect_named(coef(fit), c("outcome: (Intercept)", "outcome: long", "outcome: control items", "long: (Intercept)",
                            "control: (Intercept)", "control: long"))
  expect_identical(fit$errors, "robust")
  expect_identical(attr(logLik(fit), "df"), 6L)
  expect_error(predict(fit), "outcomes that no harmless item moves")
  drawn <- ask_list(items ~ 1, people, outcome = "girl", family = "logit", weights = ~weight, clusters = ~school)
  expect_equal(range(predict(drawn)), range(plogis(cumsum(coef(drawn)[1:2]))), tolerance = 1e-12)
  expect_error(ask_list(items ~ 1, outcome = ~forced), "numbers, or TRUE and FALSE")
  expect_error(ask_list(~items, outcome = ~age), "without --formula")
})

test_that("several items are predicted each, also where they go with the harmless ones", {
  set.seed(4)
  n <- 1500
  people <- data.frame(list = rep(c("tax", "none", "bribe"), n / 3), age = round(rnorm(n, 40, 10)))
  harmless <- rbinom(n, 3, 0.5)
  holds <- runif(n) < plogis(-1 + 0.03 * (people$age - 40) + 0.6 * harmless * (people$list == "tax"))
  people$said <- harmless + holds * (people$list != "none")
  for (condition in c("none", "level", "indicators")) {
    fit <- askance_item_count(said ~ age, people, ~list, "none", 3, condition = condition)
    told <- predict(fit, se.fit = TRUE)
    expect_identical(colnames(told$fit), c("bribe", "tax"))
    expect_equal(colMeans(told$fit), fit$prevalence$share, tolerance = 1e-9, ignore_attr = TRUE)
    expect_equal(dim(told$se.fit), c(n, 2L))
    expect_named(augment(fit)[3:6], c(".fitted.bribe", ".fitted.tax", ".se.fit.bribe", ".se.fit.tax"))
  }
  expect_error(predict(fit, type = "link"), "where items go with how many harmless ones hold")
  alone <- askance_item_count(said ~ age, subset(people, list != "tax"), ~list, "none", 3, condition = "level")
  expect_equal(mean(predict(alone)), alone$prevalence$share, tolerance = 1e-9)
  held <- askance_item_count(said ~ age, people, ~list, "none", 3, anchored = TRUE)
  expect_equal(held$prevalence$share, unname(coef(askance_item_count(~said, people, ~list, "none", 3))), tolerance = 1e-9)
  expect_true(is.na(logLik(held)))
  expect_error(askance_item_count(said ~ age, people, ~list, "none", 3, anchored = TRUE, condition = "level"), "anchored=True")
})

test_that("mean shares that are held are by what list's robust methods find, which are drawn close", {
  for (method in c("ml", "nls")) {
    fit <- ask_list(items ~ age + female, method = method, anchored = TRUE)
    known <- peers[[paste("ictreg robust", method)]]
    expect_equal(fit$prevalence$share, known$mean, tolerance = 1e-3)
    expect_lt(max(abs(unname(coef(fit)) - known$value) / sqrt(diag(vcov(fit)))), 0.1)
  }
})

test_that("an outcome's effect is by what list's joint model finds, which stops early", {
  fit <- ask_list(items ~ age, outcome = ~female, family = "logit")
  known <- peers[["ictreg.joint"]] # the item's effect comes last
  expect_gt(as.numeric(logLik(fit)), known$log_likelihood)
  expect_equal(as.numeric(logLik(fit)), known$log_likelihood, tolerance = 1e-5)
  expect_lt(max(abs(unname(coef(fit))[c(1, 3, 2)] - known$value) / known$se), 0.02)
})
