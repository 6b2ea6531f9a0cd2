"""METHODS: how the confidence of every edge of a dependency parse is estimated, one entry each.

``evaluation`` knows no parser and no method: it takes confidences and whether edges are wrong.
"""

from __future__ import annotations

from nlpsig_core.base.errors import entry_named
from nlpsig_core.laboratory.confidence import output_methods, parser_methods, tuning
from nlpsig_core.laboratory.confidence.method import OUTPUTS, PARSER, Method, Prediction

__all__ = ["METHODS", "OUTPUTS", "PARSER", "Method", "Prediction", "method_named", "methods_of"]

METHODS: dict[str, Method] = {
    "committee": Method(
        name="committee",
        label="committee",
        what="share of the other systems that have the same edge, or the same tag",
        probability=True,
        source="agreement of systems as confidence; evaluated as in Mejer and Crammer (2012), section 3",
        applies=output_methods.committee_lacks,
        run=output_methods.committee,
    ),
    "given": Method(
        name="given",
        label="given by the system",
        what="Conf= or Prob= in the column MISC, a column after the tags, or the column confidence of a score table",
        probability=True,
        source="the output",
        applies=output_methods.given_lacks,
        run=output_methods.given,
    ),
    "random": Method(
        name="random",
        label="random",
        what="a random number from 0 to 1",
        probability=True,
        of=(OUTPUTS, PARSER),
        source="Mejer and Crammer (2012), table 1, column Random",
        run=output_methods.random,
    ),
    "kd-fix": Method(
        name="kd-fix",
        label="KD-Fix",
        what="share of 50 trees with the edge, each the best under weights with noise",
        probability=True,
        of=(PARSER,),
        source="Mejer and Crammer (2012), section 2",
        run=parser_methods.kd_fix,
        tune=tuning.tune_noise,
    ),
    "wkb": Method(
        name="wkb",
        label="weighted k best",
        what="share of the k best trees with the edge, weighted by score",
        probability=True,
        of=(PARSER,),
        source="Mejer and Crammer (2012), section 2; Hall (2007)",
        run=parser_methods.weighted_k_best,
        tune=tuning.tune_k,
    ),
    "delta": Method(
        name="delta",
        label="Delta",
        what="score of the best tree minus that of the best tree without the edge",
        probability=False,
        of=(PARSER,),
        source="Mejer and Crammer (2012), section 2",
        run=parser_methods.delta,
    ),
    "kd-fix+delta": Method(
        name="kd-fix+delta",
        label="KD-Fix + Delta",
        what="KD-Fix, with Delta among edges that it cannot tell apart",
        probability=False,
        of=(PARSER,),
        source="Mejer and Crammer (2012), section 3",
        run=parser_methods.kd_fix_delta,
        tune=tuning.tune_noise,
    ),
    "kd-fix+delta-tuned": Method(
        name="kd-fix+delta-tuned",
        label="KD-Fix + Delta, tuned",
        what="weighted mean of KD-Fix and Delta, whose weights are tuned too",
        probability=False,
        of=(PARSER,),
        source="ours; Mejer and Crammer (2012), section 3, set the weight of KD-Fix near 1",
        run=parser_methods.kd_fix_delta,
        tune=tuning.tune_mixture,
    ),
    "marginal": Method(
        name="marginal",
        label="marginal",
        what="probability of the edge among all trees",
        probability=True,
        of=(PARSER,),
        source="Koo, Globerson, Carreras and Collins (2007), section 3",
        run=parser_methods.marginal,
        tune=tuning.tune_temperature,
    ),
}


def methods_of(what: str) -> dict[str, Method]:
    """Return the methods that look at OUTPUTS, or at a PARSER, by name."""
    return {name: method for name, method in METHODS.items() if what in method.of}


def method_named(name: str, what: str) -> Method:
    """Return the method of this name that looks at OUTPUTS, or at a PARSER; ChoiceError if there is none."""
    return entry_named("method", name, methods_of(what))
