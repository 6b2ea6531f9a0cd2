"""Per-instance results of HELM, lighteval, Every Eval Ever and OpenAI Evals as shared tasks, by pencil."""

from __future__ import annotations

import io
import json
import sys

import pytest

from nlpsig_core.base.errors import TaskError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.readers.logs.helm import run_of
from nlpsig_core.data.task.shared_task import MACRO
from tests.builders import task
from tests.data.task.test_outcomes import lines, scores


def statistic(name, value, split="test"):
    return {"name": {"name": name, "split": split}, "count": 1, "sum": value, "mean": value}


def helm(outcomes, **more):
    """A file of HELM: an entry for each instance, with a number of references before the score."""
    entries = [
        {
            "instance_id": f"id{n}",
            "train_trial_index": 0,
            "stats": [
                statistic("num_references", 4),
                statistic("predicted_index", 1),
                statistic("num_output_tokens", 3),
                statistic("exact_match", o),
            ],
        }
        | more
        for n, o in enumerate(outcomes)
    ]
    return json.dumps(entries, indent=2)


def helm_path(model, subject):
    return f"runs/v1/mmlu:subject={subject},method=joint,model=org_{model}/per_instance_stats.json"


def test_helm_reads_subjects_as_domains_of_one_task():
    """a has 1 of 2 questions in law and 1 of 1 in art, b 0 of 2 and 1 of 1."""
    files = {helm_path("a", "law"): helm([1, 0]), helm_path("b", "law"): helm([0, 0])}
    files |= {helm_path(model, "art"): helm([1]) for model in "ab"}
    instance = {"id": "id0", "input": {"text": "What is law?"}, "references": []}
    instance["references"] = [
        {"output": {"text": text}, "tags": tags} for text, tags in (("x", ["correct"]), ("y", []))
    ]
    files[helm_path("a", "law").replace("per_instance_stats", "instances")] = json.dumps([instance])
    files[helm_path("b", "law").replace("per_instance_stats", "instances")] = json.dumps([instance])
    opened = task(files)
    assert (list(opened.test_sets), opened.problems) == ([""], ())
    assert scores(opened, "exact_match") == {"org_a": 0.6667, "org_b": 0.3333}
    assert scores(opened, "exact_match", domain="law") == {"org_a": 0.5, "org_b": 0}
    assert {name: metric.higher_is_better for name, metric in Offer(opened.test_set()).metrics.items()} == {
        "exact_match": True,
        "num_output_tokens": False,
    }
    gold = opened.test_set().gold
    question = gold.questions[gold.unit_names.index("law id0")]
    assert question == ("What is law?", "x", ("x", "y"))
    assert opened.systems["group"].tolist() == ["org", "org"]


def test_helm_leaves_out_perturbed_questions_and_other_splits_and_says_so():
    entries = json.loads(helm([1, 0])) + json.loads(helm([0], perturbation={"name": "typos"}))
    entries.append({"instance_id": "id9", "train_trial_index": 0, "stats": [statistic("exact_match", 1, "valid")]})
    opened = task({"boolq:model=a/per_instance_stats.json": json.dumps(entries), helm_path("b", "x"): helm([1])})
    assert scores(opened, "exact_match", "boolq") == {"a": 0.5}
    assert opened.problems == (
        "No system has outputs on two test sets: boolq (a), mmlu:method=joint (org_b). If these are several tasks, "
        "open each on its own",
        "boolq:model=a/per_instance_stats.json: left out: 1 answer to perturbed questions and 1 answer of other "
        "splits than test",
    )


def test_a_run_of_helm_is_named_by_its_folder():
    assert run_of("mmlu:subject=law,method=joint,model=org_a") == ("mmlu:method=joint", "org_a", {"subject": "law"})
    assert run_of("gsm:model=m,model_deployment=d") == ("gsm", "m", {})
    assert run_of("anything") == ("anything", "anything", {})


