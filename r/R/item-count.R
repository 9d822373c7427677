#' Item counts: list experiments
#'
#' For how many people a sensitive item holds, where half were told some harmless items, the others
#' these and the sensitive one, and each said only how many hold. A one-sided formula gives the
#' difference in means, a two-sided one the regression of Imai (2011), by maximum likelihood or by
#' least squares, as `ictreg` of the package list.
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
#' @return an object of class `askance_estimate`, or of class `askance_regression`.
#' @examples
#' survey <- read.csv(system.file("extdata", "practices.csv", package = "askance"))
#' \dontrun{
#' askance_item_count(~items, survey, list = ~list, control = "short", items = 3)
#' askance_item_count(items ~ age + female, survey, list = ~list, control = "short", items = 3)
#' }
#' @export
askance_item_count <- function(formula, data, list, control, items, weights = NULL, strata = NULL, clusters = NULL,
                               constrained = TRUE, overdispersed = FALSE,
                               misreport = c("none", "ceiling", "floor", "ceiling and floor", "top", "uniform"),
                               method = c("ml", "nls", "lm"), missing = c("drop", "refuse"),
                               level = 0.95, contrasts = NULL) {
  refuse_table(data, level)
  missing <- match.arg(missing)
  method <- match.arg(method)
  if (!inherits(formula, "formula")) fail("formula", class(formula), "~ items, or items ~ age + region")
  regressed <- length(formula) == 3
  if (!regressed && method != "ml") fail("method", method, "none without covariates: the difference in means")
  if (regressed && !is.name(formula[[2]])) {
    fail("formula", deparse(formula), "the column of counts on the left, such as items ~ age")
  }
  named <- column_names(if (regressed) as.character(formula[[2]]) else formula, "formula", data, 1)
  seen <- as.character(data[[column_names(list, "list", data, 1)]])
  sample <- sample_of(data, weights, strata, clusters, NULL)
  how <- c("--list", "seen", "--control", number_text(control), "--items", number_text(items), sample$options,
           "--missing", missing, "--level", number_text(level))
  design <- structure(class = "askance_design", list(
    answers = unique(seen[!is.na(seen) & seen != number_text(control)]),
    told = paste("item counts beside", counted(items, "harmless item"))
  ))
  if (!regressed) {
    columns <- c(list(counts = data[[named]], seen = seen), sample$columns)
    told <- suppressMessages(ask_table("item-count", columns, "--column", "counts", how))
    told$labels <- told$items
    told$reports <- sum(!is.na(data[[named]]) & !is.na(seen))
    told[c("method", "outcome")] <- c("difference in means", "exact")
    return(estimate_of(told, match.call(), named, design, "Share for whom the item holds, from"))
  }
  frame <- whole_rows(formula, data, missing)
  if (anyNA(seen)) fail("list", "missing values", "a list for each respondent")
  X <- model_columns(frame, contrasts)
  safe <- sprintf("x%d", seq_len(ncol(X)))
  columns <- c(columns_of(frame, X, safe, nrow(data)), list(seen = seen), sample$columns)
  told <- suppressMessages(ask_table("item-count", columns, "--formula", right_side("answer", safe), how,
    "--method", method, if (!constrained) "--unconstrained", if (overdispersed) "--overdispersed", "--misreport", match.arg(misreport)
  ))
  told$model <- if (method == "lm") "share for whom each item holds" else "log-odds that each item holds"
  if (method != "ml") told[c("log_likelihood", "aic")] <- list(NA_real_, NA_real_)
  regression_of(told, match.call(), formula, frame, X, design, if (method == "lm") "identity" else "logit", FALSE)
}
