"""Runs of HELM: RUN/per_instance_stats.json, where the folder names scenario and model; texts from instances.json."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from nlpsig_core.base.errors import FileError
from nlpsig_core.base.words import count
from nlpsig_core.data.readers.logs.evaluations import About, Fault, Load, LogFormat, Question, Sample, Samples, score_of
from nlpsig_core.data.readers.logs.json_values import digest_of_json, mapping, parsed

STATS, INSTANCES = "per_instance_stats.json", "instances.json"
# Arguments of a scenario whose values are domains of one task; others make another task.
DOMAINS = ("subject", "category", "subset", "topic", "domain", "genre")
# Statistics that HELM reports first for its scenarios; of others, the first one of a file that is not counted here.
MAIN = (
    "exact_match quasi_exact_match prefix_exact_match quasi_prefix_exact_match final_number_exact_match "
    "math_equiv_chain_of_thought math_equiv f1_score rouge_2 rouge_l bleu_4 ROUGE-2 classification_macro_f1 "
    "chain_of_thought_correctness pass"
).split()
# Statistics of the requests, which are no scores of answers.
OF_REQUESTS = re.compile(
    r"num_(?!.*tokens).*|finish_reason_.*|max_prob|predicted_index|logprob.*|batch_size|prompt_truncated|training_.*"
)
# Where an entry of the file begins.
ENTRY = re.compile(rb'"instance_id"\s*:')
# The split of a scenario on which HELM compares models.
TEST = "test"


class Run(NamedTuple):
    """What the name of a run's folder says: the task, the model and the domains."""

    task: str
    model: str
    domains: dict[str, str]


def recognises(path: str, head: Callable[[str], str]) -> bool:
    """Return whether the file is named as HELM names the statistics of instances."""
    return PurePosixPath(path).name == STATS


def beside(path: str) -> str:
    """Return the path of the texts of the instances."""
    return str(PurePosixPath(path).with_name(INSTANCES))


def run_of(name: str) -> Run:
    """Return the task, the model and the domains of a run called SCENARIO:subject=S,model=M,...; M is NAME if none is.

    The slash in a model's name is an underscore there.
    """
    scenario, _, given = name.partition(":")
    arguments = dict(argument.partition("=")[::2] for argument in given.split(",") if argument)
    model = arguments.pop("model", "") or arguments.pop("model_deployment", "") or name
    arguments.pop("model_deployment", None)
    domains = {key: arguments.pop(key) for key in DOMAINS if key in arguments}
    more = ",".join(f"{key}={value}" for key, value in arguments.items())
    return Run(f"{scenario}:{more}" if more else scenario, model, domains)


def logs(load: Load, path: str, beside: bytes | None) -> Iterator[tuple[About, Samples]]:
    """Yield the log of a run; FileError if the file is no list of statistics. Perturbed questions are left out."""
    data, run = load(), run_of(PurePosixPath(path).parent.name)
    try:
        entries = parsed(data)
        texts = {str(mapping(one).get("id")): mapping(one) for one in (parsed(beside) if beside else ())}
    except (ValueError, TypeError) as error:
        raise FileError(path, None, f"damaged, not JSON ({error})") from None
    if not isinstance(entries, list):
        raise FileError(path, None, "not a list of statistics by instance, as HELM writes it")
    splits = {split for entry in entries for split in _splits(entry)}
    kept = TEST if TEST in splits and len(splits) > 1 else ""
    about = About(
        task=run.task,
        model=run.model,
        made="",
        incomplete=_left_out(entries, kept),
    )
    yield about, partial(_samples, data, entries, texts, run.domains, kept)


def _stats(entry: Any) -> list[Mapping[str, Any]]:
    stats = mapping(entry).get("stats")
    return [mapping(stat) for stat in stats] if isinstance(stats, list) else []


def _splits(entry: Any) -> set[str]:
    return {str(split) for stat in _stats(entry) if (split := mapping(stat.get("name")).get("split"))}


def _perturbed(entry: Any) -> bool:
    return bool(mapping(entry).get("perturbation"))


def _left_out(entries: list[Any], kept: str) -> str:
    """Return how many entries are left out: of perturbed questions, and of other splits than the one that is kept."""
    perturbed = sum(map(_perturbed, entries))
    others = sum(kept not in _splits(entry) for entry in entries if not _perturbed(entry)) if kept else 0
    parts = [f"{count(perturbed, 'answer')} to perturbed questions"] * (perturbed > 0)
    parts += [f"{count(others, 'answer')} of other splits than {kept}"] * (others > 0)
    return f"left out: {' and '.join(parts)}" if parts else ""


def _means(entry: Any) -> dict[str, float]:
    """Return the mean of each statistic by name, the main ones first."""
    means: dict[str, float] = {}
    for stat in _stats(entry):
        name, number = str(mapping(stat.get("name")).get("name")), score_of(stat.get("count"))
        total, value = score_of(stat.get("sum")), score_of(stat.get("mean"))
        if value is None and total is not None and number:
            value = total / number
        if value is not None and number != 0 and not OF_REQUESTS.fullmatch(name):
            means.setdefault(name, value)
    return {name: means[name] for name in sorted(means, key=lambda name: MAIN.index(name) if name in MAIN else 99)}


def _samples(
    data: bytes,
    entries: list[Any],
    texts: Mapping[str, Mapping[str, Any]],
    domains: Mapping[str, str],
    kept: str,
    fault: Fault,
) -> Iterator[Sample]:
    begins = [match.start() for match in ENTRY.finditer(data)]
    line, before = 1, 0
    for number, entry in enumerate(entries):
        if len(begins) == len(entries):
            line, before = line + data.count(b"\n", before, begins[number]), begins[number]
        if not isinstance(entry, dict) or "instance_id" not in entry:
            fault(line, "not the statistics of an instance, which have an instance_id")
        elif not _perturbed(entry) and (not kept or kept in _splits(entry)):
            yield _sample(line, entry, mapping(texts.get(str(entry["instance_id"]))), domains)


def _sample(line: int, entry: Mapping[str, Any], instance: Mapping[str, Any], domains: Mapping[str, str]) -> Sample:
    name = " ".join([*domains.values(), str(entry["instance_id"])])
    text = str(mapping(instance.get("input")).get("text") or "")
    references = instance.get("references")
    choices = [mapping(reference) for reference in references] if isinstance(references, list) else []
    shown = [str(mapping(choice.get("output")).get("text", "")) for choice in choices]
    right = [text for text, choice in zip(shown, choices, strict=True) if "correct" in (choice.get("tags") or ())]
    return Sample(
        line=line,
        name=name,
        run=str(entry.get("train_trial_index", "")),
        content=digest_of_json([text, shown]),
        question=partial(Question, text, ", ".join(right), tuple(shown) if len(shown) > 1 else ()),
        fields=domains,
        scores=_means(entry),
    )


HELM = LogFormat(name="HELM", endings=(".json",), recognises=recognises, logs=logs, beside=beside, whole=True)
