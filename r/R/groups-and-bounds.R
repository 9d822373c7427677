#' Groups compared, people who do not comply or reply, and small groups
#'
#' `askance_compare()` estimates the shares of groups, alike or asked by different mechanisms, how far each
#' is from the first, all together, and tests whether they are the same: by likelihood ratio, for a
#' sample by Rao and Scott's F. `askance_compliance()` estimates how many people did not follow the
#' instructions, if groups were asked with different chances, and bounds the shares if a single
#' mechanism does not identify that. `askance_bounds()` bounds the shares under nonresponse or false reports,
#' or of sets of answers that the reports do not distinguish.
#' `askance_small_areas()` estimates many small groups, which borrow strength from all others
#' (empirical Bayes), or from those with similar covariates (Fay and Herriot 1979).
#'
#' @inheritParams askance_estimate
#' @param mechanism how the question was asked, by one of the [mechanisms]; or, with `group`, a list of them
#'   whose names are the groups.
#' @param group the column of groups, as a one-sided formula or by name.
#' @param models who does not comply, as in [askance_regress()]; several kinds as a vector.
#' @param sensitivity how the shares depend on how many do not comply, from nobody up to this share.
#' @param steps in how many steps.
#' @param nonresponse whether who did not reply may have any answer; missing reports did not reply.
#' @param nonrespondents with it: how many people were asked and are not in the data.
#' @param monotone_selection with it: an answer that is at least as common among who did not reply.
#' @param blank_chance with it: the chance of a blank that tells nothing of anyone.
#' @param false_share instead: up to this share of the reports is false, whatever they say.
#' @param sets instead: a named list of answers whose share together is asked for.
#' @param by the columns of small groups, as a one-sided formula or by name; of the other functions
#'   columns that tell people apart, of whom each group is told by itself, as a domain of the sample.
#' @param covariates what is known of groups, a one-sided formula of columns that all rows of a group
#'   agree on, such as `~ rural`.
#' @param errors of the unbiased shares that are drawn together: `"pooled"`, reckoned at everybody's
#'   share; or each group's `"own"`.
#' @return objects of the classes `askance_comparison`, `askance_compliance`, `askance_bounds` and
#'   `askance_areas`, with [as.data.frame()], [tidy()] and [glance()]; with `by`, of small areas apart,
#'   one of class `askance_by`: the data frame `groups`, which says where nothing was told (`refused`),
#'   and the list `fits`, with the same methods. In all of them `low` and `high` are the ends of what fits
#'   the reports equally well, and `lower` and `upper` those of the interval.
#' @examples
#' survey <- read.csv(system.file("extdata", "practices.csv", package = "askance"))
#' forced <- rr_forced(yes = "1/6", no = "1/6")
#' \dontrun{
#' askance_compare(~forced, survey, forced, group = ~region)
#' askance_compliance(~forced, survey, forced, models = "cheating", sensitivity = 0.2)
#' askance_bounds(~forced, survey, forced, nonresponse = TRUE, nonrespondents = 60)
#' askance_small_areas(~forced, survey, forced, by = ~school)
#' }
#' @name groups_and_bounds
NULL

#' @rdname groups_and_bounds
#' @export
askance_compare <- function(formula, data, mechanism, group, reports = NULL, weights = NULL, strata = NULL,
                            clusters = NULL, fpc = NULL, counts = NULL, level = 0.95, replicates = NULL, methods = FALSE,
                            by = NULL,
                            reading = NULL) {
  data <- read_as(data, reading, formula)
  refuse_table(data, level)
  if (inherits(mechanism, "askance_mechanism")) { # one for all groups
    found <- sort(unique(group_names(data, group)))
    mechanism <- stats::setNames(rep(list(mechanism), length(found)), found)
  }
  asked <- asked_column(formula, data, mechanism, group, reports, level)
  sample <- sample_of(data, weights, strata, clusters, fpc, replicates)
  told <- ask_groups("compare", asked, data, sample, counts, level, methods, by)
  call <- match.call()
  of_each(told, call, function(told) comparison_of(told, call, asked, level, sample))
}

