# What R's list finds on the 1991 National Race and Politics Survey: list.json.
# Rscript make_list.R DATA, where DATA is list_race.csv (the package's data "race").
library(list)
race <- read.csv(commandArgs(trailingOnly = TRUE)[1])
options(digits = 12)
formula <- y ~ south + age + male + college
told <- function(name, fit) {
  cat(name, "\n")
  print(coef(fit)); print(sqrt(diag(vcov(fit)))); print(fit$llik)
}
told("lm", ictreg(y ~ 1, data = race, treat = "treat", J = 3, method = "lm"))
for (constrained in c(TRUE, FALSE)) {
  told(constrained, ictreg(formula, data = race, treat = "treat", J = 3, method = "ml",
                           overdispersed = FALSE, constrained = constrained))
}
ict.test(race$y, race$treat, J = 3, gms = FALSE)
for (method in c("nls", "lm")) {  # its errors of lm are HC3
  fit <- ictreg(y ~ south + age + male + college, data = race, treat = "treat", J = 3, method = method)
  print(c(fit$par.treat, fit$par.control)); print(c(fit$se.treat, fit$se.control))
  print(predict(fit, newdata = race, avg = TRUE, se.fit = TRUE))
}
