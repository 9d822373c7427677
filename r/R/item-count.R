#' Item counts: list experiments
#'
#' The share of people for whom a sensitive item holds, if half of them saw some harmless items, the
#' others also the sensitive one, and each reported only how many hold. A one-sided formula gives the
#' difference in means, a two-sided one the regression of Imai (2011), by maximum likelihood or by
#' least squares, as `ictreg` of the package list; with an outcome, the joint likelihood of Imai, Park
#' and Greene (2015), as its `ictreg.joint`.
#'
#' @inheritParams askance_regress
#' @param formula `~ items`, the column of counts, or `items ~ age + region`.
#' @param list the column that says which list each person saw, as a one-sided formula or by name.
#' @param control what it says of the list without the sensitive item.
#' @param items how many items that list has.
#' @param method of a regression: `"ml"`, maximum likelihood; `"nls"` or `"lm"`, nonlinear or linear
#'   least squares with robust errors, which have no likelihood.
#' @param weights,strata,clusters columns of the sample, as in [askance_estimate()].
#' @param constrained whether the harmless items hold alike for people with and without the sensitive
#'   one.
#' @param overdispersed whether the harmless items may go together.
#' @param misreport who answers otherwise than asked: `"none"`, `"ceiling"`, `"floor"`,
#'   `"ceiling and floor"`, `"top"` or `"uniform"`.
#' @param condition whether the sensitive items go with how many harmless ones hold: `"none"`, by a
#'   `"level"` for each, or by `"indicators"` of every number but the last.
#' @param anchored whether the mean share is held at the difference in means, which is right whatever
#'   the model: `robust = TRUE` of `ictreg`, which brings it close. Errors are robust then.
#' @param outcome a column that the sensitive item may move, likewise: it is regressed on the item and
#'   on the right side of the formula.
#' @param family of the outcome: `"normal"`, or `"logit"` for the log-odds of a 1.
#' @param errors of a likelihood: by the `"observed"` information, or `"robust"`; with a sampling design
#'   they are linearised, and of replicates those of a fit to each.
#' @param by columns that tell groups apart: a share, or a regression, of each, as of a domain of the
#'   whole sample.
#' @return an object of class `askance_estimate`, or of class `askance_regression`; with an outcome of
#'   class `askance_outcome` too, whose [predict()] gives the mean outcome of people like these who have
#'   the item, and of those who have not. With `by` an object of class `askance_by`, or of regressions
#'   `askance_regressions`: the data frame `groups`, which says where nothing was told (`refused`), and
#'   the list `fits`, with [as.data.frame()], [tidy()] and [glance()].
#' @references Imai, K. (2011). Multivariate regression analysis for the item count technique. *Journal
#'   of the American Statistical Association* 106, 407-416.
#'
#'   Imai, K., Park, B. and Greene, K. F. (2015). Using the predicted responses from list experiments as
#'   explanatory variables in regression models. *Political Analysis* 23, 180-196.
#'
#'   Blair, G., Chou, W. and Imai, K. (2019). List experiments with measurement error. *Political
#'   Analysis* 27, 455-480.
#' @examples
#' survey <- read.csv(system.file("extdata", "practices.csv", package = "askance"))
#' \dontrun{
#' askance_item_count(~items, survey, list = ~list, control = "short", items = 3)
#' askance_item_count(items ~ age + female, survey, list = ~list, control = "short", items = 3)
#' askance_item_count(items ~ female, survey, list = ~list, control = "short", items = 3, outcome = ~age)
#' askance_item_count(~items, survey, list = ~list, control = "short", items = 3, by = ~region)
#' }
#' @export
askance_item_count <- function(formula, data, list, control, items, weights = NULL, strata = NULL, clusters = NULL,
                               constrained = TRUE, overdispersed = FALSE,
                               misreport = c("none", "ceiling", "floor", "ceiling and floor", "top", "uniform"),
                               condition = c("none", "level", "indicators"),
                               method = c("ml", "nls", "lm"), anchored = FALSE, outcome = NULL,
                               family = c("normal", "logit"), errors = c("observed", "robust"),
                               missing = c("drop", "refuse"), level = 0.95, contrasts = NULL, replicates = NULL,
                               by = NULL,
                               reading = NULL) {
  data <- read_as(data, reading, formula)
  refuse_table(data, level)
  missing <- match.arg(missing)
  method <- match.arg(method)
  condition <- match.arg(condition)
  if (!inherits(formula, "formula")) fail("formula", class(formula), "~ items, or items ~ age + region")
  regressed <- length(formula) == 3
  if (!regressed && method != "ml") fail("method", method, "none without covariates: the difference in means")
  if (regressed && !is.name(formula[[2]])) {
    fail("formula", deparse(formula), "the column of counts on the left, such as items ~ age")
  }
  named <- column_names(if (regressed) as.character(formula[[2]]) else formula, "formula", data, 1)
  seen <- as.character(data[[column_names(list, "list", data, 1)]])
  sample <- sample_of(data, weights, strata, clusters, NULL, replicates)
  effect <- outcome_of(data, outcome, match.arg(family))
  groups <- groups_of(data, by, "refused")
  errors <- match.arg(errors)
  how <- c(sample$arguments, groups$arguments, effect$arguments, list(
    list = "seen", control = number_text(control), items = items, method = if (method != "ml") method,
    anchored = anchored, errors = if (errors != "observed") errors, constrained = constrained,
    overdispersed = overdispersed, misreport = match.arg(misreport), condition = condition, missing = missing,
    level = level
  ))
  mechanism <- structure(class = "askance_mechanism", list(
    answers = unique(seen[!is.na(seen) & seen != number_text(control)]),
    told = paste("item counts beside", counted(items, "harmless item"))
  ))
  call <- match.call()
  beside <- c(sample$columns, groups$columns, effect$columns)
  if (!regressed) {
    columns <- c(list(counts = data[[named]], seen = seen), beside)
    told <- suppressMessages(analyse("item-count", columns, list(column = "counts"), how, place = "table"))
    shares <- function(one, n) {
      one$labels <- one$items
      one$reports <- n
      one[c("method", "outcome")] <- c("difference in means", "exact")
      estimate_of(one, call, named, mechanism, "Share for whom the item holds, from")
    }
    if (is.null(by)) return(shares(told, sum(!is.na(data[[named]]) & !is.na(seen))))
    return(shares_by(told$groups, call, groups, shares))
  }
  if (!is.null(outcome)) data[[named]][is.na(effect$columns$outcome)] <- NA # a hole as any other
  frame <- whole_rows(formula, data, missing)
  if (anyNA(seen)) fail("list", "missing values", "a list for each respondent")
  X <- model_columns(frame, contrasts)
  safe <- sprintf("x%d", seq_along(X))
  columns <- c(columns_of(frame, X, safe, nrow(data)), list(seen = seen), beside)
  told <- suppressMessages(analyse("item-count", columns, list(formula = right_side("answer", safe)), how, place = "table"))
  fit_of <- function(one, part = frame) {
    if (!is.null(outcome)) return(outcome_fit(one, call, formula, part, X, mechanism, constrained))
    item_fit(one, call, formula, part, X, mechanism, method, anchored, items, condition)
  }
  if (is.null(by)) fit_of(told) else regressions_of(told$groups, call, formula, mechanism, groups, frame, fit_of)
}