comparison_of <- function(told, call, asked, level, sample) {
  named <- asked$apart$labels[names(told$groups)]
  fits <- lapply(told$groups, estimate_of, call = call, named = asked$column, mechanism = asked$apart$mechanism)
  beside <- function(name) as.vector(t(matrix(told[[name]], length(named) - 1)))
  structure(class = "askance_comparison", list(
    call = call, column = asked$column, mechanism = asked$apart$mechanism, level = level,
    groups = do.call(rbind, Map(function(name, fit) cbind(group = name, as.data.frame(fit), reports = fit$nobs), named, unname(fits))),
    differences = data.frame(
      group = rep(unname(named[-1]), each = length(told$labels)), than = named[[1]], answer = told$labels,
      difference = beside("difference"), se = beside("se"), lower = beside("lower"), upper = beside("upper")
    ),
    pooled = estimate_of(told$pooled, call, asked$column, asked$apart$mechanism),
    test = data.frame(statistic = told$deviance, df = told$df, p.value = told$p_value), json = told,
    methods = paragraph_of(told$methods, sample$shown)
  ))
}

#' @rdname groups_and_bounds
#' @export
askance_compliance <- function(formula, data, mechanism, models = NULL, group = NULL, sensitivity = NULL, steps = 4,
                               reports = NULL, weights = NULL, strata = NULL, clusters = NULL, fpc = NULL,
                               counts = NULL, level = 0.95, replicates = NULL, methods = FALSE, by = NULL,
                               reading = NULL) {
  data <- read_as(data, reading, formula)
  asked <- asked_column(formula, data, mechanism, group, reports, level)
  sample <- sample_of(data, weights, strata, clusters, fpc, replicates)
  told <- ask_groups("compliance", asked, data, sample, counts, level, methods, by,
    list(models = models_of(models)),
    if (!is.null(sensitivity)) list(sensitivity = number_text(sensitivity), steps = steps))
  call <- match.call()
  of_each(told, call, function(told) {
    structure(class = "askance_compliance", list(
      call = call, column = asked$column, mechanism = asked$apart$mechanism, level = level,
      answers = bounds_of(told$answers), classes = bounds_of(told$classes), nobs = told$answers$reports, test = told$test,
      is_among_asked = told$is_among_asked, sensitivity = lapply(told$sensitivity, sensitivity_of), json = told,
      methods = paragraph_of(told$methods, sample$shown)
    ))
  })
}

#' @rdname groups_and_bounds
#' @export
askance_bounds <- function(formula, data, mechanism, nonresponse = FALSE, nonrespondents = NULL,
                           monotone_selection = NULL, blank_chance = NULL, false_share = NULL, sets = NULL,
                           group = NULL, reports = NULL, weights = NULL, strata = NULL, clusters = NULL,
                           fpc = NULL, counts = NULL, level = 0.95, replicates = NULL, methods = FALSE, by = NULL,
                           reading = NULL) {
  data <- read_as(data, reading, formula)
  asked <- asked_column(formula, data, mechanism, group, reports, level)
  text <- function(value) if (!is.null(value)) number_text(value)
  sample <- sample_of(data, weights, strata, clusters, fpc, replicates)
  told <- ask_groups("bounds", asked, data, sample, counts, level, methods, by,
    list(nonresponse = nonresponse, nonrespondents = nonrespondents,
         monotone_selection = text(monotone_selection), blank_chance = text(blank_chance),
         false_share = text(false_share), sets = if (length(sets)) lapply(sets, function(one) I(number_text(one)))))
  call <- match.call()
  of_each(told, call, function(told) {
    structure(class = "askance_bounds", list(
      call = call, what = if (is.null(told$title)) "share of each answer" else told$title, column = asked$column,
      mechanism = asked$apart$mechanism, level = level, bounds = bounds_of(told), nobs = told$reports, json = told,
      methods = paragraph_of(told$methods, sample$shown)
    ))
  })
}

