# The survey of the package, and what other packages of R found on it.
practices <- read.csv(system.file("extdata", "practices.csv", package = "askance"))
peers <- jsonlite::fromJSON("peers.json")

# The mechanisms that its questions were asked by.
asked_by <- list(
  forced = rr_forced(yes = "1/6", no = "1/6"), warner = rr_warner(truth = 0.75),
  crosswise = rr_crosswise(harmless = 0.25), triangular = rr_triangular(harmless = 0.25),
  unrelated = rr_unrelated(asked = 0.7, harmless = 0.4), mangat = rr_mangat(truth_if_no = 0.7),
  kuk = rr_kuk(red_if_yes = 0.8, red_if_no = 0.2)
)
