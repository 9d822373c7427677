# Logits that R's RRreg 0.7.5 finds on public data, and a line on a protected answer, as rrreg.json (for tests/beside).
# Rscript make_rrreg.R RRREG DATA: the folder of its sources, and that of the files nigeria_forced_response.csv
# (from rr), mturk_shoplifting.csv and plagiarism_crosswise.csv (both from GLMMRR).
given <- commandArgs(TRUE)
for (file in c("helper_functions", "RRcheck", "RRlog_check", "RRlin_getPW", "RRuni", "RRuni_models", "RRuni_loglik",
               "RRlog_fit", "RRlog", "RRlin_loglik", "RRlin")) source(file.path(given[1], "R", paste0(file, ".R")))
read <- function(file) read.csv(file.path(given[2], file))
number <- function(x) paste0("[", paste(format(unname(x), digits = 12, trim = TRUE), collapse = ", "), "]")
entry <- function(name, ...) {
  set.seed(1)
  fit <- suppressWarnings(RRlog(..., fit.n = 5))
  sprintf('  "%s": {"n": %d, "log_likelihood": %.8f, "value": %s, "se": %s, "ratio": %s}', name, fit$n, fit$logLik,
          number(fit$coefficients), number(sqrt(diag(fit$vcov))), number(-2 * fit$deltaLogLik))
}
nigeria <- na.omit(read("nigeria_forced_response.csv")[, 1:6])
names(nigeria) <- c("said", "age", "asset", "married", "education", "female")
nigeria$age <- nigeria$age / 10
nigeria$age2 <- nigeria$age^2
stole <- na.omit(read("mturk_shoplifting.csv"))
stole$age <- stole$age / 10
pairs <- subset(stole, RRmodel == "Crosswise" & RRp1 == 0.1594625)
copied <- na.omit(subset(read("plagiarism_crosswise.csv"), question %in% c(1, 3)))
copied$age <- copied$age / 10
theft <- RR_response ~ gender + age
lines <- c(
  entry("FR", said ~ asset + married + age + age2 + education + female, nigeria, "FR", c(1, 1) / 6),
  entry("Crosswise", theft, pairs, "Crosswise", 0.1594625),
  entry("Warner", theft, pairs, "Warner", 0.1594625),
  entry("UQTknown", theft, subset(stole, RRmodel == "UQM" & RRp2 == 0.493), "UQTknown", c(0.778, 0.493)),
  entry("Crosswise and direct", response ~ Gender + age + RR, copied, "Crosswise", 0.25, group = copied$RR))
set.seed(1)
line <- RRlin(asset ~ said, nigeria, models = "FR", p.list = list(c(1, 1) / 6), fit.n = 1)
lines <- c(lines, sprintf('  "RRlin": {"n": %d, "log_likelihood": %.8f, "value": %s, "se": %s, "scale": %s, "share": %s}',
  line$N, line$logLik, number(line$beta), number(sqrt(diag(line$vcov))[1:2]), line$sigma, line$pi[["1"]]))
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
