#' Sensitive questions asked with chance
#'
#' Answers that nobody can read off one reply, and shares and regressions that come out right.
#'
#' Say how the question was asked with one of the [mechanisms], then estimate with
#' [askance_estimate()] or regress with [askance_regress()]. The work is done by the program
#' `askance`, which is found by [askance_program()].
#'
#' @keywords internal
#' @importFrom generics tidy glance augment
#' @importFrom stats coef confint vcov nobs logLik predict printCoefmat
"_PACKAGE"

#' @export
generics::tidy

#' @export
generics::glance

#' @export
generics::augment
