# Invent the survey of inst/extdata/practices.csv: run by Rscript in this folder.
# Pupils of drawn schools in three regions, asked whether they ever copied homework: each by several
# mechanisms, so that calls can stand beside each other. Seed 1965.
set.seed(1965, kind = "Mersenne-Twister", normal.kind = "Inversion", sample.kind = "Rejection")
yes_no <- function(yes) ifelse(yes, "yes", "no")
regions <- c("north", "middle", "south")
schools <- data.frame(region = rep(regions, each = 10), school = sprintf("s%02d", 1:30), schools = rep(c(80, 50, 60), each = 10))
schools$common <- rnorm(30, 0, 0.3)
people <- schools[rep(1:30, each = 40), ]
n <- nrow(people)
people$weight <- round(people$schools / 10 * runif(n, 2, 4), 2)
people$age <- sample(13:18, n, TRUE)
people$female <- rbinom(n, 1, 0.5)
log_odds <- -5 + 0.25 * people$age - 0.5 * people$female + 0.4 * (people$region == "south") + people$common
truth <- runif(n) < plogis(log_odds)
die <- sample(6, n, TRUE)
forced <- yes_no(ifelse(die == 1, TRUE, ifelse(die == 6, FALSE, truth)))
warner <- yes_no(truth == (runif(n) < 0.75))
crosswise <- ifelse(truth == (runif(n) < 0.25), "both or neither", "just one")
triangular <- ifelse(truth | runif(n) < 0.25, "one or both", "neither")
unrelated <- yes_no(ifelse(runif(n) < 0.7, truth, runif(n) < 0.4))
mangat <- yes_no(truth | runif(n) > 0.7)
kuk <- ifelse(runif(n) < ifelse(truth, 0.8, 0.2), "red", "black")
told <- sample(c("short", "long"), n, TRUE)
items <- rbinom(n, 3, 0.5) + (truth & told == "long")
people$age[sample(n, 12)] <- NA
forced[sample(n, 9)] <- NA
practices <- cbind(
  people[c("region", "school", "schools", "weight", "age", "female")],
  direct = yes_no(truth), forced, warner, crosswise, triangular, unrelated, mangat, kuk, list = told, items = items
)
write.csv(practices, file.path("..", "inst", "extdata", "practices.csv"), row.names = FALSE, quote = FALSE)