# The difference in means of each group, or why it has none.
shares_by <- function(told, call, groups, shares) {
  parts <- told[order(vapply(told, function(one) as.integer(one$group$group), 0L))]
  structure(class = "askance_by", list(
    call = call, by = names(groups$labels),
    groups = cbind(groups$labels, rows = vapply(parts, `[[`, 0L, "rows"),
                   refused = vapply(parts, function(one) if (is.null(one$refused)) NA_character_ else one$refused, "")),
    fits = lapply(parts, function(one) if (!is.null(one$estimate)) shares(one$estimate, one$rows))
  ))
}

# A regression of the item alone.
item_fit <- function(told, call, formula, frame, X, mechanism, method, anchored, items, condition) {
  told$model <- if (method == "lm") "share for whom each item holds" else "log-odds that each item holds"
  if (method != "ml" || anchored) told[c("log_likelihood", "aic")] <- list(NA_real_, NA_real_) # no top of one
  fit <- regression_of(told, call, formula, frame, X, mechanism, if (method == "lm") "identity" else "logit", FALSE)
  fit[c("items", "condition")] <- list(items, condition)
  class(fit) <- c("askance_items", class(fit))
  fit
}

# The column that the item may move, as numbers, and the arguments that name it.
outcome_of <- function(data, outcome, family) {
  if (is.null(outcome)) return(list())
  named <- column_names(outcome, "outcome", data, 1)
  column <- data[[named]]
  if (!is.numeric(column) && !is.logical(column)) fail("outcome", class(column), "numbers, or TRUE and FALSE")
  list(columns = list(outcome = as.numeric(column)), arguments = list(outcome = "outcome", family = family))
}

