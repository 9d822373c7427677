# Times survreg on rows of a CSV (lower, upper, x1, …), three fits each: JSON on standard output.
suppressMessages(library(survival))
rows <- read.csv(commandArgs(TRUE)[1])
noise <- commandArgs(TRUE)[2]
formula <- as.formula(paste(
  "Surv(lower, upper, type = 'interval2') ~", paste(names(rows)[-(1:2)], collapse = " + ")
))
for (round in 1:3) {
  spent <- system.time(fit <- survreg(formula, rows, dist = noise))[["elapsed"]]
  cat(sprintf('{"time": %.4f, "log_likelihood": %.6f}\n', spent, fit$loglik[2]))
}
