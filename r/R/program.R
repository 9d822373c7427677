#' The program that does the work
#'
#' `askance_program()` finds the program `askance`, and `askance_version()` asks it for its version.
#' Looked at in this order: the option `askance.program`, the environment variable `ASKANCE`, and
#' what the shell finds on its path. The option may be several words, such as
#' `c("python3", "-m", "askance")`.
#'
#' Where the package processx is installed, the program is started once, at the first call, and waits
#' for the next one: only the first call waits for the start. It ends with R, or by `askance_quit()`,
#' after which the next call starts it again. With `options(askance.resident = FALSE)`, or without
#' processx, each call starts it anew. It is spoken to over its standard input and output alone.
#'
#' Nothing is downloaded. Where there is no program, the error says how to install it.
#'
#' @return `askance_program()`: the words of the command. `askance_version()`: its version, as text.
#'   `askance_quit()`: whether a program was waiting, invisibly.
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
  sub("^.*version ", "", trimws(ask(I("--version"))))
}

#' @rdname askance_program
#' @export
askance_quit <- function() {
  known <- as.character(Sys.getpid())
  one <- waiting[[known]]
  if (is.null(one)) return(invisible(FALSE))
  rm(list = known, envir = waiting)
  close(one$process$get_input_connection()) # its input ends, and so does it
  one$process$wait(2000)
  one$process$kill()
  invisible(TRUE)
}

# The program that waits for the next call, by the R that started it: one that was forked has its own.
waiting <- new.env()

# Make a call of the program, words or a request; give what it prints, or its complaint as an error.
ask <- function(call) {
  program <- askance_program()
  line <- paste0(enc2utf8(as.character(jsonlite::toJSON(call, auto_unbox = TRUE, json_verbatim = TRUE))), "\n")
  answer <- ask_waiting(program, line)
  if (is.null(answer)) answer <- ask_once(program, line)
  answer <- jsonlite::fromJSON(answer)
  if (answer$status != 0) {
    complaint <- sub("^askance: ", "", trimws(answer$err, "right"))
    stop(error_of(if (nzchar(complaint)) complaint else paste("the program ended with status", answer$status)))
  }
  if (nzchar(answer$err)) message(trimws(answer$err, "right"))
  answer$out
}

# By a program that is started for this alone.
ask_once <- function(program, line) {
  files <- c(line = tempfile("askance-in-"), out = tempfile("askance-out-"), err = tempfile("askance-err-"))
  on.exit(unlink(files))
  writeBin(charToRaw(line), files[["line"]])
  status <- suppressWarnings(system2(program[1], shQuote(c(program[-1], "rpc")), stdin = files[["line"]],
                                     stdout = files[["out"]], stderr = files[["err"]]))
  read <- function(path) if (file.exists(path)) readLines(path, encoding = "UTF-8", warn = FALSE)
  answer <- read(files[["out"]])
  if (length(answer)) return(answer[[1]])
  complaint <- paste(read(files[["err"]]), collapse = "\n")
  jsonlite::toJSON(list(status = status, out = "", err = complaint), auto_unbox = TRUE)
}

# By the program that waits; NULL where none can, or it ended without an answer.
ask_waiting <- function(program, line) {
  if (!isTRUE(getOption("askance.resident", TRUE)) || !requireNamespace("processx", quietly = TRUE)) return(NULL)
  process <- waiting_program(program)
  answered <- FALSE
  on.exit(if (!answered) askance_quit()) # else the next call would read this one's answer
  answer <- tryCatch({
    left <- charToRaw(line)
    while (length(left)) left <- process$write_input(left)
    read_line(process)
  }, error = function(error) NULL)
  answered <- !is.null(answer)
  answer
}

waiting_program <- function(program) {
  known <- as.character(Sys.getpid())
  one <- waiting[[known]]
  if (is.null(one) || !identical(one$program, program) || !one$process$is_alive()) {
    askance_quit()
    process <- processx::process$new(program[1], c(program[-1], "rpc"), stdin = "|", stdout = "|", encoding = "UTF-8")
    one <- list(program = program, process = process)
    assign(known, one, envir = waiting)
  }
  one$process
}

# One line of what it says, waited for; NULL where it ends before.
read_line <- function(process) {
  repeat {
    line <- process$read_output_lines(n = 1)
    if (length(line)) return(line)
    if (!process$is_incomplete_output()) return(NULL)
    process$poll_io(-1)
  }
}

# Make a request of an analysis on columns, by arguments that are called as the verb's flags; give its
# JSON, read.
analyse <- function(verb, columns, ..., place = "reports") {
  table <- tempfile("askance-", fileext = ".columns")
  on.exit(unlink(table))
  write_columns(columns, table) # in R's own folder, which its owner alone can read
  request <- c(list(verb = verb, json = TRUE), ...)
  request[[place]] <- if (place == "reports") I(table) else table
  request <- lapply(request[!vapply(request, is.null, NA)], with_every_digit)
  jsonlite::fromJSON(ask(request), simplifyDataFrame = FALSE)
}

# A number with every digit in JSON, where jsonlite writes 15 of up to 17.
with_every_digit <- function(value) {
  if (!is.numeric(value) || length(value) != 1 || !is.finite(value)) return(value)
  structure(number_text(value), class = "json")
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

# Columns as they are: a line that names them, then the numbers of each, or the positions of its texts.
write_columns <- function(columns, path) {
  texts <- lapply(columns, function(one) if (!is.numeric(one)) unique(text_of(one[!is.na(one)])))
  head <- Map(function(name, texts) {
    c(list(name = jsonlite::unbox(enc2utf8(name))), if (!is.null(texts)) list(texts = texts))
  }, names(columns), texts)
  told <- jsonlite::toJSON(list(rows = jsonlite::unbox(length(columns[[1]])), columns = unname(head)))
  place <- file(path, "wb")
  on.exit(close(place))
  writeLines(enc2utf8(as.character(told)), place, useBytes = TRUE)
  for (at in seq_along(columns)) {
    one <- columns[[at]]
    numbers <- if (is.null(texts[[at]])) as.double(one) else match(text_of(one), texts[[at]], 0)
    writeBin(as.double(numbers), place, size = 8, endian = "little")
  }
}

text_of <- function(column) enc2utf8(as.character(column))

# Numbers with all their digits, anything else as text.
number_text <- function(value) {
  if (!is.numeric(value)) return(enc2utf8(as.character(value)))
  values <- unique(value) # of many respondents, few
  short <- sprintf("%.15g", values)
  exact <- suppressWarnings(as.numeric(short)) == values
  ifelse(is.na(exact) | exact, short, sprintf("%.17g", values))[match(value, values)]
}
