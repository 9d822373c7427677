fit <- askance_estimate(~forced, practices, asked_by$forced)

test_that("an estimate has the methods of a fit", {
  expect_named(coef(fit), c("yes", "no"))
  expect_equal(sum(coef(fit)), 1)
  expect_identical(nobs(fit), sum(!is.na(practices$forced)))
  expect_identical(dim(vcov(fit)), c(2L, 2L))
  expect_identical(dimnames(confint(fit)), list(c("yes", "no"), c("2.5 %", "97.5 %")))
  expect_identical(rownames(confint(fit, "no")), "no")
  expect_error(confint(fit, level = 0.9), "estimate again")
  expect_named(as.data.frame(fit), c("answer", "share", "se", "lower", "upper"))
  expect_output(print(fit), "1,191 reports")
  expect_output(print(summary(fit)), "as precise as so many plain answers")
})

test_that("a level reaches the program with every digit", {
  level <- 1 - 0.05 / 7
  expect_identical(askance_estimate(~forced, practices, asked_by$forced, level = level)$level, level)
})

test_that("an estimate is tidy", {
  told <- tidy(fit)
  expect_named(told, c("term", "estimate", "std.error", "conf.low", "conf.high"))
  expect_identical(told$estimate, unname(coef(fit)))
  expect_named(tidy(fit, conf.int = FALSE), c("term", "estimate", "std.error"))
  expect_identical(nrow(glance(fit)), 1L)
  expect_identical(glance(fit)$nobs, nobs(fit))
})

test_that("factors, names with dots and other values are taken, by name", {
  people <- data.frame(
    "my.forced" = factor(practices$forced), number = as.integer(practices$forced == "yes"),
    logical = practices$forced == "yes", check.names = FALSE
  )
  expect_identical(coef(askance_estimate("my.forced", people, asked_by$forced)), coef(fit))
  for (column in c("number", "logical")) {
    expect_error(askance_estimate(column, people, asked_by$forced), "say which value means which")
  }
  expect_identical(coef(askance_estimate(~number, people, asked_by$forced, reports = c(yes = 1, no = 0))), coef(fit))
  expect_identical(coef(askance_estimate(~logical, people, asked_by$forced, reports = c(yes = TRUE, no = FALSE))), coef(fit))
  by_number <- rr_forced("1/6", "1/6", answers = c(1, 0))
  expect_identical(unname(coef(askance_estimate(~number, people, by_number))), unname(coef(fit)))
})

test_that("strata and clusters are kept apart by their texts", {
  known <- askance_estimate(~forced, practices, asked_by$forced, strata = ~region, clusters = ~school)
  odd <- transform(practices, region = c(north = "NA", middle = "01", south = "1")[region], school = paste0("0", sub("s", "", school)))
  found <- askance_estimate(~forced, odd, asked_by$forced, strata = ~region, clusters = ~school)
  expect_equal(vcov(found), vcov(known))
})

test_that("several answers have several shares", {
  set.seed(1)
  said <- sample(c("a", "b", "c"), 300, TRUE, c(0.5, 0.3, 0.2))
  fit <- askance_estimate(~said, data.frame(said), rr_kary(truth = 0.8, answers = c("a", "b", "c")))
  expect_equal(unname(coef(fit)), (as.vector(table(said)) / 300 - 0.1) / 0.7, tolerance = 1e-12)
})

test_that("groups are estimated apart, in their order, and small ones are told", {
  people <- transform(practices, region = factor(region, c("south", "north", "middle")), one = school == "s01")
  told <- askance_estimate(~forced, people, asked_by$forced, by = ~ region + one)
  expect_identical(as.character(told$groups$region), c("south", "north", "north", "middle"))
  expect_identical(told$groups$one, c(FALSE, FALSE, TRUE, FALSE))
  expect_identical(told$groups$small, c(FALSE, FALSE, TRUE, FALSE))
  alone <- askance_estimate(~forced, subset(people, region == "south"), asked_by$forced)
  expect_equal(coef(told$estimates[[1]]), coef(alone))
  expect_equal(vcov(told$estimates[[1]]), vcov(alone))
  expect_identical(nrow(as.data.frame(told)), 8L)
  expect_named(tidy(told, conf.int = FALSE), c("region", "one", "term", "estimate", "std.error"))
  expect_output(print(told), "small: effective n below 30")
  expect_error(askance_estimate(~forced, people, asked_by$forced, by = ~age), "missing values")
  expect_error(askance_estimate(~forced, transform(people, se = 1), asked_by$forced, by = ~se), "another name")
  expect_error(tidy(told, conf.level = 0.9), "estimate again")
})

test_that("what cannot be meant is refused", {
  estimate <- function(...) askance_estimate(data = practices, mechanism = asked_by$forced, ...)
  expect_error(estimate(~nothing), "columns of data")
  expect_error(estimate(~ forced + warner), "the name of one column")
  expect_error(estimate(forced ~ warner), "one side")
  expect_error(estimate(~forced, level = 95), "a number in \\(0, 1\\)")
  expect_error(estimate(~forced, weights = ~age), "missing values in age")
  expect_error(estimate(~forced, weights = ~ 1 / weight), "a new column first")
  expect_error(estimate(~kuk), "the mechanism's reports")
  expect_error(estimate(~forced, reports = c(1, 0)), "a name for each value")
  expect_error(estimate(~forced, reports = c(maybe = "yes", no = "no")), "the mechanism's reports")
  expect_error(askance_estimate(~forced, practices, "forced"), "how the question was asked")
  expect_error(askance_estimate(~forced, as.list(practices), asked_by$forced), "a data frame")
  expect_error(askance_estimate(~forced, practices[0, ], asked_by$forced), "no row")
  expect_error(askance_estimate(~said, data.frame(said = NA), asked_by$forced), "at least one report")
})

