# Fits the ends that a folder holds: icenReg's library and the folder are given.
# Prints the seconds of each fit; writes the Turnbull intervals and their masses.
given <- commandArgs(TRUE)
.libPaths(c(given[1], .libPaths()))
suppressMessages(library(icenReg))
here <- function(name) file.path(given[2], name)
n <- file.size(here("low")) / 8
ends <- cbind(readBin(here("low"), "double", n), readBin(here("high"), "double", n))
spent <- c()
while (length(spent) < 5 && sum(spent) < 10) {
  began <- as.numeric(Sys.time())
  fit <- ic_np(ends)
  spent <- c(spent, as.numeric(Sys.time()) - began)
}
writeBin(as.vector(fit$T_bull_Intervals[2, ]), here("ends"))
writeBin(as.vector(fit$p_hat), here("mass"))
peak <- grep("VmHWM", readLines("/proc/self/status"), value = TRUE)
cat(format(spent, digits = 17), gsub("[^0-9]", "", peak), "\n")
