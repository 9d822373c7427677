#' Regression of a true answer
#'
#' What the true answer depends on, where only protected reports of it were received: the chances of
#' the mechanism are part of the likelihood. Of two answers, the share of the first one is modelled by a
#' link; of several, the log-odds of each against the last, or, with `ordered = TRUE`, cumulative
#' shares.
#'
#' The right side of the formula is R's own: factors with their contrasts, interactions, `poly()`,
#' `splines::ns()` and the rest become columns here, and the program is handed the columns. Rows with
#' something missing are left out, as by [stats::na.omit()], and counted in the result; of a complex
#' sample the other rows are a domain. With `missing = "refuse"` they are an error.
#'
#' Some people do not comply: `models` says who, and `compliance` on what it depends. The coefficients
#' are then log-odds of the answers and of each kind of people against complying; `fit$prevalence` holds
#' the shares of the answers among all people, and `fit$classes` those who comply, by their answers, and
#' each kind.
#'
#' | `models` | who | may be told |
#' |---|---|---|
#' | `"sld"` | carriers who deny (stochastic lie detector; Moshagen, Musch & Erdfelder 2012) | `"sld:carriers=yes,says=no"` |
#' | `"cheating"` | people who say "no" whatever they are asked (Clark & Desharnais 1998) | `"cheating:says=no"` |
#' | `"self-protective"` | people who send one report whatever they are asked | `"self-protective:says=no"`, needed |
#' | `"random"` | people who pick a report by chance, and are otherwise like all others | `"random:chances={yes=1/2,no=1/2}"` |
#'
#' A single mechanism usually does not identify how many they are. If groups were asked by different
#' mechanisms, `mechanism` is a named list of them, and `group` the column that says who was in which.
#'
#' @inheritParams askance_estimate
#' @param formula such as `stole ~ age + region`: the column of reports, and what the answer depends on.
#'   Of a row for each covariate pattern, as [stats::glm()] takes it, `cbind(yes, no) ~ age + region`: a column
#'   of counts for each report.
#' @param mechanism how the question was asked, by one of the [mechanisms]; or, with `group`, a list of them
#'   whose names are the groups.
#' @param group the column of groups that were asked by different mechanisms, as a one-sided formula or by
#'   name.
#' @param models who does not comply, as in the table; several kinds as a vector.
#' @param compliance on what it depends who complies: a one-sided formula such as `~ age`.
#' @param link `"logit"`, `"probit"`, `"loglog"` or `"cloglog"`.
#' @param ordered whether the answers have an order, the mechanism's.
#' @param errors standard errors by the `"observed"` or the `"expected"` information, or `"robust"`
#'   ones; with a sampling design they are linearised, and of replicates those of a fit to each.
#' @param missing what to do with rows that have something missing: `"drop"` or `"refuse"`.
#' @param by columns that tell groups apart: a regression of each, as a domain of the whole sample.
#' @param contrasts of factors, as in [stats::model.matrix()].
#' @return an object of class `askance_regression`, with [coef()], [vcov()], [confint()],
#'   [logLik()], [nobs()], [predict()], [as.data.frame()], [tidy()], [glance()] and [augment()].
#'   With `by` an object of class `askance_regressions`: the data frame `groups`, which says where a
#'   regression was `refused`, and the list `fits`; it has [as.data.frame()] and [tidy()].
#' @examples
#' survey <- read.csv(system.file("extdata", "practices.csv", package = "askance"))
#' \dontrun{
#' fit <- askance_regress(forced ~ age + region, survey, rr_forced(yes = "1/6", no = "1/6"))
#' summary(fit)
#' predict(fit, data.frame(age = 16, region = "north"), se.fit = TRUE)
#' }
#' @export
askance_regress <- function(formula, data, mechanism, reports = NULL, weights = NULL, strata = NULL,
                            clusters = NULL, fpc = NULL, link = c("logit", "probit", "loglog", "cloglog"),
                            ordered = FALSE, errors = c("observed", "expected", "robust"), by = NULL,
                            counts = NULL, missing = c("drop", "refuse"), level = 0.95, contrasts = NULL,
                            methods = FALSE, models = NULL, compliance = NULL, group = NULL, replicates = NULL,
                            reading = NULL) {
  data <- read_as(data, reading, formula)
  refuse_table(data, level)
  call <- match.call()
  shown <- formula
  wide <- by_report(formula, data, counts)
  formula <- wide$formula
  data <- wide$data
  counts <- wide$counts
  apart <- asked_apart(data, mechanism, group)
  mechanism <- apart$mechanism
  refuse_arguments(data, mechanism, level)
  refuse_paragraph(methods, by)
  link <- match.arg(link)
  errors <- match.arg(errors)
  if (!inherits(formula, "formula") || length(formula) != 3 || !is.name(formula[[2]])) {
    fail("formula", deparse(formula), "the column of reports on the left, such as stole ~ age")
  }
  named <- column_names(as.character(formula[[2]]), "formula", data, 1)
  data[[named]] <- reported_apart(data[[named]], apart, reports, named)
  data[[named]][holes_beside(data, compliance, models)] <- NA
  frame <- whole_rows(formula, data, match.arg(missing))
  X <- model_columns(frame, contrasts)
  whole <- with_columns(X, compliance, data, frame, contrasts)
  sample <- sample_of(data, weights, strata, clusters, fpc, replicates)
  groups <- groups_of(data, by)
  people <- people_of(data, counts)
  safe <- sprintf("x%d", seq_along(whole))
  asked <- right_side("answer", safe[seq_along(X)])
  columns <- c(columns_of(frame, whole, safe, nrow(data)), sample$columns, groups$columns, people$columns, apart$columns)
  told <- suppressMessages(analyse("regress", columns, apart$arguments, sample$arguments, groups$arguments,
    people$arguments, beside(compliance, whole, safe), list(
      formula = asked, models = models_of(models), missing = "drop", effects = FALSE, link = link, ordered = ordered,
      errors = errors, level = level, methods = methods
    )
  )) # the rows left out are told by summary()
  fit_of <- function(one, part = frame) {
    regression_of(one, call, shown, part, X, mechanism, link, ordered, people$each, names(whole))
  }
  if (is.null(by)) {
    fit <- fit_of(told)
    written <- stats::setNames(deparse(shown, width.cutoff = 500), asked)
    fit$methods <- paragraph_of(told$methods, c(written, sample$shown))
    return(fit)
  }
  regressions_of(told$groups, call, shown, mechanism, groups, frame, fit_of)
}