test_that("a table of counts is what its people are, one by one", {
  counted <- as.data.frame(table(said = practices$forced), responseName = "people")
  told <- askance_estimate(~said, counted, asked_by$forced, counts = ~people)
  expect_identical(coef(told), coef(fit))
  expect_identical(nobs(told), nobs(fit))
  expect_error(askance_estimate(~said, counted, asked_by$forced, counts = ~said), "a whole number of people")
  expect_error(askance_estimate(~said, transform(counted, people = 0.5), asked_by$forced, counts = ~people), "whole numbers")
})

test_that("a methods paragraph names the mechanism and its sources", {
  told <- askance_estimate(~forced, practices, asked_by$forced, clusters = ~school, methods = TRUE)
  expect_match(told$methods$text, "the truth was told with chance 2/3")
  expect_match(told$methods$text, "clusters (school)", fixed = TRUE)
  expect_true(any(grepl("Askance|19[0-9][0-9]", told$methods$references)))
  expect_output(print(told$methods), "References")
  expect_null(fit$methods)
  expect_error(askance_estimate(~forced, practices, asked_by$forced, by = ~region, methods = TRUE), "one estimate")
  expect_error(askance_estimate(~forced, practices, asked_by$forced, methods = "yes"), "TRUE or FALSE")
})

test_that("replicate weights are taken by their kind, as survey takes them", {
  schools <- sort(unique(practices$school))
  people <- practices
  for (at in seq_along(schools)) { # a school left out at a time, the others of its region weighing more
    mine <- people$school == schools[at]
    region <- people$region == people$region[mine][1]
    m <- length(unique(people$school[region]))
    people[[paste0("rep", at)]] <- people$weight * ifelse(mine, 0, ifelse(region, m / (m - 1), 1))
  }
  m <- length(schools) / 3
  asked <- list(~crosswise, people, asked_by$crosswise, weights = ~weight)
  fit <- do.call(askance_estimate, c(asked, replicates = paste0((m - 1) / m, ":rep*")))
  linear <- do.call(askance_estimate, c(asked, strata = ~region, clusters = ~school))
  expect_equal(coef(fit), coef(linear), tolerance = 1e-9)
  expect_equal(sqrt(diag(vcov(fit))), sqrt(diag(vcov(linear))), tolerance = 1e-2)
  score <- (as.integer(people$crosswise == "both or neither") - 0.75) / (0.25 - 0.75)
  whole <- weighted.mean(score, people$weight)
  each <- vapply(seq_along(schools), function(at) weighted.mean(score, people[[paste0("rep", at)]]), 0)
  expect_equal(sqrt(vcov(fit)[1, 1]), sqrt((m - 1) / m * sum((each - mean(each))^2)), tolerance = 1e-6)
  line <- askance_regress(crosswise ~ female, people, asked_by$crosswise, weights = ~weight,
                          replicates = paste0((m - 1) / m, ":rep*"))
  expect_match(line$errors, "replicate")
  refused <- function(given) askance_estimate(~crosswise, people, asked_by$crosswise, weights = ~weight, replicates = given)
  expect_error(refused("rep*"), "a kind and its columns")
  expect_error(refused("jk1:nothing*"), "columns of data")
  expect_error(refused("jk1:region"), "columns of numbers")
})

test_that("a reading says what entries stand for, in a data frame too", {
  file <- tempfile(fileext = ".toml")
  writeLines(c('missing = ["99"]', 'recode = { 1 = "yes", 2 = "no", 9 = "" }', "", "[columns.age]",
               'kind = "number"', 'missing = ["refused"]'), file)
  coded <- practices
  coded$forced <- c(yes = 1, no = 2)[practices$forced]
  coded$forced[is.na(coded$forced)] <- 9
  read <- askance_estimate(~forced, coded, asked_by$forced, reading = file)
  expect_identical(coef(read), coef(fit))
  expect_identical(nobs(read), nobs(fit))
  aged <- transform(coded, age = ifelse(seq_along(age) == 1, "refused", as.character(age)))
  holed <- transform(practices, age = replace(age, 1, NA))
  expect_equal(coef(askance_regress(forced ~ age, aged, asked_by$forced, reading = file)),
               coef(askance_regress(forced ~ age, holed, asked_by$forced)))
  expect_error(askance_estimate(~forced, coded["forced"], asked_by$forced, reading = file), "no column 'age'")
  expect_error(askance_estimate(~forced, coded, asked_by$forced, reading = "nowhere.toml"), "the path of a reading")
  writeLines(c("[columns.forced]", 'kind = "number"'), file)
  expect_error(askance_estimate(~forced, practices, asked_by$forced, reading = file), "numbers, as the reading says")
})
