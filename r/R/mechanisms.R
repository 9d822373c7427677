#' How a question was asked
#'
#' A mechanism says with which chances each answer is reported. Chances are numbers, or text with a
#' fraction such as `"1/6"`, which is kept exactly.
#'
#' | mechanism | what happens | reports |
#' |---|---|---|
#' | `rr_direct()` | the answer is reported as it is | the answers |
#' | `rr_warner(truth)` | the answer with chance `truth`, else the other one (Warner 1965) | the answers |
#' | `rr_kary(truth)` | the same with several answers | the answers |
#' | `rr_forced(yes, no)` | of all, "yes" with chance `yes`, "no" with chance `no`, else the answer | the answers |
#' | `rr_one_sided(forced_yes)` | "yes" with chance `forced_yes`, else the answer | the answers |
#' | `rr_mangat(truth_if_no)` | who has not done it says so with chance `truth_if_no`; the others say yes | the answers |
#' | `rr_unrelated(asked, harmless)` | this question with chance `asked`, else a harmless one of known share | the answers |
#' | `rr_kuk(red_if_yes, red_if_no)` | the colour of a card from one of two packs | `red`, `black`; of several draws, how many were red |
#' | `rr_crosswise(harmless)` | whether just one of two things is so | `both or neither`, `just one` |
#' | `rr_triangular(harmless)` | whether one or both of two things are so | `one or both`, `neither` |
#' | `rr_hidden(harmless)` | who has the last answer, which hurts nobody, reports the class of a harmless trait | the answers |
#' | `rr_christofides(marks)` | a card's mark, counted from one end or from the other | `1`, `2`, and so on |
#' | `rr_diagonal(harmless)` | how many steps lead from the answer to the class of a harmless trait, plus one | `1`, `2`, and so on |
#' | `rr_chances(matrix)` | any other: a row of chances for each answer | the names of the columns |
#'
#' @param truth chance that the answer itself is reported.
#' @param yes,no chance that the first, or the second, answer is said whatever the truth.
#' @param forced named chances instead of `yes` and `no`: one for each answer, where there are several.
#' @param forced_yes,truth_if_no,asked,red_if_yes,red_if_no chances, as in the table.
#' @param harmless share of people for whom the harmless trait holds; of `rr_hidden()` and `rr_diagonal()` the share of each
#'   class of it, as many as there are answers.
#' @param marks share of cards with each mark.
#' @param draws how many cards are drawn.
#' @param epsilon instead of a chance: the level of local differential privacy.
#' @param matrix a matrix of chances (numbers, or fractions as text) whose rows, named, are answers
#'   and whose columns, named, are reports.
#' @param means a named list: the answers that each report leaves possible. Left out, all of which it
#'   is not impossible.
#' @param answers the names of the answers; where there are two, the sensitive one comes first. Write
#'   them as your data do: `answers = c(1, 0)`.
#' @return an object of class `askance_mechanism`.
#' @examples
#' rr_warner(truth = 0.75)
#' rr_forced(yes = "1/6", no = "1/6")
#' rr_crosswise(harmless = 0.25)
#' @name mechanisms
NULL

#' @rdname mechanisms
#' @export
rr_direct <- function(answers = c("yes", "no")) {
  answers <- number_text(answers)
  chances <- diag(length(answers))
  dimnames(chances) <- list(answers, answers)
  direct <- rr_chances(chances)
  direct$told <- "a direct question"
  direct
}

#' @rdname mechanisms
#' @export
rr_warner <- function(truth = NULL, epsilon = NULL, answers = c("yes", "no")) {
  mechanism("warner", one_of(truth = truth, epsilon = epsilon), answers)
}

#' @rdname mechanisms
#' @export
rr_kary <- function(truth = NULL, epsilon = NULL, answers) {
  mechanism("kary", one_of(truth = truth, epsilon = epsilon), answers)
}

#' @rdname mechanisms
#' @export
rr_forced <- function(yes, no, forced = NULL, answers = c("yes", "no")) {
  if (is.null(forced)) {
    forced <- stats::setNames(list(yes, no), number_text(answers))
  } else if (missing(answers)) {
    answers <- names(forced)
  }
  mechanism("forced", list(forced = as.list(forced)), answers)
}

#' @rdname mechanisms
#' @export
rr_one_sided <- function(forced_yes, answers = c("yes", "no")) {
  mechanism("one_sided", list(forced_yes = forced_yes), answers)
}

#' @rdname mechanisms
#' @export
rr_mangat <- function(truth_if_no, answers = c("yes", "no")) {
  mechanism("mangat", list(truth_if_no = truth_if_no), answers)
}

