#' Shares of the true answers
#'
#' Estimates which share of people has each answer, from reports that each tell it with some chance
#' alone. Without weights this is the most likely distribution given the counts of reports; with
#' weights, strata or clusters it is the pseudo-likelihood estimate with its design-based variance, by
#' linearisation or over replicates; `method` says which.
#'
#' Missing reports are left out: with a complex sample, people who reported are a domain of it.
#'
#' @param formula one-sided, such as `~ stole`, or the name of the column that holds the reports.
#' @param data a data frame with a row for each respondent.
#' @param mechanism how the question was asked, by one of the [mechanisms].
#' @param reports what the column holds in place of the mechanism's own reports, such as
#'   `c(yes = 1, no = 0)`. Numbers and truth values are never guessed.
#' @param weights,strata,clusters,fpc columns of the sample, as a one-sided formula (`~ weight`) or by
#'   name: sampling weights; strata; what was drawn first, such as schools; and the sizes of finite
#'   populations, or the fractions drawn. The last three may name a column for each stage.
#' @param replicates instead of strata and clusters: replicate weights beside `weights`, by their kind and
#'   columns, such as `"brr:rep*"`, `"fay=0.3:rep*"`, `"jk1:rep1,rep2"` or, with a scale, `"0.05:rep*"`.
#' @param by columns that tell groups apart, likewise: shares of each, as domains of the whole sample.
#' @param counts the column that says how many people a row stands for, likewise: `data` is then a table
#'   of counts.
#' @param level of the intervals.
#' @param reading the path of a reading, as `askance look --write` writes it: codes that are missing, what
#'   entries stand for and kinds of columns hold for `data` too.
#' @param methods whether a methods paragraph is written too: `fit$methods`, with its references.
#' @return an object of class `askance_estimate`, with [coef()], [vcov()], [confint()], [nobs()],
#'   [as.data.frame()], [tidy()] and [glance()]. With `by` an object of class `askance_domains`: the
#'   data frame `groups`, with how many reports each has and whether it is small (an effective
#'   sample size below 30), and the list `estimates`; it has [as.data.frame()] and [tidy()].
#' @examples
#' survey <- read.csv(system.file("extdata", "practices.csv", package = "askance"))
#' \dontrun{
#' fit <- askance_estimate(~ crosswise, survey, rr_crosswise(harmless = 0.25))
#' fit
#' tidy(fit)
#' askance_estimate(~ crosswise, survey, rr_crosswise(harmless = 0.25),
#'                  weights = ~ weight, strata = ~ region, clusters = ~ school)
#' }
#' @export
askance_estimate <- function(formula, data, mechanism, reports = NULL, weights = NULL, strata = NULL,
                             clusters = NULL, fpc = NULL, by = NULL, counts = NULL, level = 0.95,
                             methods = FALSE, replicates = NULL,
                             reading = NULL) {
  data <- read_as(data, reading, formula)
  refuse_arguments(data, mechanism, level)
  refuse_paragraph(methods, by)
  named <- column_names(formula, "formula", data, 1)
  sample <- sample_of(data, weights, strata, clusters, fpc, replicates)
  groups <- groups_of(data, by)
  people <- people_of(data, counts)
  columns <- c(list(answer = reported(data[[named]], mechanism, reports, named)), sample$columns, groups$columns,
               people$columns)
  if (all(is.na(columns$answer))) fail(named, "no report", "at least one report")
  told <- analyse("estimate", columns, mechanism_of(list(mechanism)), sample$arguments, groups$arguments,
                  people$arguments, list(column = "answer", level = level, methods = methods))
  call <- match.call()
  if (is.null(by)) {
    fit <- estimate_of(told, call, named, mechanism)
    fit$methods <- paragraph_of(told$methods, sample$shown)
    return(fit)
  }
  at <- vapply(told$groups, function(one) as.integer(one$group$group), 0L)
  told$groups <- told$groups[order(at)]
  structure(class = "askance_domains", list(
    call = call, column = named, mechanism = mechanism, by = names(groups$labels), level = level,
    groups = cbind(groups$labels, reports = vapply(told$groups, `[[`, 0L, "reports"),
                   small = vapply(told$groups, `[[`, NA, "small")),
    estimates = lapply(told$groups, function(one) estimate_of(one$estimate, call, named, mechanism))
  ))
}