# Of cbind(yes, no) on the left a row for each pattern and report, with how many people sent it.
by_report <- function(formula, data, counts) {
  left <- if (inherits(formula, "formula") && length(formula) == 3) formula[[2]]
  if (!is.call(left) || !identical(left[[1]], quote(cbind))) return(list(formula = formula, data = data, counts = counts))
  reports <- vapply(as.list(left)[-1], function(one) if (is.name(one)) as.character(one) else NA_character_, "")
  if (length(reports) < 2 || anyNA(reports) || !all(reports %in% names(data)) || !is.null(counts)) {
    fail("formula", deparse(left), "a column of counts for each report, such as cbind(yes, no), without counts =")
  }
  long <- data[rep(seq_len(nrow(data)), length(reports)), setdiff(names(data), reports), drop = FALSE]
  long$.report <- rep(reports, each = nrow(data))
  long$.people <- unlist(lapply(data[reports], as.double), use.names = FALSE)
  formula[[2]] <- quote(.report)
  list(formula = formula, data = long, counts = ".people")
}

# A regression of each group, or why it has none.
regressions_of <- function(told, call, formula, mechanism, groups, frame, fit_of) {
  at <- vapply(told, function(one) as.integer(one$group$group), 0L)
  left_out <- stats::na.action(frame)
  member <- if (length(left_out)) groups$columns$group[-left_out] else groups$columns$group
  fits <- lapply(seq_len(nrow(groups$labels)), function(group) {
    one <- told[[match(group, at)]]
    part <- frame[member == group, , drop = FALSE]
    attr(part, "terms") <- stats::terms(frame)
    if (!is.null(one$fit)) fit_of(one$fit, part)
  })
  why <- vapply(seq_along(fits), function(group) {
    if (is.null(fits[[group]])) told[[match(group, at)]]$refused else NA_character_
  }, "")
  structure(class = "askance_regressions", list(
    call = call, formula = formula, mechanism = mechanism, by = names(groups$labels),
    groups = cbind(groups$labels, rows = tabulate(member, length(fits)), refused = why), fits = fits
  ))
}

