# The Fay-Herriot model as R's sae 1.3 fits it: restricted likelihood, and the errors of its
# coefficients, on 20 invented areas. Run in the folder of sae's sources:
#     Rscript make_fay_herriot.R > fay_herriot.json
for (file in c("eblupFH.R", "mseFH.R")) source(file.path("R", file))
set.seed(1979)
x <- cbind(round(runif(20), 2), rep(0:1, 10))
se <- round(runif(20, 0.04, 0.15), 3)
y <- round(0.1 + x %*% c(0.3, 0.1) + rnorm(20, 0, 0.08) + rnorm(20, 0, se), 3)[, 1]
fit <- mseFH(y ~ x, se^2)
told <- function(v) paste0("[", paste(signif(v, 12), collapse = ", "), "]")
cat(sprintf('{"value": %s,\n "se": %s,\n "x1": %s,\n "x2": %s,\n', told(y), told(se), told(x[, 1]), told(x[, 2])))
cat(sprintf(' "variance": %s,\n "coefficients": %s,\n "coefficient_se": %s,\n "eblup": %s,\n "rmse": %s}\n',
  signif(fit$est$fit$refvar, 12), told(fit$est$fit$estcoef$beta), told(fit$est$fit$estcoef$std.error),
  told(fit$est$eblup), told(sqrt(fit$mse))))
