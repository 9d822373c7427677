forced <- asked_by$forced
by_region <- split(practices, practices$region)

test_that("groups are compared, each less the first, and their shares are those of each alone", {
  fit <- askance_compare(~forced, practices, forced, group = ~region)
  alone <- lapply(by_region, function(part) askance_estimate(~forced, part, forced))
  expect_equal(fit$groups$share, unlist(lapply(alone, coef)), ignore_attr = TRUE, tolerance = 1e-9)
  told <- subset(as.data.frame(fit), answer == "yes")
  expect_identical(told$group, c("north", "south"))
  expect_identical(told$than, c("middle", "middle"))
  shares <- vapply(alone, function(one) coef(one)[["yes"]], 0)
  expect_equal(told$difference, unname(shares[-1] - shares[[1]]), tolerance = 1e-9)
  expect_equal(coef(fit$pooled), coef(askance_estimate(~forced, practices, forced)), tolerance = 1e-6)
  # twice the log-likelihood that one share for all costs, of binomial counts of "yes"
  yes <- vapply(by_region, function(part) sum(part$forced == "yes", na.rm = TRUE), 0)
  n <- vapply(by_region, function(part) sum(!is.na(part$forced)), 0)
  most <- function(p) sum(dbinom(yes, n, p, log = TRUE))
  expect_equal(fit$test$statistic, 2 * (most(yes / n) - most(sum(yes) / sum(n))), tolerance = 1e-6)
  expect_equal(fit$test$p.value, pchisq(fit$test$statistic, 2, lower.tail = FALSE), tolerance = 1e-6)
  expect_output(print(fit), "shares are the same in all groups: statistic .*2 degrees of freedom")
})

test_that("groups that were asked by different mechanisms are compared, and samples are taken", {
  people <- transform(practices, how = ifelse(region == "north", "coin", "plain"))
  people$said <- ifelse(people$how == "coin", people$forced, people$direct)
  fit <- askance_compare("said", people, list(plain = rr_direct(), coin = forced), group = "how")
  plain <- mean(people$direct[people$how == "plain"] == "yes", na.rm = TRUE)
  expect_equal(fit$groups$share[1], plain, tolerance = 1e-9)
  expect_identical(unique(fit$differences$than), "plain")
  drawn <- askance_compare(~forced, practices, forced, group = ~female, weights = ~weight, strata = ~region,
                           clusters = ~school)
  expect_identical(unique(drawn$differences$group), "1")
  expect_gt(drawn$differences$se[1], 0)
  expect_error(askance_compare(~forced, practices, forced, group = ~age), "group: got missing values")
})

test_that("who does not comply is bounded where one way of asking leaves it open, and told by groups", {
  fit <- askance_compliance(~forced, practices, forced, models = "cheating", sensitivity = 0.1, steps = 2)
  share <- coef(askance_estimate(~forced, practices, forced))[["yes"]]
  expect_equal(fit$answers$low[1], share, tolerance = 1e-6)
  expect_equal(fit$answers$high[1], 1)
  expect_identical(fit$classes$answer, c("yes, and comply", "no, and comply", "cheat"))
  strip <- fit$sensitivity[[1]]
  expect_equal(unique(strip$noncompliant), c(0, 0.05, 0.1))
  expect_equal(strip$low[1:2], unname(c(share, 1 - share)), tolerance = 1e-6)
  expect_output(print(fit), "cheat 0.0000")
  # 1,000 in each group: 40 % carry it, of whom 20 % deny
  said <- function(forced_yes) rep(c("yes", "no"), round(1000 * c(0.32 + 0.6 * forced_yes, 0.68 - 0.6 * forced_yes)))
  people <- data.frame(said = c(said(0.2), said(0.8)), version = rep(c("few", "many"), each = 1000))
  asked <- list(few = rr_one_sided("1/5"), many = rr_one_sided("4/5"))
  fit <- askance_compliance(~said, people, asked, models = "sld", group = ~version)
  expect_equal(fit$classes$low, c(0.32, 0.6, 0.08), tolerance = 1e-6)
  expect_equal(fit$classes$high, fit$classes$low, tolerance = 1e-6)
})

test_that("bounds hold whatever is not known of people", {
  fit <- askance_bounds(~forced, practices, forced, nonresponse = TRUE, nonrespondents = 60)
  share <- coef(askance_estimate(~forced, practices, forced))[["yes"]]
  n <- sum(!is.na(practices$forced))
  expect_equal(fit$bounds$low[1], share * n / 1260, tolerance = 1e-6)
  expect_equal(fit$bounds$high[1], (share * n + 1260 - n) / 1260, tolerance = 1e-6)
  expect_identical(fit$nobs, 1260L)
  expect_output(print(fit), "among all who were asked.*1,260 people")
  monotone <- askance_bounds(~forced, practices, forced, nonresponse = TRUE, nonrespondents = 60, monotone_selection = "yes")
  expect_equal(monotone$bounds$low[1], share, tolerance = 1e-6)
  sets <- askance_bounds(~forced, practices, forced, sets = list(ever = "yes", all = c("yes", "no")))
  expect_identical(as.data.frame(sets)$answer, c("ever", "all"))
  expect_equal(sets$bounds$high[2], 1)
  lied <- askance_bounds(~forced, practices, forced, false_share = 0.1)
  expect_lt(lied$bounds$low[1], share)
  expect_error(askance_bounds(~forced, practices, forced), "--nonresponse, --false-share, --set")
})

