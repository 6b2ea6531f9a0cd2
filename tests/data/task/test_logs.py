"""Logs of evaluations as shared tasks: tasks are test sets, models systems, repeated answers runs."""

from __future__ import annotations

import io
import json
import tracemalloc
import zipfile

import numpy as np
import pytest
from backports.zstd import zipfile as with_zstd

from nlpsig_core.base.errors import ChoiceError, TaskError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers.logs.names import family_of
from nlpsig_core.data.readers.unpacking import ZSTD
from nlpsig_core.data.task.limits import OF_A_LOG
from nlpsig_core.data.task.loading import task_of
from nlpsig_core.data.task.opening import upload_files
from nlpsig_core.data.task.shared_task import MACRO, Correction
from nlpsig_core.significance.comparison.advice import runs_note
from nlpsig_core.significance.comparison.select import load_task, select
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.packing import differences, pack
from nlpsig_core.studies.analyses.answers import several_answers
from nlpsig_core.studies.analyses.campaign import cells
from tests.builders import task
from tests.logs import DATE, inspect_log, inspect_sample, lm_eval_line, lm_eval_log, lm_eval_path

A, B, C = (lm_eval_path(model, "sums") for model in ("org__a", "org__b", "other__c"))


def first_metric(test_set):
    return Offer(test_set).metric()


def scores(opened, metric=None, test_set=None, **more):
    """Scores by system."""
    selection = select(opened, lambda of: Offer(of).metric(metric), test_set, **more)
    return dict(zip(selection.stats.names, selection.stats.scores.round(4).tolist(), strict=True))


def both(**more) -> dict[str, str]:
    """Two models: a answers 3 of 4 questions, b 1 of 4."""
    return {A: lm_eval_log([1, 1, 1, 0], **more), B: lm_eval_log([0, 0, 1, 0], **more)}


def test_means_of_an_lm_eval_folder_by_pencil():
    opened = task(both())
    assert (opened.reader.name, opened.reader.unit, opened.problems) == ("Evaluation logs", "question", ())
    assert scores(opened) == {"org__a": 0.75, "org__b": 0.25}
    assert opened.systems["group"].tolist() == ["org", "org"]
    assert list(Offer(opened.test_set()).metrics) == ["exact_match"]


def test_tasks_are_test_sets_and_a_model_may_lack_one():
    """c has no log of words: it is left out there and of the average, in which a has (0.75 + 0.5) / 2."""
    more = {lm_eval_path(model, "words"): lm_eval_log([1, 0], metric="acc") for model in ("org__a", "org__b")}
    opened = task({**both(), C: lm_eval_log([1, 1, 1, 1]), **more})
    assert list(opened.test_sets) == ["sums", "words"]
    assert scores(opened, test_set="sums") == {"org__a": 0.75, "org__b": 0.25, "other__c": 1}
    assert scores(opened, test_set=MACRO) == {"org__a": 0.625, "org__b": 0.375}
    assert list(Offer(opened.test_set("words")).metrics) == ["main score", "acc", "exact_match"]
    signature = select(opened, first_metric, MACRO).signature(Resampling(10))
    assert signature.startswith("metric:macro-average of main-score|main:exact_match+acc|test:bootstrap")


def test_the_average_is_over_the_tasks_that_have_the_metric():
    more = {lm_eval_path(model, "words"): lm_eval_log([1, 0], metric="acc") for model in ("org__a", "org__b")}
    opened = task({**both(), **more})
    assert scores(opened, "acc", MACRO) == {"org__a": 0.5, "org__b": 0.5}
    assert Offer(opened.test_set("sums")).lacks(Offer(opened.test_set("words")).metric("acc"))
    assert not any(Offer(of).lacks(Offer(of).metric()) for of in opened.test_sets.values())
    with pytest.raises(ChoiceError, match=r"No metric called 'f1'\. Available: acc, exact_match, main score"):
        scores(opened, "f1")


def test_each_filter_is_a_metric_and_lower_is_better_for_some():
    lines = [
        lm_eval_line(n, score, filter=filter, perplexity=2.0 + n, metrics=["exact_match", "perplexity"])
        for n in (0, 1)
        for filter, score in (("strict", 0), ("flexible", n))
    ]
    opened = task({A: "".join(lines), B: "".join(lines)})
    offered = Offer(opened.test_set()).metrics
    assert list(offered) == ["exact_match,strict", "perplexity,strict", "exact_match,flexible", "perplexity,flexible"]
    assert [metric.higher_is_better for metric in offered.values()] == [True, False, True, False]
    assert scores(opened, "exact_match,flexible") == {"org__a": 0.5, "org__b": 0.5}
    assert scores(opened, "perplexity,strict") == {"org__a": 2.5, "org__b": 2.5}


