"""Evaluations of language models: questions of three tasks, models of two families, and the logs of two harnesses."""

import json
import pathlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.grammar import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import stream, text
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, table, write
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES

READING, ORDER, SUMS = TASKS = ("reading", "word-order", "sums")
CHOICES, OF_A_PASSAGE = 4, 6
QUESTIONS_OF_A_PASSAGE = 5
# Standard deviations of difficulty: of passages, of questions, and of what a family finds easy.
PASSAGES, QUESTIONS, TASTE = 0.8, 1.0, 0.5
CREATED = "2026-01-{day:02d}T10:00:00+00:00"
STAMP = "2026-01-{day:02d}T10-00-00.000000"


class Model(NamedTuple):
    """A language model: its family, its name, and its skill."""

    family: str
    name: str
    skill: float


# Two models of different families are equally good.
MODELS = tuple(
    Model(NAMES[family].lower(), f"{NAMES[family].lower()}-{size}", skill)
    for family, size, skill in ((9, "1b", -0.2), (9, "3b", 0.3), (9, "8b", 0.8), (12, "2b", 0.0), (12, "7b", 0.8),
                                (12, "14b", 1.1))
)  # fmt: skip


class Item(NamedTuple):
    """A question with its choices, if any, the right answer and wrong ones, and what it belongs to."""

    question: str
    choices: tuple[str, ...]
    answer: str
    wrong: tuple[str, ...]
    passage: str = ""
    topic: str = ""


class Reply(NamedTuple):
    """What a model wrote, and whether its answer is right."""

    answer: str
    response: str
    right: bool


def synthesize_evaluation(
    folder: str | pathlib.Path, *, seed: int = 0, questions: int = 100, epochs: int = 2, harness: str = "Inspect"
) -> pathlib.Path:
    """Fill the folder with an evaluation of six models on three tasks, as a harness logs it; returns the folder.

    ``epochs`` is the number of answers to a question, of which lm-evaluation-harness logs the first alone. Raises
    ValueError for impossible numbers and unknown harnesses, FileExistsError if the folder is not empty.
    """
    if harness not in HARNESSES:
        raise ValueError(f"harness is {harness!r}; give one of {', '.join(HARNESSES)}")
    if questions < 5 or not 1 <= epochs <= 99:
        raise ValueError(f"{questions} questions and {epochs} epochs; give at least 5, and 1 to 99")
    path = pathlib.Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileExistsError(f"{path} exists and is not empty; name a new folder")
    for place, content in _files(seed, questions, epochs if harness == "Inspect" else 1, harness).items():
        write(path / place, content)
    return path


def _files(seed: int, questions: int, epochs: int, harness: str) -> Files:
    """All files of the evaluation."""
    files: Files = {}
    chances = np.zeros((len(MODELS), len(TASKS)))
    for number, task in enumerate(TASKS):
        items = _items(task, seed, number, questions)
        chance = _chances(items, seed, number)
        chances[:, number] = chance.mean(axis=1)
        for index, model in enumerate(MODELS):
            replies = [list(_replies(items, chance[index], seed, number, index, epoch)) for epoch in range(epochs)]
            files |= HARNESSES[harness](model, index, task, items, replies)
    rows = [[f"{m.family}/{m.name}", f"{m.skill:.2f}", *(f"{c:.4f}" for c in of)]
            for m, of in zip(MODELS, chances.tolist(), strict=True)]  # fmt: skip
    return files | {
        "truth.tsv": table(["system", "quality", *TASKS], rows),
        "description.txt": (
            f"Evaluation of {len(MODELS)} language models of 2 families on {len(TASKS)} tasks of {questions} questions "
            f"in an invented language, answered {'once' if epochs == 1 else f'{epochs} times'}. Synthetic.\n"
        ),
    }