#' @export
as.data.frame.askance_regressions <- function(x, row.names = NULL, optional = FALSE, ...) stacked(x, as.data.frame)

#' @export
print.askance_regressions <- function(x, digits = 4, ...) print_each(x, digits)

# Each group's, under its name; or why there is none.
print_each <- function(x, digits) {
  for (at in seq_along(x$fits)) {
    cat(paste(x$by, vapply(x$groups[at, x$by, drop = FALSE], as.character, ""), sep = ": ", collapse = ", "), "\n", sep = "")
    if (is.null(x$fits[[at]])) cat("not estimated: ", x$groups$refused[at], "\n", sep = "") else print(x$fits[[at]], digits)
    cat("\n")
  }
  invisible(x)
}

# The rows that are whole, as a model frame that knows which were left out.
whole_rows <- function(formula, data, missing) {
  frame <- stats::model.frame(formula, data, na.action = stats::na.pass)
  holes <- which(!stats::complete.cases(frame))
  if (!length(holes)) return(frame) # na.omit() would copy all of them
  if (missing == "drop") return(stats::model.frame(formula, data, na.action = stats::na.omit))
  fail("data", paste("holes in row", holes), "whole rows", 'missing = "drop" leaves such rows out, and counts them')
}

# The fit that the program tells, under the names that R has for the columns.
regression_of <- function(told, call, formula, frame, X, mechanism, link, ordered, people = NULL, columns = names(X)) {
  cuts <- if (ordered) length(mechanism$answers) - 1 else 0 # named by answers alone
  terms <- c(told$names[seq_len(cuts)], term_names(told$names[seq_along(told$names) > cuts], columns))
  structure(class = "askance_regression", list(
    call = call, formula = formula, terms = stats::terms(frame), mechanism = mechanism,
    coefficients = stats::setNames(told$value, terms), vcov = square(told$covariance, terms),
    p.value = stats::setNames(as.numeric(told$p_value), terms), conf.int = ends(told, terms), level = told$level,
    df.residual = if (is.null(told$df)) Inf else told$df, log_likelihood = told$log_likelihood,
    aic = if (is.null(told$aic)) NA_real_ else told$aic, nobs = if (is.null(people)) nrow(frame) else told$n, link = link, ordered = ordered, model = told$model, errors = told$errors,
    prevalence = shares_told(told$prevalence), classes = shares_told(told$classes),
    outcome = told$outcome, message = told$message, na.action = stats::na.action(frame), model_frame = frame,
    xlevels = stats::.getXlevels(stats::terms(frame), frame), contrasts = attr(X, "contrasts"), json = told
  ))
}

shares_told <- function(told) {
  if (is.null(told)) return(NULL)
  data.frame(answer = told$labels, share = told$value, se = told$se, lower = told$lower, upper = told$upper)
}

right_side <- function(left, columns) paste(left, "~", if (length(columns)) paste(columns, collapse = " + ") else "1")

#' @export
coef.askance_regression <- function(object, ...) object$coefficients

#' @export
vcov.askance_regression <- function(object, ...) object$vcov

#' @export
nobs.askance_regression <- function(object, ...) object$nobs

#' @export
formula.askance_regression <- function(x, ...) x$formula

#' @export
df.residual.askance_regression <- function(object, ...) object$df.residual

#' @export
logLik.askance_regression <- function(object, ...) {
  structure(object$log_likelihood, df = if (is.null(object[["df"]])) length(object$coefficients) else object[["df"]], nobs = object$nobs, class = "logLik")
}

#' @export
confint.askance_regression <- function(object, parm, level = object$level, ...) {
  reach <- stats::qt((1 + level) / 2, object$df.residual) * errors(object)
  told <- cbind(object$coefficients - reach, object$coefficients + reach)
  colnames(told) <- percent_names(level)
  if (missing(parm)) told else told[parm, , drop = FALSE]
}

