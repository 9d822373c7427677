#' Results as tidy data frames
#'
#' Columns have the names that the package broom uses. `tidy()` has a row for each answer, difference
#' or coefficient, `glance()` one row for the whole fit, `augment()` one for each respondent. For
#' bounds, `low` and `high` are the ends of the identified set. For groups, their columns come
#' first; a group without an estimate has no row.
#'
#' @param x a fit of any function of this package.
#' @param conf.int whether ends of intervals are given.
#' @param conf.level of the intervals; of an estimate, the level that it was made with.
#' @param data the data of the fit; left out, those columns that it used.
#' @param newdata a data frame of covariates, in place of the people of the fit.
#' @param ... not used.
#' @return a data frame.
#' @name tidiers
NULL

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_estimate)
tidy.askance_estimate <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  told <- data.frame(term = names(coef(x)), estimate = unname(coef(x)), std.error = unname(errors(x)))
  with_ends(told, x, conf.int, conf.level)
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_domains)
tidy.askance_domains <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  refuse_level(conf.level, x, "tidy(conf.level)")
  told <- as.data.frame(x)
  at <- match(c("answer", "share", "se", "lower", "upper"), names(told))
  names(told)[at] <- c("term", "estimate", "std.error", "conf.low", "conf.high")
  told[c(x$by, names(told)[if (conf.int) at else at[1:3]])]
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_regression)
tidy.askance_regression <- function(x, conf.int = FALSE, conf.level = x$level, ...) {
  told <- as.data.frame(x)[c("term", "estimate", "se", "statistic", "p")]
  names(told)[3:5] <- c("std.error", "statistic", "p.value")
  with_ends(told, x, conf.int, conf.level)
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_regressions)
tidy.askance_regressions <- function(x, conf.int = FALSE, conf.level = NULL, ...) {
  stacked(x, function(fit) tidy(fit, conf.int = conf.int, conf.level = if (is.null(conf.level)) fit$level else conf.level))
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_comparison)
tidy.askance_comparison <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  told <- x$differences
  named <- data.frame(term = told$answer, contrast = paste(told$group, "-", told$than), estimate = told$difference)
  with_columns_of(cbind(named, std.error = told$se), told, x, conf.int, conf.level)
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_compliance)
tidy.askance_compliance <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  told <- rbind(cbind(component = "answers", x$answers), cbind(component = "classes", x$classes))
  with_columns_of(data.frame(component = told$component, bounds_tidied(told)), told, x, conf.int, conf.level)
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_bounds)
tidy.askance_bounds <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  with_columns_of(bounds_tidied(x$bounds), x$bounds, x, conf.int, conf.level)
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_areas)
tidy.askance_areas <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  told <- x$areas
  named <- data.frame(told[x$by], term = told$answer, estimate = told$share, std.error = told$se, check.names = FALSE)
  with_columns_of(named, told, x, conf.int, conf.level)
}

#' @rdname tidiers
#' @rawNamespace S3method(tidy,askance_by)
tidy.askance_by <- function(x, ...) stacked(x, function(fit) tidy(fit, ...))

# What fits the reports equally well: from low to high.
bounds_tidied <- function(told) data.frame(term = told$answer, low = told$low, high = told$high)

with_columns_of <- function(tidied, told, x, conf.int, conf.level) {
  refuse_level(conf.level, x, "tidy(conf.level)")
  if (conf.int) cbind(tidied, conf.low = told$lower, conf.high = told$upper) else tidied
}

with_ends <- function(told, x, conf.int, conf.level) {
  if (!conf.int) return(told)
  ends <- confint(x, level = conf.level)
  cbind(told, conf.low = unname(ends[, 1]), conf.high = unname(ends[, 2]))
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_estimate)
glance.askance_estimate <- function(x, ...) {
  data.frame(nobs = x$nobs, conf.level = x$level, method = x$method, outcome = x$outcome)
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_regression)
glance.askance_regression <- function(x, ...) {
  data.frame(
    logLik = x$log_likelihood, AIC = x$aic, BIC = if (is.na(x$aic)) NA_real_ else stats::BIC(x), df.residual = x$df.residual, nobs = x$nobs,
    outcome = x$outcome
  )
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_domains)
glance.askance_domains <- function(x, ...) {
  kept <- !vapply(x$estimates, is.null, NA)
  cbind(x$groups[kept, x$by, drop = FALSE], do.call(rbind, lapply(x$estimates[kept], glance)), row.names = NULL)
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_regressions)
glance.askance_regressions <- function(x, ...) stacked(x, glance)

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_comparison)
glance.askance_comparison <- function(x, ...) {
  cbind(x$test, nobs = x$pooled$nobs, conf.level = x$level, outcome = x$pooled$outcome)
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_compliance)
glance.askance_compliance <- function(x, ...) {
  one <- function(name) if (is.null(x$test[[name]])) NA_real_ else x$test[[name]]
  data.frame(
    statistic = one("deviance"), df = one("df"), p.value = one("p_value"), nobs = x$nobs, conf.level = x$level,
    outcome = x$json$answers$outcome
  )
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_bounds)
glance.askance_bounds <- function(x, ...) data.frame(nobs = x$nobs, conf.level = x$level, what = x$what)

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_areas)
glance.askance_areas <- function(x, ...) {
  data.frame(areas = nrow(unique(x$areas[x$by])), conf.level = x$level)
}

#' @rdname tidiers
#' @rawNamespace S3method(glance,askance_by)
glance.askance_by <- function(x, ...) stacked(x, glance)

#' @rdname tidiers
#' @rawNamespace S3method(augment,askance_regression)
augment.askance_regression <- function(x, data = NULL, newdata = NULL, ...) {
  people <- if (!is.null(newdata)) newdata else if (!is.null(data)) {
    if (length(x$na.action)) data[-x$na.action, , drop = FALSE] else data
  } else {
    x$model_frame
  }
  told <- predict(x, newdata, se.fit = TRUE)
  if (is.matrix(told$fit)) {
    answers <- colnames(told$fit)
    colnames(told$fit) <- paste0(".fitted.", answers)
    colnames(told$se.fit) <- paste0(".se.fit.", answers)
    return(cbind(people, told$fit, told$se.fit))
  }
  cbind(people, .fitted = told$fit, .se.fit = told$se.fit)
}
