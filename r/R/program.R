#' The program that does the work
#'
#' `askance_program()` finds the program `askance`, and `askance_version()` asks it for its version.
#' Looked at in this order: the option `askance.program`, the environment variable `ASKANCE`, and
#' what the shell finds on its path. The option may be several words, such as
#' `c("python3", "-m", "askance")`.
#'
#' Nothing is downloaded. Where there is no program, the error says how to install it.
#'
#' @return `askance_program()`: the words of the command. `askance_version()`: its version, as text.
#' @examples
#' old <- options(askance.program = c("python3", "-m", "askance"))
#' askance_program()
#' options(old)
#' @export
askance_program <- function() {
  chosen <- getOption("askance.program", default = Sys.getenv("ASKANCE", unset = ""))
  if (!is.character(chosen) || !length(chosen)) {
    fail("option askance.program", chosen, "the words of a command, as text")
  }
  words <- if (nzchar(chosen[1])) chosen else "askance"
  found <- Sys.which(words[1])[[1]]
  if (!nzchar(found)) {
    fail("askance_program()", paste0("no program '", words[1], "'"), "a program that can be run", paste(
      'install it with pip install "askance[survey,engines,learn]",',
      'or say where it is: options(askance.program = "path/to/askance")'
    ), "askance_not_found")
  }
  c(found, words[-1])
}

#' @rdname askance_program
#' @export
askance_version <- function() {
  sub("^.*version ", "", trimws(ask("--version")))
}

# Run the program; give what it prints, or its complaint as an error of R.
ask <- function(...) {
  words <- c(askance_program(), ...)
  told <- tempfile("askance-out-")
  complained <- tempfile("askance-err-")
  on.exit(unlink(c(told, complained)))
  status <- suppressWarnings(system2(words[1], shQuote(words[-1]), stdout = told, stderr = complained))
  lines <- function(path) if (file.exists(path)) readLines(path, encoding = "UTF-8", warn = FALSE)
  if (status != 0) {
    said <- sub("^askance: ", "", paste(lines(complained), collapse = "\n"))
    stop(error_of(if (nzchar(said)) said else paste("the program ended with status", status)))
  }
  for (line in lines(complained)) message(line)
  paste(lines(told), collapse = "\n")
}

# Run a verb on a data frame whose column `answer` was asked by a design; give its JSON, read.
ask_of <- function(verb, design, columns, ...) {
  asked <- tempfile("askance-", fileext = ".toml")
  on.exit(unlink(asked))
  write_lines(survey_text(design), asked)
  ask_table(c(verb, asked), columns, ...)
}

ask_table <- function(words, columns, ...) {
  table <- tempfile("askance-", fileext = ".csv")
  on.exit(unlink(table))
  write_table(columns, table) # in R's own folder, which its owner alone can read
  jsonlite::fromJSON(ask(words, table, ..., "--json"), simplifyDataFrame = FALSE)
}

# Refuse: where, what was got, what is allowed, what to do.
fail <- function(where, got, allowed, remedy = NULL, class = NULL) {
  shown <- as.character(got)
  if (length(shown) > 5) shown <- c(shown[1:5], "...")
  shown <- paste(shown, collapse = ", ")
  stop(error_of(paste0(
    where, ": got ", if (nzchar(shown)) shown else "nothing", "; allowed: ", allowed,
    if (!is.null(remedy)) paste0("; ", remedy)
  ), class))
}

error_of <- function(message, class = NULL) {
  structure(class = c(class, "askance_error", "error", "condition"), list(message = message, call = NULL))
}

# A CSV table with every digit of every number; what is missing is an empty cell.
write_table <- function(columns, path) {
  head <- paste(cell_text(names(columns)), collapse = ",")
  rows <- do.call(paste, c(lapply(columns, cell_text), sep = ","))
  rows[!nzchar(rows)] <- '""' # a line with nothing on it would be no row
  write_lines(c(head, rows), path)
}

cell_text <- function(column) {
  if (is.numeric(column)) {
    whole <- all(column == round(column) & abs(column) < 1e15, na.rm = TRUE)
    text <- sprintf(if (whole) "%.0f" else "%.17g", column)
  } else {
    text <- number_text(column)
    values <- unique(text)
    text <- paste0('"', gsub('"', '""', values, fixed = TRUE), '"')[match(text, values)]
  }
  text[is.na(column)] <- ""
  text
}

# Numbers with all their digits, anything else as text.
number_text <- function(value) {
  if (!is.numeric(value)) return(enc2utf8(as.character(value)))
  short <- sprintf("%.15g", value)
  exact <- suppressWarnings(as.numeric(short)) == value
  ifelse(is.na(exact) | exact, short, sprintf("%.17g", value))
}

write_lines <- function(lines, path) {
  place <- file(path, "wb")
  on.exit(close(place))
  writeLines(enc2utf8(lines), place, useBytes = TRUE)
}