#' @export
as.data.frame.askance_regression <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(
    term = names(x$coefficients), estimate = unname(x$coefficients), se = unname(errors(x)),
    statistic = unname(x$coefficients / errors(x)), p = unname(x$p.value),
    lower = x$conf.int$lower, upper = x$conf.int$upper, row.names = row.names
  )
}

#' Shares that a regression predicts
#'
#' @param object a fit of [askance_regress()] or [askance_item_count()].
#' @param newdata a data frame of covariates; left out, the people of the fit.
#' @param type `"response"` for shares, `"link"` for linear predictors (of two answers).
#' @param se.fit whether standard errors, by the delta method, are given too.
#' @param ... not used.
#' @return of two answers a vector, the share of the first one; of several a matrix with a column for
#'   each; so of several sensitive items. Of an outcome a matrix: the means for those who have the
#'   item, and for those who have not.
#'   With `se.fit = TRUE` a list of `fit` and `se.fit`.
#' @export
predict.askance_regression <- function(object, newdata = NULL, type = c("response", "link"), se.fit = FALSE, ...) {
  type <- match.arg(type)
  X <- columns_for(object, newdata)
  if (type == "link" && (object$ordered || length(object$mechanism$answers) > 2)) {
    fail("predict(type)", type, '"response", where answers are several or have an order')
  }
  predicted(object, function(coefficients) shares_at(object, X, coefficients, type), se.fit)
}

# The columns of the people of a fit, or of others.
columns_for <- function(object, newdata) {
  terms <- stats::delete.response(object$terms)
  frame <- if (is.null(newdata)) object$model_frame else {
    stats::model.frame(terms, newdata, na.action = stats::na.pass, xlev = object$xlevels)
  }
  stats::model.matrix(terms, frame, contrasts.arg = object$contrasts)
}

# What a function of the coefficients gives, with its errors if they are asked for.
predicted <- function(object, asked, se.fit) {
  fit <- asked(object$coefficients)
  if (!se.fit) return(fit)
  list(fit = fit, se.fit = delta_errors(asked, object$coefficients, object$vcov))
}

#' @export
print.askance_regression <- function(x, digits = 4, ...) {
  print_head(x)
  print(x$coefficients, digits = digits)
  invisible(x)
}

#' @export
summary.askance_regression <- function(object, ...) {
  table <- as.data.frame(object)
  table <- as.matrix(table[c("estimate", "se", "statistic", "p")])
  letter <- if (is.finite(object$df.residual)) "t" else "z"
  dimnames(table) <- list(
    names(object$coefficients), c("Estimate", "Std. Error", paste(letter, "value"), paste0("Pr(>|", letter, "|)"))
  )
  structure(class = "summary.askance_regression", list(fit = object, coefficients = table))
}

#' @export
print.summary.askance_regression <- function(x, digits = max(3, getOption("digits") - 3), ...) {
  print_head(x$fit)
  printCoefmat(x$coefficients, digits = digits, has.Pvalue = TRUE)
  fit <- x$fit
  left <- length(fit$na.action)
  cat("\n")
  for (name in c("prevalence", "classes")) if (!is.null(one <- fit[[name]])) {
    cat(c(prevalence = "mean share: ", classes = "of each class: ")[[name]], paste0(
      one$answer, " ", format(one$share, digits = 4), " (", format(one$se, digits = 2), ")", collapse = ", "
    ), "\n", sep = "")
  }
  cat(counted(fit$nobs, "respondent"), if (left) paste0(" (", counted(left, "row"), " with something missing left out)"),
      if (!is.na(fit$log_likelihood)) {
        c("; log-likelihood ", format(fit$log_likelihood, digits = 8), if (!is.na(fit$aic)) c("; AIC ", format(fit$aic, digits = 6)))
      },
      "; errors by ", fit$errors, "\n", fit$message, "\n", sep = "")
  invisible(x)
}

print_head <- function(fit) {
  cat(deparse(fit$formula, width.cutoff = 500), "\n", fit$model, ", ", fit$mechanism$told, "\n\n", sep = "")
}