def test_the_results_of_the_run_tell_versions_and_directions():
    def results(version, harness="0.4.9"):
        better = {"sums": {"exact_match": False}}
        return json.dumps({"lm_eval_version": harness, "versions": {"sums": version}, "higher_is_better": better})

    beside = {A: results(1.0), B: results(2.0, "0.9.1")}
    opened = task(
        both() | {p.replace("samples_sums", "results").replace("jsonl", "json"): r for p, r in beside.items()}
    )
    assert not Offer(opened.test_set()).metrics["exact_match"].higher_is_better
    assert opened.problems == (
        f"{B}: written by lm-evaluation-harness 0.9.1, a version that nlpsig does not know; check the numbers",
        "sums: the versions of the task differ, so scores may not be comparable (1.0: org__a; 2.0: org__b)",
    )


def test_the_newest_log_of_a_model_is_used():
    older = lm_eval_path("org__a", "sums", "2023-01-01T00-00-00.5")
    opened = task({**both(), older: lm_eval_log([0, 0, 0, 0])})
    assert scores(opened)["org__a"] == 0.75
    assert opened.problems == (f"{older} is not used: of the logs of its model and task, {A} is the newest",)
    assert opened.roles[older] == "not used"


def test_damaged_lines_and_repeated_questions_are_named_and_cost_no_other_answer():
    """a loses question 3; the second answer to question 0 does not count."""
    damaged = lm_eval_log([1, 1, 1]) + lm_eval_line(0, 0) + lm_eval_line(3, 1)[:50] + "\n"
    opened = task({**both(), A: damaged})
    (problem,) = opened.problems
    assert problem.startswith(f"{A}, line 4: question 0 was already on line 1; the first is used; 1 more sample could")
    selection = select(opened, first_metric, invalid="drop units")
    assert selection.stats.scores.tolist() == [1, 1 / 3]
    assert selection.first.counts.problems == {"org__a": "no score for question 3"}


def test_answers_to_another_question_of_the_same_number_are_left_out():
    opened = task({**both(), C: lm_eval_log([1, 1, 1]) + lm_eval_line(3, 1, doc={"question": "another?"})})
    assert opened.problems == (
        f"{C}, line 4: question 3 is not what most models were asked by that name; these answers are left out",
    )
    assert scores(opened, invalid="drop units") == {"org__a": 1, "org__b": 0.3333, "other__c": 1}
    assert opened.test_set().gold.questions[3].text == "question 3?"


def test_other_prompts_for_the_same_questions_are_a_note():
    opened = task({**both(), C: lm_eval_log([1, 1, 1, 0], prompt_hash="other")})
    assert opened.problems == (
        "sums: the questions are the same, but not all prompts: org__a and other__c had other instructions, examples "
        "or templates",
    )
    assert scores(opened)["other__c"] == 0.75


def test_a_bad_file_does_not_stop_the_others():
    opened = task({**both(), "org/bad.json": '{"version": 2, "status": "success", "eval": {', C: "nothing\n"})
    assert len(scores(opened)) == 2
    assert any("org/bad.json: damaged before its samples" in problem for problem in opened.problems)
    assert f"{C} is not used: it has no samples" in opened.problems
    with pytest.raises(TaskError, match="No log of an evaluation can be used"):
        task({C: "nothing\n"})


