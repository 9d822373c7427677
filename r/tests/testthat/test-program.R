test_that("the program is found, and says its version", {
  expect_true(nzchar(askance_program()[1]))
  expect_identical(askance_version(), as.character(packageVersion("askance")))
})

test_that("a program of several words is kept as it is", {
  before <- options(askance.program = c("sh", "-c", "two words"))
  on.exit(options(before))
  expect_identical(askance_program()[-1], c("-c", "two words"))
})

test_that("where there is no program, the error says how to install it", {
  before <- options(askance.program = "no-such-askance")
  on.exit(options(before))
  expect_error(askance_version(), "pip install", class = "askance_not_found")
})

test_that("what the program refuses is an error of R, in its words", {
  expect_error(askance_estimate(~warner, practices, rr_warner(truth = 1.75)), "a probability in \\[0, 1\\]",
               class = "askance_error")
})

test_that("columns keep every digit and every text, and what is missing", {
  columns <- list(x = c(1 / 3, NA, 1e300, -0.1), seen = c("01", "NA", "", "1"), n = c(0L, 1L, 3L, 2L))
  path <- tempfile()
  on.exit(unlink(path))
  askance:::write_columns(columns, path)
  place <- file(path, "rb")
  head <- jsonlite::fromJSON(readLines(place, 1, encoding = "UTF-8"), simplifyVector = FALSE)
  expect_identical(vapply(head$columns, `[[`, "", "name"), names(columns))
  expect_identical(unlist(head$columns[[2]]$texts), columns$seen)
  cells <- matrix(readBin(place, "double", 13, endian = "little"), 4)
  close(place)
  expect_identical(cells[, 1], c(1 / 3, NaN, 1e300, -0.1) + 0)
  expect_identical(cells[, 2:3], cbind(1:4, c(0, 1, 3, 2)) + 0)
})

test_that("the program waits for the next call, in the same words as without", {
  skip_if_not_installed("processx")
  askance_quit()
  first <- askance_estimate(~warner, practices, asked_by$warner)
  refused <- function() tryCatch(askance_estimate(~warner, practices, rr_warner(truth = 2)), error = conditionMessage)
  whole <- refused()
  again <- askance_estimate(~warner, practices, asked_by$warner)
  expect_true(askance_quit())
  expect_false(askance_quit())
  before <- options(askance.resident = FALSE)
  on.exit(options(before))
  alone <- askance_estimate(~warner, practices, asked_by$warner)
  expect_identical(again$json, first$json)
  expect_identical(alone$json, first$json)
  expect_identical(refused(), whole)
  expect_false(askance_quit())
})

test_that("a program that ends is started anew, also one that ends after each answer", {
  skip_if_not_installed("processx")
  askance_version()
  askance:::waiting_program(askance_program())$kill()
  expect_identical(askance_version(), as.character(packageVersion("askance")))
  real <- askance_program()
  before <- options(askance.program = c("sh", "-c", paste("head -n 1 | exec", shQuote(real[1]), '"$@"'), "sh"))
  on.exit(options(before))
  for (call in 1:2) expect_identical(askance_version(), as.character(packageVersion("askance")))
})

test_that("a program that answers nothing is an error", {
  before <- options(askance.program = c("sh", "-c", "echo broken >&2; exit 3"))
  on.exit(options(before))
  expect_error(askance_version(), "broken", class = "askance_error")
})
