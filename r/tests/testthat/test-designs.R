test_that("every design has the reports that the program has for it", {
  designs <- c(asked_by, list(
    rr_direct(), rr_kary(0.75, answers = c("a", "b", "c")), rr_forced(forced = c(a = 0.1, b = 0.2, c = 0.1)),
    rr_one_sided(0.25), rr_hidden(c("1/4", "1/4", "1/2"), answers = c("a", "b", "c")), rr_christofides(c("1/2", "1/3", "1/6")), rr_chances(rbind(yes = c(often = "2/3", seldom = "1/3"), no = c("1/4", "3/4")))
  ))
  for (design in designs) {
    folder <- tempfile()
    dir.create(folder)
    asked <- file.path(folder, "design.toml")
    askance:::write_lines(askance:::survey_text(design), asked)
    askance:::ask("publish", asked)
    question <- jsonlite::fromJSON(file.path(folder, "design.form.json"))$questions
    expect_identical(question$reports[[1]]$name, design$reports)
    expect_identical(question$answers[[1]]$name, design$answers)
    unlink(folder, recursive = TRUE)
  }
})

test_that("fractions and names reach the program as they are", {
  text <- askance:::survey_text(rr_forced(forced = c("a \"b\"" = "1/6", "c\\d" = "1/6", "\u00e9" = 0.1)))
  expect_identical(text[9], 'answers = ["a \\"b\\"", "c\\\\d", "\u00e9"]')
  expect_match(text[10], '"a \\"b\\"" = "1/6"', fixed = TRUE)
})

test_that("a design says what it is", {
  expect_output(print(rr_crosswise(0.25)), "crosswise (harmless = 0.25)", fixed = TRUE)
  expect_output(print(rr_christofides(c(0.5, 0.3, 0.2))), "christofides (marks = 0.5, 0.3, 0.2)", fixed = TRUE)
  expect_output(print(rr_chances(rbind(a = c(x = 1, y = 0), b = c(0, 1)))), "written chances")
  expect_output(print(rr_kuk(0.8, 0.2)), "reports: red, black")
})

test_that("what makes no design is refused", {
  expect_error(rr_warner(), "one of truth, epsilon")
  expect_error(rr_warner(truth = 0.7, epsilon = 1), "one of truth, epsilon")
  expect_error(rr_warner(0.7, answers = "yes"), "two or more names")
  expect_error(rr_chances(matrix(1, 2, 2)), "have names")
  expect_error(askance:::survey_text(rr_warner(truth = c(0.6, 0.7))), "one chance")
})
