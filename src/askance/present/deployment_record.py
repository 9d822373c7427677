"""A record of a deployment for OpenDP's Differential Privacy Deployments Registry."""

import json
import math
import re
from typing import Any

from askance.analysis import Check
from askance.present.board_facts import BoardFacts, assess_actors, board_facts, describe_actor
from askance.present.hazards import Hazard, answer_hazards
from askance.results import counted
from askance_collect.arguments import checked
from askance_collect.lazy import release
from askance_collect.wire.form import Form

BLANK = "TO FILL IN"
"""What stands where only the applicant knows the answer."""

NO_DATE = "1900-01-01"
"""The registry wants a date; its own template has this one until it is filled in."""


@checked
def deployment_record(form: Form, check: Check) -> dict[str, Any]:
    """Write a form's deployment as a draft record of the Differential Privacy Deployments Registry.

    Of tier 3, with the registry's own fields, to be completed: what a form does not hold says
    `TO FILL IN`, and the date of publication is that of the registry's template. As JSON it is a
    YAML document, too, which the registry takes.

    Parameters
    ----------
    form : Form
    check : Check
        By `askance.check`, of that form.

    Raises
    ------
    InputError
        If the check is of another form.

    References
    ----------
    Dwork, Kohli & Mulligan (2019), Differential Privacy in Practice: Expose your Epsilons!; the
    schema of opendp/deployments-registry-data, as of commit 3e9c812.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> record = deployment_record(form, ak.check(form))
    >>> record["deployment"]["deployment_model"]["model_name"], record["status"]
    ('Local', 'Draft')
    """
    facts = board_facts(form, check)
    return {
        "url_slug": re.sub(r"[^a-z0-9]+", "_", check.title.lower()).strip("_") or "survey",
        "status": "Draft",
        "tier": 3,
        "deployment": {
            "basic": _describe_basics(check, facts),
            "dp_variant": _describe_variant(check, facts),
            "privacy_loss": _describe_loss(facts),
            "deployment_model": _describe_model(facts),
            "accounting": _describe_accounting(facts),
            "implementation": _describe_implementation(form, facts),
            "administrative": _describe_administration(form),
        },
    }


@checked
def write_record(form: Form, check: Check) -> str:
    r"""Write the record as JSON, which is YAML as well.

    Parameters
    ----------
    form : Form
    check : Check
        By `askance.check`, of that form.

    >>> import askance as ak
    >>> form = ak.publish(ak.load_survey("examples/affairs.toml"))
    >>> write_record(form, ak.check(form))[:38]
    '{\n  "url_slug": "marriage_and_faith",\n'
    """
    return json.dumps(deployment_record(form, check), indent=2, ensure_ascii=False) + "\n"


def _describe_basics(check: Check, facts: BoardFacts) -> dict[str, Any]:
    total = len(check.questions)
    return {
        "name": check.title,
        "data_curators": [f"{BLANK}: who publishes the results"],
        "intended_use": f"{BLANK}: what the results are for",
        "data_product_type": "Summary statistics",
        "data_product_region": f"{BLANK}: where the people live who are asked",
        "description": (
            f"Estimates from a survey of {counted(total, 'question')}. Questions that are answered "
            "through randomised response or random ranges on the respondent's device: "
            f"{len(facts.protected)}."
        ),
        "publication_date": NO_DATE,
    }


def _describe_variant(check: Check, facts: BoardFacts) -> dict[str, Any]:
    plain = [*facts.plain, *facts.texts]
    unprotected = "None but the number of reports."
    if plain:
        unprotected = f"The number of reports; answers asked plainly: {', '.join(plain)}."
    return {
        "variant_name": "Pure DP" if _is_pure(facts) else "Custom",
        "data_domain": f"All possible answers to the {len(check.questions)} questions of the form.",
        "unprotected_quantities": unprotected,
    }


def _is_pure(facts: BoardFacts) -> bool:
    """Say whether all that is protected has a finite ε."""
    return (
        not (facts.ranges or facts.sets)
        and bool(facts.losses)
        and math.isfinite(facts.total_epsilon)
    )


def _describe_loss(facts: BoardFacts) -> dict[str, Any]:
    parts = [
        f"{', '.join(loss.questions)}: ε = {loss.epsilon:g}"
        if math.isfinite(loss.epsilon)
        else f"{', '.join(loss.questions)}: no bound, reports can exclude answers"
        for loss in facts.losses
    ]
    if facts.ranges:
        parts.append(f"{', '.join(facts.ranges)}: ranges, with interval privacy instead of ε")
    if facts.sets:
        parts.append(
            f"{', '.join(facts.sets)}: sets of answers, with interval privacy instead of ε"
        )
    written: dict[str, Any] = {
        "privacy_unit": "One person's report" if facts.uses_tokens else "One report",
        "privacy_unit_details": (
            "Two datasets are adjacent if they differ in all protected answers of one report. "
            + (
                "A token admits one report, so a person has one report for each code."
                if facts.uses_tokens
                else "The link is open: a person who answers again has another report."
            )
        ),
        "privacy_parameters_details": "; ".join(parts),
    }
    if _is_pure(facts):
        written["privacy_parameters"] = {"epsilon": facts.total_epsilon, "delta": 0.0}
    return written


def _describe_model(facts: BoardFacts) -> dict[str, Any]:
    actors = (describe_actor(actor, facts) for actor in assess_actors(facts))
    return {
        "model_name": "Local",
        "model_name_details": _answer(facts, Hazard.TRUST_MODEL),
        "actors": " ".join(
            f"{who}: sees {seen}; linked to: {whom}; reveals at most: {revealed}."
            for who, seen, whom, revealed in actors
        ),
        "release_type": "One release",
        "release_type_details": f"{BLANK}: whether the same people are asked again",
        "data_source_type": "Static",
        "access_type": "Non-interactive",
        "access_type_details": _answer(facts, Hazard.QUERY_MODEL),
    }


def _describe_accounting(facts: BoardFacts) -> dict[str, Any]:
    return {
        "post_processing": (
            "Every estimate is post-processing of reports. Those from fewer than "
            f"{facts.minimum} reports are withheld."
        ),
        "composition": _answer(facts, Hazard.COMPOSITION),
    }


def _describe_implementation(form: Form, facts: BoardFacts) -> dict[str, Any]:
    mechanisms = dict.fromkeys(filter(None, map(_name_mechanism, form.document["questions"])))
    hazards = Hazard.FLOATING_POINT, Hazard.RANDOMNESS, Hazard.TIMING, Hazard.ACCESS_CONTROL
    return {
        "preprocessing_and_hyperparameter_tuning": _answer(facts, Hazard.TUNING),
        "mechanisms": " ".join(
            [
                f"By Askance {release()}: {', '.join(mechanisms) or 'none'}.",
                *(_answer(facts, hazard) for hazard in hazards),
            ]
        ),
        "justification": f"{BLANK}: why these chances were chosen",
    }


def _name_mechanism(document: dict[str, Any]) -> str:
    about = document.get("coin", document).get("about", {})
    recipe = about.get("mechanism") if isinstance(about, dict) else None
    return str(recipe.get("name", "")) if isinstance(recipe, dict) else ""


def _describe_administration(form: Form) -> dict[str, Any]:
    return {
        "sources": f"The published form, SHA-256 {form.fingerprint}.",
        "notes": f"{BLANK}: publication_date, and whatever says so.",
        "registry_authors": [f"{BLANK}: who writes this record"],
    }


def _answer(facts: BoardFacts, hazard: Hazard) -> str:
    return next(answer.sentence for answer in answer_hazards(facts) if answer.hazard is hazard)
