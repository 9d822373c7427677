# Run the R blocks of a page, in order, and compare what they print with the lines that begin with #>.
#   Rscript r_page.R PAGE
page <- commandArgs(TRUE)[1]
lines <- readLines(page, encoding = "UTF-8")
fence <- grepl("^```", lines)
opened <- FALSE
block <- character()
faults <- 0
at_home <- new.env(parent = globalenv())

same <- function(found, told) {
  plain <- function(text) gsub("[[:space:]]+", " ", trimws(text))
  found <- plain(found)
  told <- plain(told)
  identical(found[nzchar(found)], told[nzchar(told)])
}

run <- function(code, told) {
  found <- capture.output(for (one in parse(text = code, encoding = "UTF-8")) {
    shown <- withVisible(eval(one, at_home))
    if (shown$visible) print(shown$value)
  })
  if (length(told) && !same(found, told)) {
    faults <<- faults + 1
    cat("The page tells\n", paste0("  ", told, "\n"), "but R says\n", paste0("  ", found, "\n"), sep = "")
  }
}

# A block is pieces: code, then what it prints.
run_block <- function(block) {
  shown <- grepl("^#>", block)
  piece <- cumsum(c(TRUE, head(shown, -1) & !shown[-1]))
  for (one in split(seq_along(block), piece)) {
    run(block[one][!shown[one]], sub("^#> ?", "", block[one][shown[one]]))
  }
}

blocks <- 0
for (at in seq_along(lines)) {
  if (!opened && lines[at] == "```r") {
    opened <- TRUE
    block <- character()
  } else if (opened && fence[at]) {
    opened <- FALSE
    blocks <- blocks + 1
    run_block(block)
  } else if (opened) {
    block <- c(block, lines[at])
  }
}
cat(blocks, "blocks of R in", basename(page), if (faults) paste0("- ", faults, " otherwise than told") else "as told", "\n")
quit(status = if (faults || !blocks) 1 else 0)
