# What whole fits to the replicates of R's survey 4.1-1 give on complex.csv, as replicated_fits.json:
# Rscript make_replicated_fits.R > replicated_fits.json
suppressMessages({library(survey); library(survival)})
given <- read.csv("complex.csv", stringsAsFactors = TRUE)
at <- seq_len(nrow(given))
given$men <- as.numeric(given$sex == "m")
given$seen <- at %% 2
given$count <- floor(given$x * 7) %% 4 + given$seen * given$y
given$low <- floor(given$z); given$high <- given$low + 2
given$told <- ifelse(at %% 9 == 0, 1 - given$y, given$y)
given$size <- factor(given$place, levels = c("farm", "village", "town"), ordered = TRUE)
number <- function(x) paste0("[", paste(format(as.vector(x), digits = 16, trim = TRUE), collapse = ", "), "]")
lines <- c()
entry <- function(name, ...) {
  told <- list(...)
  lines <<- c(lines, paste0('  "', name, '": {', paste0('"', names(told), '": ', sapply(told, number), collapse = ", "), "}"))
}
design <- function(name, d) entry(name, weights = weights(d, "analysis"), scale = d$scale,
  rscales = d$rscales, mse = as.numeric(d$mse), df = degf(d))
told <- function(name, d, fit) {
  found <- withReplicates(d, fit, return.replicates = FALSE)
  entry(name, value = coef(found), cov = vcov(found))
}
climb <- function(f, g, start) {
  for (again in 1:3) start <- optim(start, f, g, method = "BFGS", control = list(reltol = 1e-16, maxit = 500))$par
  for (again in 1:4) start <- start - as.vector(solve(optimHess(start, f, g), g(start)))
  start
}
X <- cbind(1, given$x, given$men)
warner <- function(w, data) { w <- w / sum(w)  # truth 9/10
  f <- function(b) { p <- plogis(X %*% b); q <- 0.1 + 0.8 * p; -sum(w * log(ifelse(given$told == 1, q, 1 - q))) }
  g <- function(b) { p <- plogis(X %*% b); q <- 0.1 + 0.8 * p
    -as.vector(t(X) %*% (w * ifelse(given$told == 1, 1 / q, -1 / (1 - q)) * 0.8 * p * (1 - p))) }
  climb(f, g, c(0, 0, 0))
}
logit <- function(w, data) { data$w <- w / mean(w)
  coef(suppressWarnings(glm(y ~ x + men, quasibinomial(), data, weights = w, control = list(epsilon = 1e-15)))) }
line <- function(w, data) { data$w <- w; coef(lm(z ~ y + x + men, data, weights = w)) }
censored <- function(w, data) { data$w <- w
  found <- survreg(Surv(low, high, type = "interval2") ~ x + men, data[w > 0, ], weights = w, dist = "logistic",
    control = list(rel.tolerance = 1e-14, maxiter = 100))
  c(coef(found), log(found$scale)) }
ordered <- function(w, data) {  # P(size <= j) = F(zeta_j - x b)
  w <- w / sum(w)
  x <- X[, -1]; size <- as.integer(given$size)
  ends <- function(b) { eta <- as.vector(x %*% b[3:4]); zeta <- c(-Inf, b[1:2], Inf)
    list(high = zeta[size + 1] - eta, low = zeta[size] - eta) }
  f <- function(b) { e <- ends(b); -sum(w * log(plogis(e$high) - plogis(e$low))) }
  g <- function(b) { e <- ends(b); p <- plogis(e$high) - plogis(e$low); h <- dlogis(e$high) / p; l <- dlogis(e$low) / p
    -c(sapply(1:2, function(j) sum(w * (h * (size == j) - l * (size == j + 1)))), t(x) %*% (w * (l - h))) }
  climb(f, g, c(-0.5, 0.5, 0, 0))
}
mean_counts <- function(w, data) { data$w <- w
  found <- coef(lm(count ~ (x + men) * seen, data, weights = w)); c(found[c(4, 5, 6)], found[1:3]) }