#' @rdname groups_and_bounds
#' @export
askance_small_areas <- function(formula, data, mechanism, by, covariates = NULL, errors = c("pooled", "own"),
                                reports = NULL, weights = NULL, strata = NULL, clusters = NULL, fpc = NULL,
                                counts = NULL, level = 0.95, replicates = NULL, methods = FALSE,
                                reading = NULL) {
  data <- read_as(data, reading, formula)
  errors <- match.arg(errors)
  if (is.null(covariates) && errors != "pooled") fail("errors", errors, '"pooled", without covariates')
  asked <- asked_column(formula, data, mechanism, NULL, reports, level)
  known <- known_of(data, covariates)
  asked$columns <- c(asked$columns, known$columns)
  sample <- sample_of(data, weights, strata, clusters, fpc, replicates)
  told <- ask_groups("small-areas", asked, data, sample, counts, level, methods, by,
    known$arguments, list(errors = errors))
  structure(class = "askance_areas", list(
    call = match.call(), column = asked$column, mechanism = asked$apart$mechanism, level = level,
    by = names(told$named),
    areas = if (is.null(told$answers)) areas_of(told, told$named) else areas_by_covariates(told$answers, told$named),
    json = told,
    methods = paragraph_of(told$methods, sample$shown)
  ))
}

# Kinds of people who do not comply, as a list of texts.
models_of <- function(models) if (length(models)) I(as.character(models))

# The reports of one question as a column, by the mechanism of everybody or of each group.
asked_column <- function(formula, data, mechanism, group, reports, level) {
  refuse_table(data, level)
  apart <- asked_apart(data, mechanism, group)
  refuse_arguments(data, apart$mechanism, level)
  named <- column_names(formula, "formula", data, 1)
  told <- reported_apart(data[[named]], apart, reports, named)
  if (all(is.na(told))) fail(named, "no report", "at least one report")
  list(column = named, apart = apart, columns = c(list(answer = told), apart$columns))
}

# Run a verb on such a column, with the sample that is told, of everybody or by groups of people, who
# then have names.
ask_groups <- function(verb, asked, data, sample, counts, level, methods, by, ...) {
  refuse_paragraph(methods, if (verb != "small-areas") by)
  people <- people_of(data, counts)
  groups <- groups_of(data, by, c("group", "than", "difference", "low", "high", "direct", "borrowed", "refused"))
  told <- suppressMessages(analyse(
    verb, c(asked$columns, groups$columns, sample$columns, people$columns), asked$apart$arguments, sample$arguments,
    people$arguments, groups$arguments, list(column = "answer", level = level, methods = methods), ...
  ))
  told$named <- groups$labels
  told
}

# What was told of everybody, or of each group of people.
of_each <- function(told, call, built) {
  named <- told$named
  told$named <- NULL
  if (is.null(named)) return(built(told))
  at <- vapply(told$groups, function(one) as.integer(one$group$group), 0L)
  parts <- told$groups[order(at)]
  structure(class = "askance_by", list(
    call = call, by = names(named),
    groups = cbind(named, reports = vapply(parts, `[[`, 0L, "reports"),
                   refused = vapply(parts, function(one) if (is.null(one$refused)) NA_character_ else one$refused, "")),
    fits = lapply(parts, function(one) if (!is.null(one$estimate)) built(one$estimate))
  ))
}

# A table of each group's, below each other, with the names of the groups.
stacked <- function(x, table) {
  parts <- lapply(seq_along(x$fits), function(at) {
    if (!is.null(x$fits[[at]])) cbind(x$groups[at, x$by, drop = FALSE], table(x$fits[[at]]), row.names = NULL)
  })
  do.call(rbind, parts)
}

bounds_of <- function(told) {
  data.frame(answer = told$labels, low = told$low, high = told$high, lower = told$lower, upper = told$upper)
}

sensitivity_of <- function(told) {
  wide <- length(told$labels)
  flat <- function(name) as.vector(t(matrix(told[[name]], ncol = wide)))
  data.frame(
    noncompliant = rep(told$noncompliant, each = wide), answer = told$labels,
    low = flat("low"), high = flat("high"), lower = flat("lower"), upper = flat("upper")
  )
}

