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

test_that("tables keep every digit, and quote what needs it", {
  path <- tempfile()
  on.exit(unlink(path))
  askance:::write_table(list(a = c(1 / 3, NA, 1e-300), "b.c" = c('say "x"', "1,5", NA), d = c(TRUE, NA, FALSE)), path)
  expect_identical(readLines(path, encoding = "UTF-8"), c(
    '"a","b.c","d"', '0.33333333333333331,"say ""x""","TRUE"', ',"1,5",', '1e-300,,"FALSE"'
  ))
  expect_identical(read.csv(path)$a[1], 1 / 3)
})
