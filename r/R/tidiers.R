#' Results as tidy data frames
#'
#' Columns bear the names that the package broom uses. `tidy()` has a row for each answer or
#' coefficient, `glance()` one row for the whole fit, `augment()` one for each respondent.
#'
#' @param x a fit of [askance_estimate()] or [askance_regress()].
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
  parts <- lapply(which(is.na(x$groups$refused)), function(at) {
    fit <- x$fits[[at]]
    told <- tidy(fit, conf.int = conf.int, conf.level = if (is.null(conf.level)) fit$level else conf.level)
    cbind(x$groups[at, x$by, drop = FALSE], told, row.names = NULL)
  })
  do.call(rbind, parts)
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
    logLik = x$log_likelihood, AIC = x$aic, BIC = stats::BIC(x), df.residual = x$df.residual, nobs = x$nobs,
    outcome = x$outcome
  )
}

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