def test_a_passage_is_a_document_and_a_subject_a_domain():
    passages = ["a long passage that several questions ask about, of the river", "another one, which is of the mill"]
    log = "".join(
        lm_eval_line(n, n % 2, doc={"question": f"{n}?", "passage": passages[n // 2], "subject": "ab"[n % 2], "x": n})
        for n in range(4)
    )
    opened = task({A: log, B: log})
    assert opened.test_set().documents.tolist() == [f"passage {n}" for n in (1, 1, 2, 2)]
    assert opened.test_set().domains.tolist() == ["a", "b", "a", "b"]
    assert opened.test_set().gold.questions[0].text == f"{passages[0]}\n\n0?"
    assert {opened.roles[f"field › {name}"] for name in ("question", "x")} == {"not used"}
    assert scores(opened, unit="document") == {"org__a": 0.5, "org__b": 0.5}
    corrected = task({A: log, B: log}, Correction(roles={"field › subject": "document", "field › passage": "not used"}))
    assert corrected.test_set().documents.tolist() == ["a", "b", "a", "b"]
    assert (len(corrected.test_set().domains), corrected.roles["field › subject"]) == (0, "document")
    with pytest.raises(ChoiceError, match="No role of a field called 'gold'"):
        task({A: log}, Correction(roles={"field › subject": "gold"}))


def test_the_most_likely_choice_is_the_answer():
    row = {
        "doc": {"question": "Which?", "choices": ["north", "south"]},
        "target": "1",
        "arguments": [["Which?\nAnswer:", " north"], ["Which?\nAnswer:", " south"]],
        "resps": [[["-3.5", "False"]], [["-1.5", "True"]]],
        "filtered_resps": [["-3.5", "False"], ["-1.5", "True"]],
    }
    opened = task({A: lm_eval_line(0, 1, metric="acc", **row), B: lm_eval_line(0, 1, metric="acc", **row)})
    test_set = opened.test_set()
    file = test_set.outputs["org__a"]
    assert test_set.gold.questions[0] == ("Which?", "1: south", ("0: north", "1: south"))
    assert test_set.read(file.path, file.load()).answers == ("1: south",)


@pytest.mark.parametrize("indent", [2, None])
def test_epochs_of_inspect_are_runs(indent):
    """a: 1 and 0 in epoch 1, 1 and 1 in epoch 2: the mean of 0.5 and 1; P is a half, N is nothing."""
    first = [inspect_sample(n, value, epoch) for epoch, n, value in ((1, 1, "C"), (1, 2, "I"), (2, 1, 1), (2, 2, True))]
    second = [inspect_sample(n, value, epoch) for epoch in (1, 2) for n, value in ((1, "P"), (2, "N"))]
    logs = {
        "x.json": inspect_log(first, "openai/a", indent=indent),
        "y.json": inspect_log(second, "hf/m/b", indent=indent),
    }
    opened = task(logs)
    assert opened.problems == ()
    assert opened.systems[["system", "run", "group"]].to_numpy().tolist() == [
        ["openai/a", "1", "openai"],
        ["openai/a", "2", "openai"],
        ["hf/m/b", "1", "m"],
        ["hf/m/b", "2", "m"],
    ]
    assert scores(opened) == {"openai/a": 0.75, "hf/m/b": 0.25}
    file = opened.test_set().outputs["openai/a › 2"]
    output = opened.test_set().read(file.path, file.load())
    assert (output.answers, output.responses) == (("4", "4"), ("It is 4.", "It is 4."))
    lines = logs["x.json"].splitlines()
    assert indent is None or all('"id": ' in lines[line] for line in output.lines)


def epochs(*values: list[float], **more) -> str:
    """A log of Inspect with the values of each question in each epoch."""
    samples = [inspect_sample(n, one, epoch) for n, of in enumerate(values) for epoch, one in enumerate(of, 1)]
    return inspect_log(samples, **more)


def reduced_by(*names: str) -> dict:
    """The part of a log that names the reducers of its epochs."""
    spec = {"created": "2024-06-01", "task": "sums", "task_version": 0, "model": "m", "config": {}}
    return {"eval": spec | {"config": {"epochs_reducer": list(names)}}}


def test_each_task_has_its_own_number_of_epochs():
    """m: (1 + 0.75) / 2 over four epochs of sums, 0.5 over one of words; n has one log and nothing of words."""
    logs = {
        "a.json": epochs([1, 1, 1, 1], [1, 1, 1, 0], model="m"),
        "b.json": epochs([1], [0], model="m", task="words"),
        "c.json": epochs([1, 0, 0, 0], [0, 0, 0, 0], model="k"),
        "d.json": epochs([0], [1], model="k", task="words"),
        "e.json": epochs([1, 1], [1, 1], model="n"),
    }
    opened = task(logs)
    assert scores(opened, test_set=MACRO) == {"m": 0.6875, "k": 0.3125}
    assert scores(opened, test_set="words") == {"m": 0.5, "k": 0.5}
    selection = select(opened, first_metric, MACRO)
    assert "|runs:1-4|" in selection.signature(Resampling(10))
    assert runs_note(selection.stats).startswith("Scores rest on all of a system's repeated answers (1-4 each)")
    assert selection.bootstrap(Resampling(100)).pairs()["gain"].tolist() == [0.375]
    assert selection.test_sets["words"].problems == {"n › 1": "no output for the test set words"}
    table = cells(selection).set_index(["test_set", "system"])["mark"]
    assert [table["words", name] for name in ("m", "k", "n")] == ["", "", "missing"]
    assert table["sums", "m"] == ""
    packed_task = task_of(upload_files([("x.nlpsig", pack(opened))]), "x")
    assert differences(opened, packed_task) == []
    assert scores(packed_task, test_set=MACRO) == {"m": 0.6875, "k": 0.3125}


def test_epochs_are_reduced_as_the_log_says():
    """Of 1, 0, 0.5, 1 the median is 0.75, and two are right: of six pairs of answers one has none, one has both."""
    names = ("max", "median", "mode", "at_least_2", "at_least_3", "pass_at_2", "pass_k_2")
    logs = {f"{n}.json": epochs([1, 0, 0.5, 1], [0, 0, 0, 1], **reduced_by(*names)) for n in "x"}
    opened = task(logs | {"y.json": epochs([0, 0], [0, 0], model="b")})
    by_max = {name: scores(opened, f"match,{name}")["m"] for name in names}
    assert by_max == {
        "max": 1, "median": (0.75 + 0) / 2, "mode": (1 + 0) / 2, "at_least_2": (1 + 0) / 2, "at_least_3": 0,
        "pass_at_2": round((5 / 6 + 1 / 2) / 2, 4), "pass_k_2": round((1 / 6 + 0) / 2, 4),
    }  # fmt: skip
    assert next(iter(Offer(opened.test_set()).metrics)) == "match,max"
    assert scores(opened, "match") == {"m": (2.5 + 1) / 8, "b": 0}


def test_an_epoch_that_is_not_scored_takes_no_part_in_a_reducer_and_an_unknown_one_is_named():
    samples = [inspect_sample(n, value, epoch) for n in (1, 2) for epoch, value in ((1, 0), (2, 1))]
    del samples[1]["scores"]
    opened = task({"x.json": inspect_log(samples, **reduced_by("max", "collect"))})
    assert scores(opened) == {"m": 0.5}
    assert opened.problems == (
        "x.json: scores reduced by collect are not offered: nlpsig does not know how",
        "x.json: there are 1 to 2 answers to a question, whose mean is its score",
    )
    with pytest.raises(TaskError, match=r"no metric with one value per question .it has match.; scores reduced"):
        task({"x.json": inspect_log(samples, **reduced_by("collect"))})


def test_all_answers_count_so_more_of_them_are_not_studied_for_a_reduced_metric():
    opened = task({f"{n}.json": epochs([1, 0], [0, 0], [1, 1], **reduced_by("mean", "max")) for n in "x"})
    assert not several_answers(select(opened, lambda of: Offer(of).metric("match,max")).first.stats)
    assert several_answers(select(opened, first_metric).first.stats)


@pytest.mark.parametrize("indent", [2, None, 4])
def test_other_lists_called_samples_are_not_those_of_the_log(indent):
    """In arguments of the task, in metadata, in what is computed from samples, and in a text."""
    more = reduced_by("mean") | {"results": {"sample_reductions": [{"samples": [{"id": 7}]}]}}
    more["eval"] |= {"task_args": {"samples": [1, 2], "text": '"samples": [{"id": 1}]'}, "metadata": {"samples": ["a"]}}
    log = inspect_log([inspect_sample(n, "CI"[n % 2]) for n in range(4)], indent=indent, **more)
    opened = task({"x.json": log})
    assert opened.problems == ()
    assert scores(opened) == {"m": 0.5}


def test_a_task_whose_samples_all_failed_is_left_out():
    samples = [inspect_sample(n, 0, scores={}, error={"message": "no answer"}) for n in range(3)]
    with pytest.raises(TaskError, match=r"can be used\. sums is not used: none of its samples has a score$"):
        task({"x.json": inspect_log(samples)})


def test_a_task_without_one_value_per_question_is_left_out():
    """Perplexities of whole texts are sums: the log has pairs of likelihoods and words."""
    path = lm_eval_path("org__a", "wiki")
    texts = "".join(lm_eval_line(n, 0, metric="word_perplexity", word_perplexity=[-8.5, 3]) for n in range(3))
    opened = task({**both(), path: texts})
    assert opened.problems == ("wiki is not used: no metric with one value per question (it has word_perplexity)",)
    assert list(opened.test_sets) == [""]
    assert (opened.roles[path], opened.roles[A]) == ("not used", "output")
    assert opened.unused == {path: "no metric with one value per question (it has word_perplexity)"}
    with pytest.raises(TaskError, match=r"No log of an evaluation can be used\. wiki is not used: no metric"):
        task({path: texts})


def test_a_model_with_a_failed_sample_is_left_out_and_the_choice_that_keeps_it_is_named():
    failed = inspect_sample(3, "C", error={"message": "timeout"})
    del failed["scores"]
    log = inspect_log([*(inspect_sample(n, "C") for n in range(3)), failed], "a")
    opened = task({"x.json": log, "y.json": inspect_log([inspect_sample(n, "CI"[n % 2]) for n in range(4)], "b")})
    selection = select(opened, first_metric)
    assert selection.notes["a"] == (
        "no score for question 3; choose 'drop units' for invalid outputs to keep it on the 3 questions that all have"
    )
    with pytest.raises(
        TaskError, match=r"2 systems at least; here is 1 .a: no score for question 3; choose 'drop unit"
    ):
        selection.check()
    assert scores(opened, invalid="drop units") == {"a": 1, "b": 0.6667}


def test_values_of_inspect_may_be_mappings_or_not_numbers():
    value = {"value": {"exact": 1, "notes": "long"}}
    samples = [inspect_sample(n, 0, scores={"judge": value, "odd": {"value": [1, 2]}}) for n in (1, 2)]
    opened = task({"x.json": inspect_log(samples, "a"), "y.json": inspect_log(samples, "b")})
    assert list(Offer(opened.test_set()).metrics) == ["judge/exact"]
    reason = "not one value per question, so not offered as a metric: judge/notes, odd"
    assert opened.problems[0] == f"x.json and 1 more: {reason}"


def test_a_log_of_inspect_that_ended_early_keeps_what_it_has():
    whole = inspect_log([inspect_sample(1, "C"), inspect_sample(2, "C")], "a", version=7, status="error")
    cut = whole[: whole.index("question 2")]
    opened = task({"x.json": cut, "y.json": inspect_log([inspect_sample(n, float("nan")) for n in (1, 2)][:1], "b")})
    assert (
        "x.json: written by Inspect in version 7 of its format, a version that nlpsig does not know"
        in opened.problems[1]
    )
    assert "not complete JSON" in opened.problems[0]
    assert "x.json: the evaluation ended as 'error'; samples may be missing" in opened.problems
    assert opened.test_set().gold.n_units == 1


def packed(log: str, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """The .eval of a log in JSON."""
    stream, header = io.BytesIO(), json.loads(log)
    with with_zstd.ZipFile(stream, "w", method) as archive:
        for sample in header.pop("samples"):
            archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample))
        archive.writestr("header.json", json.dumps(header))
    return stream.getvalue()


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, ZSTD])
def test_an_eval_is_read_like_its_json(method):
    """Inspect packs with zstd, as older versions of it did with deflate."""
    logs = {name: inspect_log([inspect_sample(n, "CI"[n % 2]) for n in range(4)], name) for name in "ab"}
    opened = task({f"{name}.eval": packed(log, method) for name, log in logs.items()})
    assert opened.problems == ()
    assert scores(opened) == scores(task({f"{name}.json": log for name, log in logs.items()}))