def schema_line(number, score, **more):
    """A line of Every Eval Ever."""
    return {
        "schema_version": "0.2.1",
        "evaluation_id": "e",
        "evaluation_name": "sums",
        "sample_id": f"q{number}",
        "interaction_type": "single_turn",
        "input": {"raw": f"{number} + 1?", "reference": [str(number + 1)], "choices": None},
        "output": {"raw": ["so it is 7"]},
        "answer_attribution": [{"extracted_value": "7", "is_terminal": True}],
        "evaluation": {"score": score, "is_correct": score > 0, "num_turns": None},
        "token_usage": {"input_tokens": 5, "output_tokens": 2, "total_tokens": 7},
        "performance": {"latency_ms": 10.0 * number},
        "metadata": {"subject": "odd" if number % 2 else "even"},
    } | more


def ordered(row, model):
    """The line with its model where the schema has it."""
    first = ("schema_version", "evaluation_id")
    return {key: row[key] for key in first} | {"model_id": model} | {k: v for k, v in row.items() if k not in first}


def test_every_eval_ever_by_pencil():
    """a scores 1, 0, 1, 0 and b 1, 1, 1, 0; latencies are 0, 10, 20 and 30 ms."""
    files = {
        f"sums/org/{model}/x_samples.jsonl": lines(
            *(ordered(schema_line(n, s), f"org/{model}") for n, s in enumerate(own))
        )
        for model, own in {"a": [1, 0, 1, 0], "b": [1, 1, 1, 0]}.items()
    }
    opened = task(files)
    assert opened.problems == ()
    assert scores(opened, "score") == {"org/a": 0.5, "org/b": 0.75}
    assert scores(opened, "latency_ms") == {"org/a": 15, "org/b": 15}
    assert scores(opened, "score", domain="even") == {"org/a": 1, "org/b": 1}
    metrics = Offer(opened.test_set()).metrics
    assert list(metrics)[:3] == ["score", "is_correct", "input_tokens"]
    assert not metrics["total_tokens"].higher_is_better
    assert opened.test_set().gold.questions[1] == ("1 + 1?", "2", ())


def test_every_eval_ever_says_itself_which_scores_are_better():
    """The results beside the answers have the direction; of two evaluations of a model, the later one is used."""
    files = {}
    for model, time, score in (("a", 1, 9), ("a", 2, 1), ("b", 1, 3)):
        row = ordered(schema_line(1, score, schema_version="instance_level_eval_0.2.1"), f"org/{model}")
        files[f"sums/org/{model}/{time}.jsonl"] = lines(row | {"evaluation_id": f"sums/org_{model}/{time}"})
        config = {"evaluation_name": "sums", "metric_config": {"lower_is_better": True}}
        files[f"sums/org/{model}/{time}.json"] = json.dumps({"evaluation_results": [config]})
    opened = task(files)
    assert scores(opened, "score") == {"org/a": 1, "org/b": 3}
    assert not Offer(opened.test_set()).metric("score").higher_is_better
    assert list(opened.unused) == ["sums/org/a/1.jsonl"]


def events(model, outcomes, task_name="match.dev.v0"):
    """A log of OpenAI Evals: a specification, an event of sampling and one of a match for each sample, a report."""
    spec = {"completion_fns": [model], "eval_name": task_name, "created_at": "2024-01-01 10:00:00", "run_id": "r"}
    rows = [{"spec": spec}]
    for n, correct in enumerate(outcomes):
        common = {"run_id": "r", "sample_id": f"s.{n}", "created_by": ""}
        rows.append(
            common | {"type": "sampling", "data": {"prompt": [{"role": "user", "content": "2?"}], "sampled": ["x"]}}
        )
        data = {"correct": correct, "expected": "2", "picked": None, "sampled": "x"}
        rows.append(common | {"type": "match", "data": data})
    return lines(*rows, {"final_report": {"accuracy": 0.5}})