# A joint fit: coefficients of the outcome first, of which the second is the item's.
outcome_fit <- function(told, call, formula, frame, X, mechanism, constrained) {
  told$model <- told$description
  free <- is.numeric(told$scale) # the standard deviation of a normal outcome is a parameter too
  if (is.null(told$df)) told$aic <- 2 * (length(told$value) + free) - 2 * told$log_likelihood # none of a complex sample
  fit <- regression_of(told, call, formula, frame, X, mechanism, if (free) "identity" else "logit", FALSE)
  terms <- replace(names(fit$coefficients), 2, paste0("outcome: ", mechanism$answers))
  names(fit$coefficients) <- names(fit$p.value) <- rownames(fit$conf.int) <- terms
  dimnames(fit$vcov) <- list(terms, terms)
  fit[c("sigma", "constrained", "df")] <- list(if (free) told$scale else NA_real_, constrained, length(terms) + free)
  class(fit) <- c("askance_outcome", class(fit))
  fit
}

#' @rdname predict.askance_regression
#' @export
predict.askance_items <- function(object, newdata = NULL, type = c("response", "link"), se.fit = FALSE, ...) {
  type <- match.arg(type)
  if (type == "link" && object$condition != "none") {
    fail("predict(type)", type, '"response", where items go with how many harmless ones hold')
  }
  X <- columns_for(object, newdata)
  predicted(object, function(coefficients) item_shares(object, X, coefficients, type), se.fit)
}

# Shares for whom each item holds: over how many harmless ones do, where it goes with these.
item_shares <- function(fit, X, coefficients, type) {
  named <- as.character(fit$prevalence$answer)
  k <- ncol(X)
  own <- X %*% matrix(coefficients[seq_len(k * length(named))], k)
  share <- if (type == "link") own else link_share(own, fit$link)
  if (fit$condition != "none") {
    chance <- stats::plogis(drop(X %*% coefficients[k * length(named) + seq_len(k)]))
    levels <- matrix(coefficients[-seq_len(k * (length(named) + 1))], ncol = length(named))
    share <- 0
    for (y in 0:fit$items) {
      steps <- if (fit$condition == "level") y else as.numeric(seq_len(fit$items) - 1 == y)
      added <- rep(drop(steps %*% levels), each = nrow(X))
      share <- share + stats::dbinom(y, fit$items, chance) * stats::plogis(own + added)
    }
  }
  if (length(named) == 1) return(drop(share))
  dimnames(share) <- list(rownames(X), named)
  share
}

#' @rdname predict.askance_regression
#' @export
predict.askance_outcome <- function(object, newdata = NULL, type = c("response", "link"), se.fit = FALSE, ...) {
  type <- match.arg(type)
  if (!object$constrained) {
    fail("predict()", "constrained = FALSE", "outcomes that no harmless item moves", "coef() tells what each adds")
  }
  X <- columns_for(object, newdata)
  asked <- function(coefficients) {
    own <- coefficients[seq_len(ncol(X) + 1)]
    eta <- drop(X %*% own[-2]) + cbind(holds = own[[2]], not = rep(0, nrow(X)))
    if (type == "link") eta else link_share(eta, object$link)
  }
  predicted(object, asked, se.fit)
}