def test_an_eval_packed_in_another_way_is_refused_and_a_damaged_one_is_named():
    logs = {f"{name}.json": inspect_log([inspect_sample(n, "C") for n in range(4)], name) for name in "ab"}
    data = packed(logs["a.json"], ZSTD)
    other = data.replace(b"\x5d\x00", b"\x0e\x00")  # the number of zstd to that of LZMA
    at = data.index(b"\x28\xb5\x2f\xfd", data.index(b"header.json"))  # where the packed header begins
    damaged = data[: at + 20] + b"\xff" * 8 + data[at + 28 :]
    opened = task(logs | {"y.eval": other, "z.eval": damaged})
    assert opened.problems[0].startswith("y.eval: packed with method 14, which is not read; write it as JSON with")
    assert opened.problems[1].startswith("z.eval: header.json cannot be unpacked (")


@pytest.mark.parametrize(
    ("model", "family"),
    [("meta-llama__Llama-3.1-8B", "meta-llama"), ("hf/org/m", "org"), ("pythia-160m", "pythia"), ("4o", "4o")],
)
def test_families_of_models(model, family):
    assert family_of(model) == family


def test_answers_are_bounded_and_bytes_do_not_depend_on_the_run():
    long = lm_eval_line(0, 1, resps=[["x" * 100_000]], filtered_resps=["y" * 50_000])
    first, second = (task({A: long, B: long}) for _ in range(2))
    files = [one.test_set().outputs["org__a"].load() for one in (first, second)]
    assert files[0] == files[1]
    assert len(files[0]) < 5_000


