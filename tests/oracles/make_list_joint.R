# What ictreg.joint of R's list finds on four invented list experiments: list_joint.json.
#
# Rscript make_list_joint.R SOURCE FOLDER > list_joint.json
#
# SOURCE is R/ictreg.joint.R of list 9.2.6. FOLDER holds normal0.csv, normal1.csv, logit0.csv and
# logit1.csv, with columns y, treat, x1, x2 and o: people(2000, family, free) of
# ../inference/test_item_count_outcome.py, x1 less 40 and divided by 10; 1 stands for free.
given <- commandArgs(trailingOnly = TRUE)
rmvnorm <- function(n, mean, sigma) matrix(mean, nrow = 1)  # begins at the means, without dice
eval(parse(text = readLines(given[1])))
lines <- c()
for (family in c("normal", "logit")) for (free in 0:1) {
  people <- read.csv(file.path(given[2], paste0(family, free, ".csv")))
  sink("/dev/null")
  fit <- ictreg.joint(y ~ x1 + x2, data = people, treat = "treat", J = 3, outcome = "o",
                      outcome.reg = if (family == "normal") "linear" else "logistic",
                      constrained = free == 0, maxIter = 5000)
  sink()
  value <- if (family == "normal") head(fit$par, -1) else fit$par
  lines <- c(lines, sprintf(' "%s, %s": {"value": [%s], "log_likelihood": %.6f}', family,
                            if (free) "unconstrained" else "constrained",
                            paste(sprintf("%.6f", value), collapse = ", "), fit$llik))
}
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