# The estimate of everybody, or of a group; NULL where a group sent no report.
estimate_of <- function(told, call, named, mechanism, what = "Share of each answer to") {
  if (is.null(told)) return(NULL)
  structure(class = "askance_estimate", list(
    call = call, what = what, column = named, mechanism = mechanism,
    coefficients = stats::setNames(told$value, told$labels),
    vcov = square(told$covariance, told$labels), conf.int = ends(told, told$labels),
    level = told$level, nobs = told$reports, effective = if (!is.null(told$plain)) stats::setNames(told$plain, told$labels),
    method = told$method, outcome = told$outcome, message = told$message, json = told
  ))
}

#' @export
coef.askance_estimate <- function(object, ...) object$coefficients

#' @export
vcov.askance_estimate <- function(object, ...) object$vcov

#' @export
nobs.askance_estimate <- function(object, ...) object$nobs

#' @export
confint.askance_estimate <- function(object, parm, level = object$level, ...) {
  refuse_level(level, object, "confint(level)")
  told <- as.matrix(object$conf.int)
  colnames(told) <- percent_names(object$level)
  if (missing(parm)) told else told[parm, , drop = FALSE]
}

#' @export
as.data.frame.askance_estimate <- function(x, row.names = NULL, optional = FALSE, ...) {
  data.frame(
    answer = names(x$coefficients), share = unname(x$coefficients), se = unname(errors(x)),
    lower = x$conf.int$lower, upper = x$conf.int$upper, row.names = row.names
  )
}

#' @export
print.askance_estimate <- function(x, digits = 4, ...) {
  cat(x$what, " ", x$column, ", ", x$mechanism$told, "\n\n", sep = "")
  told <- as.data.frame(x)
  names(told) <- c("answer", "share", "std. error", percent_names(x$level))
  print(told, digits = digits, row.names = FALSE)
  cat("\n", counted(x$nobs, "report"), "; ", x$method, "\n", sep = "")
  if (!x$outcome %in% c("exact", "converged")) cat(x$message, "\n", sep = "")
  invisible(x)
}

#' @export
summary.askance_estimate <- function(object, ...) {
  structure(class = "summary.askance_estimate", list(fit = object))
}

#' @export
print.summary.askance_estimate <- function(x, digits = 4, ...) {
  print(x$fit, digits = digits)
  if (length(x$fit$effective)) {
    worth <- paste(format(round(x$fit$effective), trim = TRUE), names(x$fit$effective), sep = " for ", collapse = ", ")
    cat("as precise as so many plain answers: ", worth, "\n", sep = "")
  }
  if (length(x$fit$message)) cat(x$fit$message, "\n", sep = "")
  invisible(x)
}

#' @export
as.data.frame.askance_domains <- function(x, row.names = NULL, optional = FALSE, ...) {
  parts <- lapply(seq_along(x$estimates), function(at) {
    one <- x$estimates[[at]]
    if (is.null(one)) return(NULL)
    cbind(x$groups[at, x$by, drop = FALSE], as.data.frame(one), x$groups[at, c("reports", "small")], row.names = NULL)
  })
  told <- do.call(rbind, parts)
  rownames(told) <- row.names
  told
}