def test_a_mean_takes_numbers_and_booleans():
    opened = task({A: lm_eval_line(0, True) + lm_eval_line(1, 2.5), B: lm_eval_line(0, 0) + lm_eval_line(1, None)})
    counts = select(opened, first_metric, invalid="drop units").first.counts
    np.testing.assert_array_equal(counts.values[:, :, 0], [[1, 2.5], [0, np.nan]])


def test_a_pack_has_the_metrics_of_the_logs():
    more = {lm_eval_path(m, "words"): lm_eval_log([1, 0], metric="perplexity") for m in ("org__a", "org__b")}
    opened = task({**both(), **more})
    packed = task_of(upload_files([("x.nlpsig", pack(opened))]), "x")
    assert differences(opened, packed) == []
    assert list(Offer(packed.test_set("sums")).metrics) == ["main score", "exact_match", "perplexity"]
    assert not Offer(packed.test_set("words")).metrics["perplexity"].higher_is_better
    assert scores(packed, "exact_match", "sums") == {"org__a": 0.75, "org__b": 0.25}


def test_a_single_log_opens(tmp_path):
    """Also an .eval, which is a zip but not one of a task; a comparison needs a second model."""
    log = inspect_log([inspect_sample(1, "C")], "a")
    for path in (tmp_path / "x.json", tmp_path / "x.eval"):
        path.write_bytes(log.encode() if path.suffix == ".json" else packed(log))
        assert scores(load_task(path)) == {"a": 1}