#' @rdname mechanisms
#' @export
rr_unrelated <- function(asked, harmless, answers = c("yes", "no")) {
  mechanism("unrelated", list(asked = asked, harmless = harmless), answers)
}

#' @rdname mechanisms
#' @export
rr_kuk <- function(red_if_yes, red_if_no, draws = 1, answers = c("yes", "no")) {
  reports <- if (draws == 1) c("red", "black") else NULL
  mechanism("kuk", list(red_if_yes = red_if_yes, red_if_no = red_if_no, draws = draws), answers, reports)
}

#' @rdname mechanisms
#' @export
rr_crosswise <- function(harmless, answers = c("yes", "no")) {
  mechanism("crosswise", list(harmless = harmless), answers, c("both or neither", "just one"))
}

#' @rdname mechanisms
#' @export
rr_triangular <- function(harmless, answers = c("yes", "no")) {
  mechanism("triangular", list(harmless = harmless), answers, c("one or both", "neither"))
}

#' @rdname mechanisms
#' @export
rr_hidden <- function(harmless, answers) {
  mechanism("hidden", list(harmless = as.list(harmless)), answers)
}

#' @rdname mechanisms
#' @export
rr_christofides <- function(marks, answers = c("yes", "no")) {
  mechanism("christofides", list(marks = as.list(marks)), answers, seq_along(marks))
}

#' @rdname mechanisms
#' @export
rr_diagonal <- function(harmless, answers) {
  mechanism("diagonal", list(harmless = as.list(harmless)), answers, seq_along(answers))
}

#' @rdname mechanisms
#' @export
rr_chances <- function(matrix, means = NULL) {
  if (!is.matrix(matrix) || is.null(rownames(matrix)) || is.null(colnames(matrix))) {
    fail("rr_chances(matrix)", class(matrix), "a matrix whose rows (answers) and columns (reports) have names")
  }
  possible <- apply(matrix, c(1, 2), as.character) != "0"
  if (is.null(means)) {
    means <- lapply(stats::setNames(nm = colnames(matrix)), function(report) rownames(matrix)[possible[, report]])
  }
  rows <- lapply(seq_len(nrow(matrix)), function(at) as.list(unname(matrix[at, ])))
  mechanism("table", list(reports = lapply(means, as.list), rows = rows), rownames(matrix), colnames(matrix))
}

#' @export
print.askance_mechanism <- function(x, ...) {
  cat("asked by ", x$told, "\n", sep = "")
  cat("answers: ", paste(x$answers, collapse = ", "), "\n", sep = "")
  if (!is.null(x$reports)) cat("reports: ", paste(x$reports, collapse = ", "), "\n", sep = "")
  invisible(x)
}

# A recipe by the name that it has in a survey file, with its parameters there.
mechanism <- function(name, parameters, answers, reports = answers) {
  answers <- number_text(answers)
  if (length(answers) < 2 || anyNA(answers) || anyDuplicated(answers)) {
    fail("answers", answers, "two or more names, each once")
  }
  shown <- if (name == "forced") parameters$forced else if (name == "table") list() else parameters
  shown <- vapply(shown, function(one) paste(vapply(one, format, "", digits = 4), collapse = ", "), "")
  structure(class = "askance_mechanism", list(
    name = name, parameters = parameters, answers = answers, reports = if (!is.null(reports)) number_text(reports),
    told = if (name == "table") "written chances" else {
      paste0(name, " (", paste(names(shown), shown, sep = " = ", collapse = ", "), ")")
    }
  ))
}

# The one parameter that is given, of those that would do.
one_of <- function(...) {
  possible <- list(...)
  given <- Filter(Negate(is.null), possible)
  if (length(given) != 1) fail("mechanism", names(given), paste("one of", paste(names(possible), collapse = ", ")))
  given
}

# Mechanisms as the program reads them: one, or those of groups by their names; and their answers.
mechanism_of <- function(mechanisms) {
  if (!inherits(mechanisms[[1]], "askance_mechanism")) return(NULL) # which is refused by its name
  recipes <- lapply(mechanisms, function(mechanism) {
    c(list(name = mechanism$name), lapply(mechanism$parameters, parameter_of))
  })
  list(mechanism = if (is.null(names(recipes))) recipes[[1]] else recipes, answers = I(as.character(mechanisms[[1]]$answers)))
}

# A parameter as a survey file has it: chances as text with every digit, whole numbers as they are.
parameter_of <- function(value) {
  if (is.list(value)) return(lapply(value, parameter_of))
  if (length(value) != 1 || is.na(value)) fail("mechanism", value, "one chance, or one number, for each parameter")
  if (is.numeric(value) && value == round(value)) structure(number_text(value), class = "json") else number_text(value)
}