def _items(task: str, seed: int, number: int, questions: int) -> list[Item]:
    """The questions of a task."""
    generator = stream(seed, 50, number)
    if task == SUMS:
        return [_sum(generator) for _ in range(questions)]
    bank = [sentence for sentence in make_treebank(seed, number, 12 * questions) if 4 <= len(sentence.words) <= 9]
    lines = [(text(sentence), sentence.domain) for sentence in bank]
    if task == ORDER:
        return [_order(*line, generator) for line in lines[:questions]]
    passages = -(-questions // QUESTIONS_OF_A_PASSAGE)
    made = [
        item
        for first in range(0, OF_A_PASSAGE * passages, OF_A_PASSAGE)
        for item in _about(lines[first : first + OF_A_PASSAGE], generator)
    ]
    return made[:questions]


def _sum(generator: np.random.Generator) -> Item:
    a, b, c = generator.integers(3, 60, 3).tolist()
    right = a + b * c
    wrong = (str((a + b) * c), str(right + 10), str(right - 1))
    return Item(f"How much is {a} + {b} * {c}? Answer with the number alone.", (), str(right), wrong)


def _order(line: str, domain: str, generator: np.random.Generator) -> Item:
    words = line.rstrip(".?!").lower().split()
    others = [" ".join(words[i] for i in generator.permutation(len(words))) for _ in range(CHOICES - 1)]
    place = int(generator.integers(CHOICES))
    choices = [*others[:place], " ".join(words), *others[place:]]
    question = "Which of these word orders is a sentence of the language?"
    return Item(question, tuple(choices), choices[place], tuple(others), topic=domain)


def _about(lines: list[tuple[str, str]], generator: np.random.Generator) -> Iterator[Item]:
    """Questions about one passage: which sentence stands after another one."""
    sentences, domain = [line for line, _ in lines], lines[0][1]
    passage = " ".join(sentences)
    for number in range(QUESTIONS_OF_A_PASSAGE):
        right, others = sentences[number + 1], [s for i, s in enumerate(sentences) if i not in (number, number + 1)]
        wrong = [others[i] for i in generator.permutation(len(others))[: CHOICES - 1]]
        place = int(generator.integers(CHOICES))
        choices = (*wrong[:place], right, *wrong[place:])
        yield Item(f"Which sentence follows “{sentences[number]}”?", choices, right, tuple(wrong), passage, domain)


def _chances(items: list[Item], seed: int, number: int) -> np.ndarray:
    """The probability that each model answers each question rightly, (models, questions)."""
    generator = stream(seed, 51, number)
    passages = list(dict.fromkeys(item.passage for item in items))
    of_passage = PASSAGES * generator.standard_normal(len(passages)) * (len(passages) > 1)
    hard = np.array([of_passage[passages.index(item.passage)] for item in items])
    hard = hard + QUESTIONS * generator.standard_normal(len(items))
    families = list(dict.fromkeys(model.family for model in MODELS))
    taste = TASTE * generator.standard_normal((len(families), len(items)))
    logit = [2 * model.skill - hard + taste[families.index(model.family)] for model in MODELS]
    return np.asarray(1 / (1 + np.exp(-np.array(logit))))


def _replies(items: list[Item], chance: np.ndarray, seed: int, number: int, model: int, epoch: int) -> Iterator[Reply]:
    """A model's answers in one epoch; those of other epochs are independent of them."""
    generator = stream(seed, 52, number, model, epoch)
    for item, right, pick in zip(
        items, generator.random(len(items)) < chance, generator.random(len(items)), strict=True
    ):
        answer = item.answer if right else item.wrong[int(pick * len(item.wrong))]
        yield Reply(answer, f"I think that the answer is: {answer}", bool(right))


def _prompt(item: Item) -> str:
    choices = "\n".join(f"{chr(65 + n)}) {choice}" for n, choice in enumerate(item.choices))
    return "\n\n".join(filter(None, [item.passage, item.question, choices]))


def _letter(item: Item, answer: str) -> str:
    return chr(65 + item.choices.index(answer)) if item.choices else answer


def _inspect(model: Model, index: int, task: str, items: list[Item], replies: list[list[Reply]]) -> Files:
    """A log of Inspect: one file for a model and a task, with all epochs."""
    scorer = "choice" if items[0].choices else "match"
    samples = [
        _sample(item, f"{task}-{number:03d}", epoch, reply, scorer)
        for epoch, of_epoch in enumerate(replies, 1)
        for number, (item, reply) in enumerate(zip(items, of_epoch, strict=True), 1)
    ]
    created = CREATED.format(day=index + 1)
    log: dict[str, Any] = {
        "version": 2,
        "status": "success",
        "eval": {
            "created": created,
            "task": task,
            "task_version": 0,
            "dataset": {"name": task, "samples": len(items), "shuffled": False},
            "model": f"{model.family}/{model.name}",
            "config": {"epochs": len(replies), "epochs_reducer": ["mean"]},
        },
        "results": {"total_samples": len(samples), "completed_samples": len(samples)},
        "samples": samples,
    }
    name = f"logs/{created.replace(':', '-')}_{task}_{model.name}.json"
    return {name: json.dumps(log, indent=2, ensure_ascii=False) + "\n"}


def _sample(item: Item, name: str, epoch: int, reply: Reply, scorer: str) -> dict[str, Any]:
    value = "C" if reply.right else "I"
    more = {"passage": item.passage} if item.passage else {}
    return {
        "id": name,
        "epoch": epoch,
        "input": "\n\n".join(filter(None, [item.passage, item.question])),
        **({"choices": list(item.choices)} if item.choices else {}),
        "target": _letter(item, item.answer),
        "output": {"choices": [{"message": {"role": "assistant", "content": reply.response}}]},
        "scores": {scorer: {"value": value, "answer": _letter(item, reply.answer)}},
        "metadata": {**more, **({"topic": item.topic} if item.topic else {})},
    }


def _lm_eval(model: Model, index: int, task: str, items: list[Item], replies: list[list[Reply]]) -> Files:
    """The log of lm-evaluation-harness with each model's first answers, and the results beside it."""
    metric = "exact_match"
    rows = [
        {
            "doc_id": number,
            "doc": {key: value for key, value in item._asdict().items() if value and key != "wrong"},
            "target": item.answer,
            "arguments": {"gen_args_0": {"arg_0": _prompt(item), "arg_1": {"until": ["\n\n"]}}},
            "resps": [[reply.response]],
            "filtered_resps": [reply.answer],
            "filter": "none",
            "metrics": [metric],
            "doc_hash": f"{task}-{number}",
            "prompt_hash": f"{task}-{number}",
            "target_hash": f"{task}-{number}",
            metric: float(reply.right),
        }
        for number, (item, reply) in enumerate(zip(items, replies[0], strict=True))
    ]
    stamp, folder = STAMP.format(day=index + 1), f"{model.family}__{model.name}"
    results = {
        "versions": dict.fromkeys(TASKS, 1.0),
        "higher_is_better": {of: {metric: True} for of in TASKS},
        "lm_eval_version": "0.4.9",
        "model_name": f"{model.family}/{model.name}",
    }
    return {
        f"{folder}/samples_{task}_{stamp}.jsonl": "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows),
        f"{folder}/results_{stamp}.json": json.dumps(results, indent=2) + "\n",
    }


HARNESSES: dict[str, Callable[..., Files]] = {"Inspect": _inspect, "lm-evaluation-harness": _lm_eval}