def test_openai_evals_by_pencil():
    """a has 2 of 4 right and b 1; a line that is cut off is named, its question counts as unanswered."""
    b = events("b", [True, False, False, False]).replace('{"final_report"', '{"final_rep\n{"final_report"')
    opened = task({"x.jsonl": events("a", [True, True, False, False]), "y.jsonl": b})
    assert scores(opened, "correct") == {"a": 0.5, "b": 0.25}
    assert opened.problems == ("y.jsonl, line 10: not complete JSON, so left out",)
    gold = opened.test_set().gold
    assert (gold.unit_names[0], gold.questions[0]) == ("s.0", ("2?", "2", ()))


def details(rows):
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    stream = io.BytesIO()
    parquet.write_table(pyarrow.Table.from_pylist(rows), stream)
    return stream.getvalue()


def details_path(model, task_name="lighteval|sums|0"):
    date = "2024-06-01T10-00-00.123456"
    return f"details/org/{model}/{date}/details_{task_name}_{date}.parquet"


def row_of_details(number, score, *, old=False, as_text=False):
    """A row of lighteval, in its current form, with nested values as text, or in its old form."""
    if old:
        return {
            "example": f"{number}?",
            "gold": ["2"],
            "metrics": {"em": score},
            "predictions": [["x"]],
            "specifics": None,
        }
    parts = {
        "doc": {"query": f"{number}?", "choices": ["1", "2"], "gold_index": 1, "id": str(number), "specific": None},
        "metric": {"em": score},
        "model_response": {"text": ["x"]},
    }
    return {name: str(value) for name, value in parts.items()} if as_text else parts


@pytest.mark.parametrize("form", [{}, {"as_text": True}, {"old": True}])
def test_lighteval_by_pencil(form):
    """a has 1, 1, 0 and b 1, 0, 0 right."""
    files = {
        details_path(model): details([row_of_details(n, s, **form) for n, s in enumerate(own)])
        for model, own in {"a": [1.0, 1.0, 0.0], "b": [1.0, 0.0, 0.0]}.items()
    }
    opened = task(files)
    assert opened.problems == ()
    assert scores(opened, "em") == {"org/a": 0.6667, "org/b": 0.3333}
    assert opened.systems["group"].tolist() == ["org", "org"]
    assert opened.test_set().gold.questions[1][:2] == ("1?", "2")


def test_without_pyarrow_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(TaskError, match=r"a parquet file needs the extra .* pip install \"nlpsig-core\[parquet\]\""):
        task({details_path("a"): b"PAR1", details_path("b"): b"PAR1"})


@pytest.mark.parametrize(
    ("path", "content", "reason"),
    [
        (details_path("a"), b"PAR1", "not a readable parquet file"),
        ("m/per_instance_stats.json", b"{}", "not a list of statistics by instance"),
        ("m/per_instance_stats.json", b"[{", "damaged, not JSON"),
        ("x.jsonl", b'{"spec": {"run_id": "r"}}\n', "whose first line names eval_name and completion_fns"),
        ("x.jsonl", b'{"evaluation_id": "e", "model_id": "m"}\n', "no line has evaluation_name, model_id, sample_id"),
    ],
)
def test_a_file_that_is_no_such_log_is_named(path, content, reason):
    pytest.importorskip("pyarrow")
    with pytest.raises(TaskError, match=reason):
        task({path: content})


def test_harnesses_mix_in_one_folder():
    """Each test set has the logs of one harness; the average is over both."""
    files = {"h:model=a/per_instance_stats.json": helm([1, 0]), "h:model=b/per_instance_stats.json": helm([1, 1])}
    files |= {"x.jsonl": events("a", [True, False]), "y.jsonl": events("b", [True, True])}
    opened = task(files)
    assert sorted(opened.test_sets) == ["h", "match.dev.v0"]
    assert scores(opened, None, MACRO) == {"a": 0.5, "b": 1}