J <- 3; X1 <- X[, 1:2]
counts <- function(w, data) {
  w <- w / sum(w)
  law <- function(y, b) ifelse(y < 0 | y > J, 0, dbinom(pmin(pmax(y, 0), J), J, plogis(X1 %*% b)))
  both <- function(b) cbind(law(given$count, b[3:4]) * (1 - plogis(X1 %*% b[1:2])),
    law(given$count - given$seen, b[3:4]) * plogis(X1 %*% b[1:2]))
  f <- function(b) -sum(w * log(rowSums(both(b))))
  g <- function(b) { h <- both(b); h <- h / rowSums(h); p <- plogis(X1 %*% b[1:2]); q <- plogis(X1 %*% b[3:4])
    others <- given$count - given$seen * h[, 2]
    -c(t(X1) %*% (w * (h[, 2] - p)), t(X1) %*% (w * (others - J * q))) }
  climb(f, g, rep(0, 4))
}
given$openly <- as.numeric(at %% 4 == 0 & given$y == 1)
given$again <- floor(given$x * 3) %% 4 + (1 - given$seen) * given$y
apart <- function(w, y, rows = TRUE) {
  mean_of <- function(group) { some <- rows & given$seen == group; sum(w[some] * y[some]) / sum(w[some]) }
  mean_of(1) - mean_of(0)
}
joined <- function(w, data) { d <- sum(w * given$openly) / sum(w)
  c(d + (1 - d) * apart(w, given$count, given$openly == 0), d, apart(w, given$count)) }
placebo <- function(w, data) apart(w, given$openly)
double <- function(w, data) { a <- apart(w, given$count); b <- -apart(w, given$again); c((a + b) / 2, a, b) }
given$cut <- quantile(given$z, c(0.3, 0.5, 0.7))[at %% 3 + 1]
bounds <- function(w, data) {  # of the mean of z in (least, most], each told up to a cut or above it
  cuts <- sort(unique(given$cut)); hit <- sapply(cuts, function(t) sum(w[given$cut == t]))
  share <- sapply(cuts, function(t) sum(w[given$cut == t & given$z <= t])) / hit
  block <- seq_along(cuts)  # pool adjacent violators
  repeat {
    level <- tapply(hit * share, block, sum) / tapply(hit, block, sum)
    if (all(diff(level) >= 0)) break
    worst <- which(diff(level) < 0)[1]; block[block == unique(block)[worst + 1]] <- unique(block)[worst]
  }
  mass <- diff(c(0, level[as.character(block)], 1)); ends <- c(floor(min(given$z)), cuts, ceiling(max(given$z)))
  c(sum(mass * ends[-length(ends)]), sum(mass * ends[-1]))
}
entry("line", cuts = sort(unique(given$cut)), ends = c(floor(min(given$z)), ceiling(max(given$z))))
clusters <- svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight, data = given)
finite <- svydesign(ids = ~cluster, strata = ~stratum, weights = ~weight, fpc = ~clusters, data = given)
set.seed(1979)
designs <- list(jackknife = as.svrepdesign(clusters, type = "JKn"),
  "jackknife mse" = as.svrepdesign(clusters, type = "JKn", mse = TRUE),
  "jackknife finite" = as.svrepdesign(finite, type = "JKn"),
  bootstrap = as.svrepdesign(clusters, type = "subbootstrap", replicates = 30))
for (name in names(designs)) design(name, designs[[name]])
left <- designs$jackknife
fits <- list(logit = logit, warner = warner)
for (fit in names(fits)) for (name in names(designs)) told(paste(fit, name), designs[[name]], fits[[fit]])
own <- svyglm(y ~ x + men, left, family = quasibinomial(), control = list(epsilon = 1e-14))
entry("svyglm jackknife", value = coef(own), cov = vcov(own), df = own$df.residual,
  ends = confint(own, ddf = own$df.residual))
others <- list(line = line, censored = censored, ordered = ordered, "mean counts" = mean_counts, counts = counts)
# Of counts a replicate of the bootstrap has no most likely log-odds.
for (name in names(others)) for (d in c("jackknife", if (name != "counts") "bootstrap")) told(paste(name, d), designs[[d]], others[[name]])
for (d in names(designs)) told(paste("bounds", d), designs[[d]], bounds)
lists <- list(joined = joined, placebo = placebo, double = double)
for (name in names(lists)) for (d in names(designs)) told(paste(name, d), designs[[d]], lists[[name]])
paired <- subset(given, cluster != "c15"); paired$pair <- factor(paired$pair)
halves <- as.svrepdesign(svydesign(ids = ~cluster, strata = ~pair, weights = ~weight, data = paired), type = "Fay", fay.rho = 0.3)
design("fay", halves); told("logit fay", halves, logit)
cat("{\n", paste(lines, collapse = ",\n"), "\n}\n", sep = "")
