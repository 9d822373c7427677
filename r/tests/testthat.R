library(testthat)
library(askance)

test_check("askance")