#' @export
print.askance_domains <- function(x, digits = 4, ...) {
  told <- as.data.frame(x)
  if (length(x$mechanism$answers) == 2) {
    told <- told[told$answer == x$mechanism$answers[1], setdiff(names(told), "answer")]
  }
  cat("Share of ", if (length(x$mechanism$answers) == 2) x$mechanism$answers[1] else "each answer", " to ", x$column,
      ", ", x$mechanism$told, ", by ", paste(x$by, collapse = ", "), "\n\n", sep = "")
  at <- match(c("se", "lower", "upper"), names(told))
  names(told)[at] <- c("std. error", percent_names(x$level))
  told$small <- ifelse(told$small, "small", "")
  names(told)[names(told) == "small"] <- ""
  print(told, digits = digits, row.names = FALSE)
  if (any(x$groups$small)) cat("\nsmall: effective n below 30; collapse such groups\n")
  invisible(x)
}

# What is the same for every call.

refuse_arguments <- function(data, mechanism, level) {
  refuse_table(data, level)
  if (!inherits(mechanism, "askance_mechanism")) {
    fail("mechanism", class(mechanism), "how the question was asked", "such as rr_forced(yes = \"1/6\", no = \"1/6\")")
  }
}

refuse_level <- function(level, fit, where) {
  if (!isTRUE(all.equal(level, fit$level))) {
    fail(where, level, paste("the level of the fit,", fit$level),
         "intervals of shares are no multiples of their errors: estimate again with that level")
  }
}

refuse_table <- function(data, level) {
  if (!is.data.frame(data)) fail("data", class(data), "a data frame with a row for each respondent")
  if (!nrow(data)) fail("data", "no row", "a row for each respondent")
  if (!is.numeric(level) || length(level) != 1 || !isTRUE(level > 0 && level < 1)) {
    fail("level", level, "a number in (0, 1)")
  }
}

# The data as a reading says: codes that are missing, what entries stand for, kinds of columns. Of the
# reports, which the formula names first, entries stand for what the reading says of all reports.
read_as <- function(data, reading, formula) {
  if (is.null(reading) || !is.data.frame(data) || !nrow(data)) return(data)
  if (!is.character(reading) || length(reading) != 1 || !file.exists(reading)) {
    fail("reading", reading, "the path of a reading, as askance look --write writes it")
  }
  header <- stats::setNames(rep(list(0), length(data)), names(data))
  said <- analyse("look", header, list(reading = normalizePath(reading)), place = "table")$reading
  report <- if (inherits(formula, "formula")) all.vars(formula)[1] else formula
  for (name in names(data)) {
    own <- said$columns[[name]]
    recode <- unlist(if (length(own$recode)) own$recode else if (identical(name, report)) said$recode)
    codes <- unlist(c(said$missing, own$missing))
    if (length(recode) || length(codes) || length(own$kind)) {
      data[[name]] <- read_column_as(data[[name]], name, recode, codes, own$kind, identical(name, report))
    }
  }
  data
}

read_column_as <- function(column, name, recode, codes, kind, is_report) {
  text <- number_text(if (is.factor(column)) as.character(column) else column)
  text[is.na(column)] <- NA
  coded <- match(text, names(recode))
  missing <- is.na(coded) & text %in% codes
  text[!is.na(coded)] <- recode[coded[!is.na(coded)]]
  text[missing | !nzchar(text)] <- NA
  numbers <- suppressWarnings(as.numeric(text))
  odd <- unique(text[is.na(numbers) & !is.na(text)])
  if (identical(kind, "number") && length(odd)) fail(paste("column", name), odd, "numbers, as the reading says")
  if (identical(kind, "truth")) return(as.logical(text))
  is_number <- identical(kind, "number") || is.numeric(column) || (is.character(column) && !is_report)
  if (!length(odd) && is_number && !identical(kind, "name")) return(numbers)
  if (is.factor(column) && is.null(recode)) return(factor(text, levels = setdiff(levels(column), codes)))
  text
}

