# What ictreg of R's list finds on an invented list experiment with two sensitive items, for each
# multi.condition that it has results of: list_multi.json.
#
# Rscript make_list_multi.R SOURCE FOLDER > list_multi.json
#
# SOURCE is R/ictreg.R of list 9.2.6. FOLDER holds multi.csv, with columns y, treat, x1 and x2:
# people(1500) of ../inference/test_item_count_condition.py. Coefficients are those of each item, of
# the control count, and then what the control count adds to each item.
given <- commandArgs(trailingOnly = TRUE)
adiag <- function(...) {  # of the package magic: blocks along the diagonal
  Reduce(function(a, b) {
    rbind(cbind(a, matrix(0, nrow(a), ncol(b))), cbind(matrix(0, nrow(b), ncol(a)), b))
  }, lapply(list(...), as.matrix))
}
eval(parse(text = readLines(given[1])))
people <- read.csv(file.path(given[2], "multi.csv"))
lines <- c()
for (condition in c("none", "level")) {  # "indicators" ends in an error there
  sink("/dev/null")
  fit <- ictreg(y ~ x1 + x2, data = people, treat = "treat", J = 3, method = "ml", multi.condition = condition)
  sink()
  told <- function(...) paste(sprintf("%.6f", c(...)), collapse = ", ")
  errors <- sqrt(diag(fit$vcov))  # the control count first, then item by item, levels after covariates
  apart <- split(errors[-(1:3)], rep(1:2, each = (length(errors) - 3) / 2))
  in_order <- function(control, items) {
    first <- unlist(lapply(items, `[`, 1:3))
    told(first, control, unlist(lapply(items, `[`, -(1:3))))
  }
  lines <- c(lines, sprintf(' "%s": {"value": [%s], "se": [%s], "log_likelihood": %.6f}', condition,
                            in_order(fit$par.control, fit$par.treat), in_order(errors[1:3], apart), fit$llik))
}
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
