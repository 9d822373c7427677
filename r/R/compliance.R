# People who do not comply, and groups that were asked by different mechanisms.

# The mechanism that is asked for, or those of groups: one to be told, what names the groups, and the
# arguments that say so.
asked_apart <- function(data, mechanism, group) {
  if (is.null(group)) {
    return(list(mechanism = mechanism, mechanisms = list(mechanism), arguments = mechanism_of(list(mechanism))))
  }
  known <- is.list(mechanism) && length(mechanism) > 1 &&
    !is.null(names(mechanism)) && !anyDuplicated(names(mechanism)) &&
    all(vapply(mechanism, inherits, NA, "askance_mechanism"))
  if (!known) fail("mechanism", class(mechanism), "beside group, a list of mechanisms whose names are the groups")
  alike <- vapply(mechanism, function(one) identical(one$answers, mechanism[[1]]$answers), NA)
  if (!all(alike)) fail("mechanism", names(mechanism)[!alike], "the same answers in every group")
  column <- group_names(data, group)
  strange <- setdiff(column, names(mechanism))
  if (length(strange)) {
    fail("group", strange, paste("the names of mechanism:", paste(names(mechanism), collapse = ", ")))
  }
  plain <- all(grepl("^[[:alpha:]][[:alnum:] _.-]*$", names(mechanism)))
  safe <- if (plain) names(mechanism) else paste0("group", seq_along(mechanism))
  told <- vapply(mechanism, `[[`, "", "told")
  list(
    mechanism = structure(class = "askance_mechanism", list(
      answers = mechanism[[1]]$answers,
      told = if (length(unique(told)) == 1) told[[1]] else paste(names(mechanism), told, sep = ": ", collapse = "; ")
    )),
    mechanisms = mechanism, member = match(column, names(mechanism)), labels = stats::setNames(names(mechanism), safe),
    columns = list(version = safe[match(column, names(mechanism))]),
    arguments = c(list(group = "version"), mechanism_of(stats::setNames(mechanism, safe)))
  )
}

# Who is in which group, as text.
group_names <- function(data, group) {
  column <- data[[column_names(group, "group", data, 1)]]
  if (anyNA(column)) fail("group", "missing values", "a value for each respondent", "leave these rows out")
  number_text(if (is.factor(column)) as.character(column) else column)
}

# Reports as the mechanism of each person's group has them.
reported_apart <- function(column, apart, reports, where) {
  if (is.null(apart$member)) return(reported(column, apart$mechanism, reports, where))
  told <- rep(NA_character_, length(column))
  for (at in seq_along(apart$mechanisms)) {
    mine <- apart$member == at
    told[mine] <- reported(column[mine], apart$mechanisms[[at]], reports, where)
  }
  told
}

# Who has nothing in what compliance depends on.
holes_beside <- function(data, compliance, models) {
  if (is.null(compliance)) return(integer())
  if (!inherits(compliance, "formula") || length(compliance) != 2 || is.null(models)) {
    fail("compliance", if (is.null(models)) "no models" else deparse(compliance), "a formula such as ~ age, beside models")
  }
  which(!stats::complete.cases(stats::model.frame(compliance, data, na.action = stats::na.pass)))
}

# The columns of the answers, and then those that compliance alone depends on.
with_columns <- function(X, compliance, data, frame, contrasts) {
  if (is.null(compliance)) return(X)
  left_out <- stats::na.action(frame)
  people <- if (length(left_out)) data[-left_out, , drop = FALSE] else data
  Z <- model_columns(stats::model.frame(compliance, people), contrasts)
  structure(c(X, Z[setdiff(names(Z), names(X))]), compliance = names(Z))
}

# The argument that says on which columns compliance depends.
beside <- function(compliance, whole, safe) {
  if (is.null(compliance)) return(NULL)
  list(compliance = right_side("", safe[match(attr(whole, "compliance"), names(whole))]))
}