# Columns by a one-sided formula or by name, so many at most.
column_names <- function(given, where, data, most = Inf) {
  if (inherits(given, "formula")) {
    if (length(given) != 2) fail(where, deparse(given), "a formula with one side, such as ~ column")
    computed <- setdiff(all.names(given), c("~", "+", all.vars(given)))
    if (length(computed)) fail(where, deparse(given), "columns as they are", "compute a new column first")
    given <- all.vars(given)
  }
  if (!is.character(given) || !length(given) || length(given) > most) {
    fail(where, given, if (most == 1) "the name of one column" else "names of columns")
  }
  strange <- setdiff(given, names(data))
  if (length(strange)) fail(where, strange, paste("columns of data:", paste(names(data), collapse = ", ")))
  given
}

refuse_paragraph <- function(methods, by) {
  if (!isTRUE(methods) && !isFALSE(methods)) fail("methods", methods, "TRUE or FALSE")
  if (methods && !is.null(by)) fail("methods", "by too", "one estimate", "estimate a group's rows at a time")
}

# A methods paragraph and its references, in which columns have the names that they have in the data.
paragraph_of <- function(told, shown) {
  if (is.null(told)) return(NULL)
  for (safe in names(shown)) told$text <- gsub(paste0("\\b\\Q", safe, "\\E\\b(?=[^()]*\\))"), shown[[safe]], told$text, perl = TRUE)
  structure(class = "askance_methods", list(text = told$text, references = as.character(told$references)))
}

#' @export
print.askance_methods <- function(x, ...) {
  cat(strwrap(x$text), "", "References", strwrap(x$references, exdent = 2), sep = "\n")
  invisible(x)
}

# How many people each row stands for, and the argument that names the column.
people_of <- function(data, counts) {
  if (is.null(counts)) return(list())
  column <- data[[column_names(counts, "counts", data, 1)]]
  if (!is.numeric(column) || anyNA(column)) fail("counts", column, "a whole number of people for each row")
  list(columns = list(people = column), arguments = list(counts = "people"), each = column)
}

# The sample's columns under safe names, and the arguments that name them.
sample_of <- function(data, weights, strata, clusters, fpc, replicates) {
  columns <- arguments <- list()
  shown <- character()
  for (kind in c("weights", "strata", "clusters", "fpc")) {
    given <- get(kind, inherits = FALSE)
    if (is.null(given)) next
    named <- column_names(given, kind, data, if (kind == "weights") 1 else Inf)
    safe <- if (length(named) == 1) kind else paste0(kind, seq_along(named))
    for (at in seq_along(named)) {
      column <- data[[named[at]]]
      if (anyNA(column)) fail(kind, paste("missing values in", named[at]), "a value for each respondent")
      columns[[safe[at]]] <- if (is.numeric(column)) column else as.character(column)
    }
    arguments[[kind]] <- if (kind == "weights") safe else I(safe)
    shown[safe] <- named
  }
  again <- replicates_of(data, replicates)
  list(columns = c(columns, again$columns), arguments = c(arguments, again$arguments), shown = shown)
}

# Columns of replicate weights under safe names, and the argument that names them and their kind.
replicates_of <- function(data, given) {
  if (is.null(given)) return(list())
  parts <- if (is.character(given) && length(given) == 1) regmatches(given, regexec("^([^:]+):(.+)$", given))[[1]]
  if (length(parts) != 3) fail("replicates", given, 'a kind and its columns, such as "brr:rep*"')
  patterns <- trimws(strsplit(parts[3], ",", fixed = TRUE)[[1]])
  found <- lapply(patterns, function(one) grep(utils::glob2rx(one), names(data), value = TRUE))
  nobody <- patterns[!lengths(found)]
  if (length(nobody)) fail("replicates", nobody, paste("columns of data:", paste(names(data), collapse = ", ")))
  columns <- data[unique(unlist(found))]
  wrong <- names(columns)[!vapply(columns, function(one) is.numeric(one) && !anyNA(one), NA)]
  if (length(wrong)) fail("replicates", wrong, "columns of numbers, without missing values")
  list(columns = stats::setNames(as.list(columns), sprintf("replicate%d", seq_along(columns))),
       arguments = list(replicates = c(list(columns = I("replicate*")), replicate_kind(parts[2]))))
}

