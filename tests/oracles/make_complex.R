# What R's survey 4.1-1 finds on complex.csv, as complex.json: Rscript make_complex.R > complex.json
suppressMessages(library(survey))
given <- read.csv("complex.csv", stringsAsFactors = TRUE)
number <- function(x) paste0("[", paste(format(as.vector(x), digits = 16, trim = TRUE), collapse = ", "), "]")
entry <- function(name, ...) {
  told <- list(...)
  paste0('  "', name, '": {', paste0('"', names(told), '": ', sapply(told, number), collapse = ", "), "}")
}
lines <- c()
tell <- function(name, d) {
  total <- svytotal(~y + x, d); mean <- svymean(~y + x, d, deff = "replace"); ratio <- svyratio(~y, ~z, d)
  lines <<- c(lines, entry(name, total = coef(total), total_cov = vcov(total), mean = coef(mean),
    mean_cov = vcov(mean), ratio = coef(ratio), ratio_var = vcov(ratio), df = degf(d)))
}
fit <- function(name, d) {
  found <- suppressWarnings(svyglm(y ~ x + sex, d, family = quasibinomial(), control = list(epsilon = 1e-14)))
  lines <<- c(lines, entry(name, value = coef(found), cov = vcov(found), df = found$df.residual,
    ends = confint(found, ddf = found$df.residual)))
}
elements <- svydesign(ids = ~1, strata = ~stratum, weights = ~weight, data = given)
clusters <- svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight, data = given)
finite <- svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight, fpc = ~clusters, data = given)
stages <- svydesign(ids = ~cluster + person, strata = ~stratum, fpc = ~clusters + people, data = given)
unstratified <- svydesign(ids = ~cluster, weights = ~weight, data = given)
tell("elements", elements); tell("clusters", clusters); tell("finite", finite); tell("stages", stages)
tell("unstratified", unstratified)
tell("women", subset(finite, sex == "f")); tell("women in stages", subset(stages, sex == "f"))
means <- svymean(~y, clusters, deff = "replace")
lines <- c(lines, entry("design effect", mean = deff(means)))
given$alone <- factor(ifelse(given$cluster == "c1", "alone", as.character(given$stratum)))
for (lonely in c("certainty", "adjust", "average")) {
  options(survey.lonely.psu = lonely)
  tell(paste("lonely", lonely), svydesign(ids = ~cluster, strata = ~alone, weights = ~weight, data = given))
}
options(survey.lonely.psu = "fail")
known <- data.frame(place = c("farm", "town", "village"), Freq = c(1400, 1200, 900))
tell("poststratified", postStratify(finite, ~place, known))
tell("women poststratified", subset(postStratify(finite, ~place, known), sex == "f"))
totals <- c("(Intercept)" = 3500, x = 15000, sexm = 1400)
linear <- calibrate(finite, ~x + sex, totals, epsilon = 1e-13)
tell("calibrated linear", linear); fit("logit calibrated", linear)
tell("calibrated raking", calibrate(finite, ~x + sex, totals, calfun = "raking", epsilon = 1e-13))
tell("calibrated bounded", calibrate(finite, ~x + sex, totals, bounds = c(0.75, 1.4), epsilon = 1e-13))
margins <- c("(Intercept)" = 3500, placetown = 1200, placevillage = 900, sexm = 1400)
tell("raked", calibrate(clusters, ~place + sex, margins, calfun = "raking", epsilon = 1e-13))
raked <- rake(clusters, list(~place, ~sex), list(known, data.frame(sex = c("f", "m"), Freq = c(2100, 1400))),
  control = list(maxit = 200, epsilon = 1e-9))
lines <- c(lines, entry("weights raked by margins", weights = weights(raked)))
left <- as.svrepdesign(clusters, type = "JKn"); tell("jackknife", left)
tell("jackknife finite", as.svrepdesign(finite, type = "JKn")); fit("logit jackknife", left)
tell("jackknife unstratified", as.svrepdesign(unstratified, type = "JK1"))
tell("jackknife raked", rake(left, list(~place, ~sex), list(known, data.frame(sex = c("f", "m"), Freq = c(2100, 1400))),
  control = list(maxit = 200, epsilon = 1e-9)))
paired <- subset(given, cluster != "c15"); paired$pair <- factor(paired$pair)
halves <- svydesign(ids = ~cluster, strata = ~pair, weights = ~weight, data = paired)
for (rho in c(0, 0.3)) {
  one <- as.svrepdesign(halves, type = if (rho) "Fay" else "BRR", fay.rho = rho)
  tell(paste("balanced", rho), one)
  lines <- c(lines, entry(paste("balanced", rho, "weights"), weights = weights(one, "analysis"),
    scale = one$scale, rscales = one$rscales))
}
fit("logit elements", elements); fit("logit clusters", clusters); fit("logit finite", finite)
fit("logit stages", stages); fit("logit women", subset(finite, place != "farm"))
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
