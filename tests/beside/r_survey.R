# What R's survey says of its own data, api and scd, as JSON: designs, columns, totals, means, ratios.
suppressMessages(library(survey))
data(api)
data(scd)
horvitz <- if (nzchar(commandArgs(TRUE)[1])) read.csv(commandArgs(TRUE)[1]) else NULL

told <- function(found) {
  list(value = as.vector(coef(found)), variance = as.vector(as.matrix(vcov(found))))
}

asked <- function(design) {
  list(
    total = told(svytotal(~api00 + api99, design)),
    mean = told(svymean(~api00 + api99, design)),
    ratio = told(svyratio(~api.stu, ~api99, design)),
    share = told(svymean(~I(as.numeric(sch.wide == "Yes")), design)),
    domain = told(svymean(~api99, subset(design, stype == "E"))),
    df = degf(design)
  )
}

plain <- svydesign(id = ~dnum, weights = ~pw, data = apiclus1)
finite <- svydesign(id = ~dnum, weights = ~pw, data = apiclus1, fpc = ~fpc)
strata <- svydesign(id = ~1, strata = ~stype, weights = ~pw, data = apistrat, fpc = ~fpc)
types <- data.frame(stype = c("E", "H", "M"), Freq = c(4421, 755, 1018))
wide <- data.frame(sch.wide = c("No", "Yes"), Freq = c(1072, 5122))
designs <- list(
  strata = strata,
  clusters = plain,
  finite = finite,
  stages = svydesign(id = ~ dnum + snum, fpc = ~ fpc1 + fpc2, data = apiclus2),
  poststratified = postStratify(finite, ~stype, types),
  raked = rake(finite, list(~stype, ~sch.wide), list(types, wide)),
  jackknife = as.svrepdesign(plain),
  "jackknife in strata" = as.svrepdesign(svydesign(
    id = ~1, strata = ~stype, weights = ~pw, data = apistrat
  ))
)
halves <- 2 * cbind(c(1, 0, 1, 0, 1, 0), c(1, 0, 0, 1, 0, 1), c(0, 1, 1, 0, 0, 1), c(0, 1, 0, 1, 1, 0))
scdrep <- svrepdesign(
  data = scd, type = "BRR", repweights = halves, combined.weights = FALSE, weights = ~ rep(1, 6)
)
kept <- c("dnum", "snum", "stype", "pw", "fpc", "fpc1", "fpc2", "api00", "api.stu", "api99", "sch.wide")
columns <- function(data) as.list(data[intersect(kept, names(data))])
said <- list(
  data = list(
    apistrat = columns(apistrat), apiclus1 = columns(apiclus1), apiclus2 = columns(apiclus2),
    scd = as.list(scd)
  ),
  api = lapply(designs, asked),
  scd = list(
    ratio = told(svyratio(~alive, ~arrests, scdrep)),
    total = told(svytotal(~ alive + arrests, scdrep)),
    halves = halves
  )
)
if (!is.null(horvitz)) {
  # unequal chances, invented: the harmless question has known shares, asked with chance 1/2
  harmless <- c(copied = 1 / 12, fought = 1 / 10, bullied = 20 / 30, drug = 10 / 30)
  horvitz$chance <- 0.03 + 0.05 * (seq_len(nrow(horvitz)) %% 7) / 6
  said$horvitz <- lapply(names(harmless), function(name) {
    horvitz$r <- (horvitz[[name]] - (1 - 0.5) * harmless[[name]]) / 0.5
    design <- svydesign(id = ~1, probs = ~chance, data = horvitz)
    told(svymean(~r, design))
  })
  names(said$horvitz) <- names(harmless)
}
cat(jsonlite::toJSON(said, digits = NA, auto_unbox = TRUE))