# The kind of replicate weights, or their scale, as a call has it.
replicate_kind <- function(typed) {
  kind <- trimws(strsplit(typed, "=", fixed = TRUE)[[1]])
  if (!grepl("^[a-z]", kind[1])) return(list(scale = kind[1]))
  c(list(kind = kind[1]), if (length(kind) == 2) stats::setNames(list(kind[2]), if (kind[1] == "jkn") "rscales" else "fay"))
}

# Groups as one column of numbers, the argument that names it, and what the numbers stand for.
groups_of <- function(data, by, more = NULL) {
  if (is.null(by)) return(list())
  named <- column_names(by, "by", data)
  taken <- intersect(named, c("answer", "share", "se", "lower", "upper", "reports", "small", more))
  if (length(taken)) fail("by", taken, "names that the result does not use", "give the column another name")
  labels <- as.data.frame(data)[named]
  if (anyNA(labels)) fail("by", "missing values", "a value for each respondent", "make them a group of their own")
  key <- do.call(paste, c(lapply(labels, function(one) match(one, sort(unique(one)))), sep = "."))
  first <- !duplicated(key)
  first <- which(first)[do.call(order, unname(as.list(labels[first, , drop = FALSE])))]
  found <- labels[first, , drop = FALSE]
  rownames(found) <- NULL
  list(columns = list(group = match(key, key[first])), arguments = list(by = I("group")), labels = found)
}

# Reports by the names that the mechanism has for them; NA for what is missing.
reported <- function(column, mechanism, reports, where) {
  values <- unique(column) # of many respondents, few
  reported_values(values, mechanism, reports, where)[match(column, values)]
}

reported_values <- function(column, mechanism, reports, where) {
  text <- number_text(if (is.factor(column)) as.character(column) else column)
  text[is.na(column) | !nzchar(text)] <- NA
  if (!is.null(reports)) {
    if (is.null(names(reports)) || anyDuplicated(reports)) {
      fail("reports", reports, "a name for each value, such as c(yes = 1, no = 0)")
    }
    known <- if (is.null(mechanism$reports)) names(reports) else mechanism$reports
    strange <- setdiff(names(reports), known)
    if (length(strange)) fail("reports", strange, paste("the mechanism's reports:", paste(known, collapse = ", ")))
    renamed <- names(reports)[match(text, number_text(unlist(reports)))]
    missed <- is.na(renamed) & !is.na(text)
    if (any(missed)) fail(where, unique(text[missed]), paste("the values in reports:", paste(reports, collapse = ", ")))
    return(renamed)
  }
  strange <- setdiff(text, c(mechanism$reports, NA))
  if (length(mechanism$reports) && length(strange)) {
    pairs <- paste0("'", mechanism$reports, "' = ...", collapse = ", ")
    fail(where, strange, paste("the mechanism's reports:", paste(mechanism$reports, collapse = ", ")),
         paste0("say which value means which: reports = c(", pairs, ")"))
  }
  text
}

square <- function(covariance, labels) {
  matrix(as.numeric(covariance), length(labels), dimnames = list(labels, labels))
}

ends <- function(told, labels) {
  data.frame(lower = as.numeric(told$lower), upper = as.numeric(told$upper), row.names = labels)
}

errors <- function(fit) sqrt(pmax(diag(fit$vcov), 0))

percent_names <- function(level) paste(format(100 * c((1 - level) / 2, (1 + level) / 2), trim = TRUE, digits = 3), "%")

counted <- function(n, what) paste0(format(n, big.mark = ",", trim = TRUE), " ", what, if (n != 1) "s")