# What the program is handed: rows with something missing stay, and are empty. They are outside the
# domain, whose strata and clusters are those of all rows.
columns_of <- function(frame, X, safe, rows) {
  left_out <- stats::na.action(frame)
  kept <- if (length(left_out)) seq_len(rows)[-left_out] else seq_len(rows)
  spread <- function(column) if (length(left_out)) replace(rep(column[NA_integer_], rows), kept, column) else column
  answer <- frame[[attr(stats::terms(frame), "response")]]
  c(list(answer = spread(answer)), stats::setNames(lapply(X, spread), safe))
}

# Columns of what is on the right, without the intercept, which the program adds.
model_columns <- function(frame, contrasts) {
  if (!nrow(frame)) fail("data", "something missing in every row", "a row without")
  terms <- stats::terms(frame)
  if (!attr(terms, "intercept")) fail("formula", "no intercept", "an intercept; leave - 1 or + 0 out")
  if (!is.null(attr(terms, "offset"))) fail("formula", "an offset", "covariates alone")
  full <- stats::model.matrix(terms, frame, contrasts.arg = contrasts)
  named <- colnames(full)
  dimnames(full) <- NULL # else each column would be given the names of all rows
  refuse_dependent(full, named)
  X <- lapply(seq_along(named)[-1], function(at) full[, at])
  structure(stats::setNames(X, named[-1]), contrasts = attr(full, "contrasts"))
}

# What qr() finds to be full rank is seen from the correlations first, in a third of the time: a
# column is left of the others by at least the root of their least eigenvalue.
refuse_dependent <- function(full, named) {
  products <- crossprod(full)
  length <- sqrt(diag(products))
  if (all(length > 0)) {
    least <- min(eigen(products / outer(length, length), symmetric = TRUE, only.values = TRUE)$values)
    if (isTRUE(least > 1e-8)) return(invisible()) # qr() refuses what is below 1e-7, whose square is 1e-14
  }
  found <- qr(full)
  if (found$rank < ncol(full)) {
    extra <- named[found$pivot[-seq_len(found$rank)]]
    fail("formula", extra, "columns that do not follow from the others", "leave them out")
  }
}

# R's names of the columns in place of x1, x2, ...; after an answer's name where there are several.
term_names <- function(told, columns) {
  start <- sub("(x[0-9]+|intercept)$", "", told)
  last <- substring(told, nchar(start) + 1)
  at <- match(last, sprintf("x%d", seq_along(columns)))
  paste0(start, ifelse(!is.na(at), columns[at], sub("^intercept$", "(Intercept)", last)))
}

# Shares of people with these columns under these coefficients.
shares_at <- function(fit, X, coefficients, type) {
  k <- length(fit$mechanism$answers)
  if (k <= 2 && !fit$ordered) {
    eta <- drop(X %*% coefficients[seq_len(ncol(X))])
    return(if (type == "link") eta else link_share(eta, fit$link))
  }
  if (fit$ordered) {
    cuts <- coefficients[seq_len(k - 1)]
    shift <- drop(X[, -1, drop = FALSE] %*% coefficients[k - 1 + seq_len(ncol(X) - 1)])
    up_to <- cbind(link_share(outer(-shift, cuts, "+"), fit$link), 1)
    share <- up_to - cbind(0, up_to[, -k])
  } else {
    of_answers <- coefficients[seq_len((k - 1) * ncol(X))] # those of who complies come after
    odds <- exp(cbind(X %*% matrix(of_answers, ncol(X)), 0))
    share <- odds / rowSums(odds)
  }
  dimnames(share) <- list(rownames(X), fit$mechanism$answers)
  share
}

link_share <- function(eta, link) {
  switch(link,
    identity = eta, logit = stats::plogis(eta), probit = stats::pnorm(eta),
    loglog = exp(-exp(-eta)), cloglog = -expm1(-exp(eta))
  )
}

# Errors of a smooth function of the coefficients, by central differences.
delta_errors <- function(value, at, covariance) {
  slopes <- vapply(seq_along(at), function(one) {
    step <- replace(numeric(length(at)), one, 1e-5 * max(1, abs(at[one])))
    as.vector(value(at + step) - value(at - step)) / (2 * sum(step))
  }, numeric(length(value(at))))
  slopes <- matrix(slopes, ncol = length(at))
  told <- value(at)
  told[] <- sqrt(pmax(rowSums((slopes %*% covariance) * slopes), 0))
  told
}
