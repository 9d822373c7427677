# What ictreg(method = "nls" or "ml", robust = TRUE) of R's list finds on two invented list
# experiments: list_robust.json.
#
# Rscript make_list_robust.R SOURCE FOLDER > list_robust.json
#
# SOURCE is R/ictreg.R of list 9.2.6. FOLDER holds 900.csv and 2500.csv, with columns y, treat, x1
# and x2: invented(900) and invented(2500) of ../inference/test_item_count_anchored.py.
given <- commandArgs(trailingOnly = TRUE)
adiag <- function(a, b) {  # of the package magic: blocks along the diagonal
  a <- as.matrix(a)
  b <- as.matrix(b)
  rbind(cbind(a, matrix(0, nrow(a), ncol(b))), cbind(matrix(0, nrow(b), ncol(a)), b))
}
eval(parse(text = readLines(given[1])))
lines <- c()
for (method in c("nls", "ml")) for (n in c("900", "2500")) {
  people <- read.csv(file.path(given[2], paste0(n, ".csv")))
  fit <- ictreg(y ~ x1 + x2, data = people, treat = "treat", J = 3, method = method, robust = TRUE)
  told <- function(...) paste(sprintf("%.6f", c(...)), collapse = ", ")
  lines <- c(lines, sprintf(' "%s, %s": {"value": [%s], "se": [%s], "mean": %s}', method, n,
                            told(fit$par.treat, fit$par.control),
                            told(fit$se.treat, fit$se.control),
                            told(mean(plogis(fit$x %*% fit$par.treat)))))
}
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