# Columns that are known of groups, as the program makes covariates of them.
known_of <- function(data, covariates) {
  if (is.null(covariates)) return(list())
  if (!inherits(covariates, "formula") || length(covariates) != 2) fail("covariates", covariates, "a formula such as ~ rural")
  frame <- stats::model.frame(covariates, data, na.action = stats::na.pass)
  if (anyNA(frame)) fail("covariates", "missing values", "a value for each respondent")
  X <- model_columns(frame, NULL)
  safe <- sprintf("x%d", seq_along(X))
  list(columns = stats::setNames(X, safe), arguments = list(formula = right_side("", safe)))
}

areas_of <- function(told, labels) {
  at <- as.integer(told$groups)
  wide <- length(told$labels)
  flat <- function(name) as.vector(t(matrix(told[[name]], ncol = wide)))
  cbind(labels[rep(at, each = wide), , drop = FALSE], data.frame(
    answer = told$labels, share = flat("value"), se = flat("se"), lower = flat("lower"), upper = flat("upper"),
    direct = flat("direct"), reports = rep(told$reports, each = wide)
  ), row.names = NULL)
}

areas_by_covariates <- function(told, labels) {
  parts <- lapply(names(told), function(answer) {
    one <- told[[answer]]
    cbind(labels[as.integer(one$groups), , drop = FALSE], data.frame(
      answer = answer, share = one$value, se = one$se, lower = one$lower, upper = one$upper, direct = one$direct,
      borrowed = one$borrowed
    ), row.names = NULL)
  })
  do.call(rbind, parts)
}

#' @export
as.data.frame.askance_comparison <- function(x, row.names = NULL, optional = FALSE, ...) x$differences

#' @export
as.data.frame.askance_compliance <- function(x, row.names = NULL, optional = FALSE, ...) x$answers

#' @export
as.data.frame.askance_bounds <- function(x, row.names = NULL, optional = FALSE, ...) x$bounds

#' @export
as.data.frame.askance_areas <- function(x, row.names = NULL, optional = FALSE, ...) x$areas

#' @export
as.data.frame.askance_by <- function(x, row.names = NULL, optional = FALSE, ...) stacked(x, as.data.frame)

#' @export
print.askance_by <- function(x, digits = 4, ...) print_each(x, digits)

#' @export
print.askance_comparison <- function(x, digits = 4, ...) {
  print_asked(x, "Shares of groups")
  print(x$groups, digits = digits, row.names = FALSE)
  cat("\n")
  print(x$differences, digits = digits, row.names = FALSE)
  cat("\nshares are the same in all groups: statistic ", format(x$test$statistic, digits = digits), ", ", x$test$df,
      " degrees of freedom, p ", format(x$test$p.value, digits = 3), "\n", sep = "")
  invisible(x)
}

#' @export
print.askance_compliance <- function(x, digits = 4, ...) {
  print_asked(x, "Shares where some do not comply")
  print(x$answers, digits = digits, row.names = FALSE)
  cat("\n")
  print(x$classes, digits = digits, row.names = FALSE)
  for (one in x$sensitivity) {
    cat("\n")
    print(one, digits = digits, row.names = FALSE)
  }
  invisible(x)
}

#' @export
print.askance_bounds <- function(x, digits = 4, ...) {
  print_asked(x, x$what)
  print(x$bounds, digits = digits, row.names = FALSE)
  cat("\n", if (isTRUE(x$json$is_among_asked)) paste(format(x$nobs, big.mark = ","), "people who were asked") else counted(x$nobs, "report"), "\n", sep = "")
  invisible(x)
}

#' @export
print.askance_areas <- function(x, digits = 4, ...) {
  print_asked(x, paste("Shares by", paste(x$by, collapse = ", ")))
  print(x$areas, digits = digits, row.names = FALSE)
  invisible(x)
}

print_asked <- function(x, what) cat(what, ", from ", x$column, ", ", x$mechanism$told, "\n\n", sep = "")
