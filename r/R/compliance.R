# People who do not comply, and groups that were asked by different designs.

# The design that is asked for, or those of groups: one to be told, what names the groups, and the
# arguments that say so.
asked_apart <- function(data, design, group) {
  if (is.null(group)) return(list(design = design, designs = list(design), arguments = mechanism_of(list(design))))
  known <- is.list(design) && length(design) > 1 && !is.null(names(design)) && !anyDuplicated(names(design)) &&
    all(vapply(design, inherits, NA, "askance_design"))
  if (!known) fail("design", class(design), "beside group, a list of designs whose names are the groups")
  alike <- vapply(design, function(one) identical(one$answers, design[[1]]$answers), NA)
  if (!all(alike)) fail("design", names(design)[!alike], "the same answers in every group")
  column <- group_names(data, group)
  strange <- setdiff(column, names(design))
  if (length(strange)) fail("group", strange, paste("the names of design:", paste(names(design), collapse = ", ")))
  plain <- all(grepl("^[[:alpha:]][[:alnum:] _.-]*$", names(design)))
  safe <- if (plain) names(design) else paste0("group", seq_along(design))
  told <- vapply(design, `[[`, "", "told")
  list(
    design = structure(class = "askance_design", list(
      answers = design[[1]]$answers,
      told = if (length(unique(told)) == 1) told[[1]] else paste(names(design), told, sep = ": ", collapse = "; ")
    )),
    designs = design, member = match(column, names(design)), labels = stats::setNames(names(design), safe),
    columns = list(version = safe[match(column, names(design))]),
    arguments = c(list(group = "version"), mechanism_of(stats::setNames(design, safe)))
  )
}

# Who is in which group, as text.
group_names <- function(data, group) {
  column <- data[[column_names(group, "group", data, 1)]]
  if (anyNA(column)) fail("group", "missing values", "a value for each respondent", "leave these rows out")
  number_text(if (is.factor(column)) as.character(column) else column)
}

# Reports as the design of each person's group has them.
reported_apart <- function(column, apart, reports, where) {
  if (is.null(apart$member)) return(reported(column, apart$design, reports, where))
  told <- rep(NA_character_, length(column))
  for (at in seq_along(apart$designs)) {
    mine <- apart$member == at
    told[mine] <- reported(column[mine], apart$designs[[at]], reports, where)
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