def test_old_and_odd_logs_of_inspect():
    """Version 1 has one score without a name; a task may name its models by their roles alone."""
    old = inspect_sample(1, 0, scores=None, score={"value": "C", "answer": "4"})
    spec = {"created": "2024", "task": "pkg/sums", "model": "none/none", "model_roles": {"target": {"model": "b"}}}
    logs = {"x.json": inspect_log([old], "a", version=1), "y.json": inspect_log([old], eval=spec)}
    opened = task(logs)
    assert (opened.problems, list(Offer(opened.test_set()).metrics)) == ((), ["score"])
    assert scores(opened) == {"a": 1, "b": 1}


def test_a_field_that_every_question_or_none_shares_is_no_document_and_no_domain():
    log = "".join(lm_eval_line(n, 1, doc={"question": "?", "context": f"c{n}", "subject": "law"}) for n in range(3))
    opened = task({A: log, B: log}).test_set()
    assert (len(opened.documents), len(opened.domains)) == (0, 0)


def test_without_a_field_for_it_the_question_is_the_end_of_the_prompt():
    """Older versions have lists of arguments, newer ones mappings, chats a text alone in a list."""
    for arguments in ([["long before Q: how?", {}]], {"gen_args_0": {"arg_0": ["Q: how?"], "arg_1": {}}}):
        opened = task({A: lm_eval_line(0, 1, doc={"id": 7}, arguments=arguments), B: lm_eval_line(0, 1, doc={"id": 7})})
        assert opened.test_set().gold.questions[0].text.endswith("Q: how?")


def test_what_is_said_of_many_logs_is_said_once():
    """Of 2 models and 3 tasks, 6 logs are by a version that is not known, and the prompts of 3 tasks differ."""
    files = {}
    for model in ("a", "b"):
        for name in ("x", "y", "z"):
            files[lm_eval_path(model, name)] = lm_eval_log([1, 0], prompt_hash=model)
        files[f"{model}/results_{DATE}.json"] = json.dumps({"lm_eval_version": "1.2"})
    first, second = task(files).problems
    assert first.startswith(f"{lm_eval_path('a', 'x')} and 5 more: written by lm-evaluation-harness 1.2, a version")
    assert second.startswith("x and 2 more: the questions are the same, but not all prompts: a and b had other")


@pytest.mark.parametrize("indent", [2, None])
def test_reading_a_log_takes_no_more_memory_than_its_factor_says(indent):
    """A log of 1 MB with short texts, of which most is kept."""
    log = inspect_log([inspect_sample(n, "C") for n in range(3_000)], indent=indent)
    files = upload_files([("x.json", log.encode())])
    task_of(files, "x")
    tracemalloc.start()
    task_of(files, "x")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < OF_A_LOG * len(log)
