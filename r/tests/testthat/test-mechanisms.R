test_that("every mechanism has the reports that the program has for it", {
  mechanisms <- c(asked_by, list(
    rr_direct(), rr_kary(0.75, answers = c("a", "b", "c")), rr_forced(forced = c(a = 0.1, b = 0.2, c = 0.1)),
    rr_one_sided(0.25), rr_hidden(c("1/4", "1/4", "1/2"), answers = c("a", "b", "c")), rr_christofides(c("1/2", "1/3", "1/6")), rr_diagonal(harmless = c("1/2", "1/3", "1/6"), answers = c("a", "b", "c")), rr_chances(rbind(yes = c(often = "2/3", seldom = "1/3"), no = c("1/4", "3/4")))
  ))
  for (mechanism in mechanisms) {
    said <- data.frame(said = rep(mechanism$reports, length.out = 60))
    expect_identical(names(coef(askance_estimate(~said, said, mechanism))), mechanism$answers)
    columns <- list(answer = c("none of these", mechanism$reports))
    refused <- tryCatch(askance:::analyse("estimate", columns, askance:::mechanism_of(list(mechanism)),
                                          list(column = "answer")), error = conditionMessage)
    expect_match(refused, paste("allowed:", paste(mechanism$reports, collapse = ", ")), fixed = TRUE)
  }
})

test_that("fractions and names reach the program as they are", {
  odd <- c("a \"b\"", "c\\d, {e}", "f = [g]: 1/2", "\u00e9 \u00bd", ".5")
  mechanism <- rr_forced(forced = stats::setNames(rep("1/10", 5), odd))
  said <- data.frame(said = rep(odd, 12:8))
  fit <- askance_estimate(~said, said, mechanism)
  expect_identical(names(coef(fit)), odd)
  expect_equal(unname(coef(fit)), (12:8 / 50 - 0.1) / 0.5, tolerance = 1e-9)
  table <- matrix(c("1/2", "0", "1/2", "1"), 2, dimnames = list(odd[1:2], odd[3:4]))
  expect_identical(names(coef(askance_estimate(~said, data.frame(said = odd[c(3, 4, 4)]), rr_chances(table)))), odd[1:2])
})

test_that("a mechanism says what it is", {
  expect_output(print(rr_crosswise(0.25)), "crosswise (harmless = 0.25)", fixed = TRUE)
  expect_output(print(rr_christofides(c(0.5, 0.3, 0.2))), "christofides (marks = 0.5, 0.3, 0.2)", fixed = TRUE)
  expect_output(print(rr_chances(rbind(a = c(x = 1, y = 0), b = c(0, 1)))), "written chances")
  expect_output(print(rr_kuk(0.8, 0.2)), "reports: red, black")
})

test_that("what makes no mechanism is refused", {
  expect_error(rr_warner(), "one of truth, epsilon")
  expect_error(rr_warner(truth = 0.7, epsilon = 1), "one of truth, epsilon")
  expect_error(rr_warner(0.7, answers = "yes"), "two or more names")
  expect_error(rr_chances(matrix(1, 2, 2)), "have names")
  expect_error(askance:::mechanism_of(list(rr_warner(truth = c(0.6, 0.7)))), "one chance")
})