test_that("small groups borrow from each other, and from those of which the same is known", {
  fit <- askance_small_areas(~forced, practices, forced, by = ~school)
  told <- subset(as.data.frame(fit), answer == "yes")
  expect_identical(told$school, sort(unique(practices$school)))
  schools <- split(practices, practices$school)
  direct <- vapply(schools, function(part) (mean(part$forced == "yes", na.rm = TRUE) - 1 / 6) / (2 / 3), 0)
  kept <- direct > 0
  expect_equal(told$direct[kept], unname(direct[kept]), tolerance = 1e-6)
  away <- abs(told$share - mean(told$share)) <= abs(told$direct - mean(told$share)) + 0.02
  expect_true(all(away))
  people <- transform(practices, size = as.integer(substr(school, 2, 3)) %% 4)
  known <- askance_small_areas(~forced, people, forced, by = ~ region + school, covariates = ~ factor(size), errors = "own")
  expect_true(all(c("region", "school", "answer", "share", "borrowed") %in% names(known$areas)))
  expect_equal(nrow(known$areas), 30)
  expect_output(print(known), "Shares by region, school")
  expect_error(askance_small_areas(~forced, people, forced, by = ~school, covariates = ~age), "missing values")
  expect_error(askance_small_areas(~forced, people, forced, by = ~school, errors = "own"), "without covariates")
})

test_that("a methods paragraph is written of each", {
  fit <- askance_compare(~forced, practices, forced, group = ~region, methods = TRUE)
  expect_s3_class(fit$methods, "askance_methods")
  expect_match(fit$methods$text, "Shares of 3 groups were estimated separately")
  expect_null(askance_bounds(~forced, practices, forced, nonresponse = TRUE)$methods)
})

test_that("each group of people is told by itself, as a domain of the sample", {
  told <- askance_bounds(~forced, practices, forced, nonresponse = TRUE, by = ~ region + female)
  expect_s3_class(told, "askance_by")
  expect_identical(as.character(told$groups$region), rep(c("middle", "north", "south"), each = 2))
  part <- subset(practices, region == "north" & female == 1)
  alone <- askance_bounds(~forced, part, forced, nonresponse = TRUE)
  expect_equal(told$fits[[4]]$bounds, alone$bounds)
  expect_identical(told$groups$reports[4], sum(!is.na(part$forced)))
  expect_named(as.data.frame(told), c("region", "female", "answer", "low", "high", "lower", "upper"))
  expect_identical(nrow(glance(told)), 6L)
  expect_output(print(told), "region: south, female: 1")

  told <- askance_compare(~forced, practices, forced, group = ~female, by = ~region)
  alone <- askance_compare(~forced, by_region$south, forced, group = ~female)
  expect_equal(told$fits[[3]]$differences, alone$differences)
  expect_identical(glance(told)$region, c("middle", "north", "south"))
  expect_equal(glance(told)$p.value[3], alone$test$p.value)

  told <- askance_compliance(~forced, practices, forced, models = "cheating", by = "region", clusters = ~school)
  alone <- askance_compliance(~forced, by_region$north, forced, models = "cheating", clusters = ~school)
  expect_equal(told$fits[[2]]$answers$low, alone$answers$low, tolerance = 1e-6)
  expect_error(askance_bounds(~forced, practices, forced, nonresponse = TRUE, by = ~region, methods = TRUE), "one estimate")
  expect_error(askance_compare(~forced, transform(practices, than = 1), forced, group = ~female, by = ~than), "another name")
})

test_that("a group of which nothing can be told is listed, with the reason", {
  people <- transform(practices, one = c("a", rep("b", 1199)))
  told <- askance_compare(~forced, people, forced, group = ~region, by = ~one)
  expect_identical(is.na(told$groups$refused), c(FALSE, TRUE))
  expect_identical(unique(tidy(told)$one), "b")
  expect_output(print(told), "not estimated: ")
})

test_that("all of them are tidy", {
  fit <- askance_compare(~forced, practices, forced, group = ~region)
  expect_named(tidy(fit), c("term", "contrast", "estimate", "std.error", "conf.low", "conf.high"))
  expect_identical(tidy(fit)$contrast, rep(c("north - middle", "south - middle"), each = 2))
  expect_identical(tidy(fit)$conf.low, fit$differences$lower)
  expect_error(tidy(fit, conf.level = 0.9), "estimate again")
  expect_identical(glance(fit)$p.value, fit$test$p.value)
  expect_identical(glance(fit)$nobs, sum(!is.na(practices$forced)))

  fit <- askance_compliance(~forced, practices, forced, models = "cheating")
  expect_named(tidy(fit), c("component", "term", "low", "high", "conf.low", "conf.high"))
  expect_identical(tidy(fit)$term, c(fit$answers$answer, fit$classes$answer))
  expect_identical(glance(fit)$df, 0L)
  expect_true(is.na(glance(fit)$p.value))

  fit <- askance_bounds(~forced, practices, forced, nonresponse = TRUE)
  expect_named(tidy(fit, conf.int = FALSE), c("term", "low", "high"))
  expect_identical(glance(fit)$nobs, nrow(practices))

  fit <- askance_small_areas(~forced, practices, forced, by = ~ region + female)
  expect_named(tidy(fit), c("region", "female", "term", "estimate", "std.error", "conf.low", "conf.high"))
  expect_identical(tidy(fit)$estimate, fit$areas$share)
  expect_identical(glance(fit)$areas, 6L)

  shares <- askance_estimate(~forced, practices, forced, by = ~region)
  expect_identical(glance(shares)$nobs, shares$groups$reports)
  fits <- askance_regress(forced ~ age, practices, forced, by = ~region)
  expect_equal(glance(fits)$logLik[2], fits$fits[[2]]$log_likelihood)
})
