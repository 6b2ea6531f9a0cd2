"""Evaluations of language models: questions of three tasks, models of two families, and the logs of Inspect."""

import json
import pathlib
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import stream, text
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, new_folder, table, write_files
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES

READING, WORD_ORDER, SUMS = TASKS = ("reading", "word-order", "sums")
PASSAGE, QUESTIONS_OF_A_PASSAGE, CHOICES = 6, 5, 4  # sentences of a passage, and its questions with their choices
# Standard deviations of difficulty: of passages, of questions, and of what a family finds easy.
PASSAGES, QUESTIONS, TASTE = 0.8, 1.0, 0.5


class Model(NamedTuple):
    """A language model: its family, its name, and its skill."""

    family: str
    name: str
    skill: float


SIZES = ((9, "1b", -0.2), (9, "3b", 0.3), (9, "8b", 0.8), (12, "2b", 0.0), (12, "7b", 0.8), (12, "14b", 1.1))
# Two models of different families are equally good.
MODELS = tuple(Model(NAMES[n].lower(), f"{NAMES[n].lower()}-{size}", skill) for n, size, skill in SIZES)


class Item(NamedTuple):
    """A question with its choices, if any, the right answer and wrong ones, and what it belongs to."""

    question: str
    choices: list[str]
    answer: str
    wrong: list[str]
    passage: str = ""
    topic: str = ""


def synthesize_evaluation(
    folder: str | pathlib.Path, *, seed: int = 0, questions: int = 100, epochs: int = 2
) -> pathlib.Path:
    """Fill the folder with the logs of six models that answer three tasks ``epochs`` times; return the folder.

    Raises ValueError for impossible numbers, FileExistsError if the folder is not empty.
    """
    if questions < 5 or not 1 <= epochs <= 99:
        raise ValueError(f"{questions} questions and {epochs} epochs; give at least 5, and 1 to 99")
    files: Files = {}
    truth = [[f"{model.family}/{model.name}", f"{model.skill:.2f}"] for model in MODELS]
    for number, task in enumerate(TASKS):
        items = make_items(task, seed, number, questions)
        for index, chance in enumerate(chances(items, seed, number)):
            samples = [
                answer
                for epoch in range(epochs)
                for answer in answers(task, items, chance, epoch + 1, stream(seed, 52, number, index, epoch))
            ]
            files |= log(MODELS[index], f"2026-01-{index + 1:02d}T10:00:00+00:00", task, samples, epochs)
            truth[index].append(f"{chance.mean():.4f}")
    files["truth.tsv"] = table(["system", "quality", *TASKS], truth)
    files["description.txt"] = (
        f"Evaluation of {len(MODELS)} language models of 2 families on {len(TASKS)} tasks of {questions} questions "
        f"in an invented language, answered {'once' if epochs == 1 else f'{epochs} times'}. Synthetic.\n"
    )
    return write_files(new_folder(folder), files)


def make_items(task: str, seed: int, number: int, questions: int) -> list[Item]:
    """Return the questions of a task."""
    generator = stream(seed, 50, number)
    if task == SUMS:
        return [sum_of_three(*generator.integers(3, 60, 3).tolist()) for _ in range(questions)]
    bank = [sentence for sentence in make_treebank(seed, number, 12 * questions) if 4 <= len(sentence.words) <= 9]
    lines = [(text(sentence), sentence.domain) for sentence in bank]
    if task == WORD_ORDER:
        orderly = [line for line in lines if len(set(line[0].split())) > 2]  # so that CHOICES orders differ
        return [order_of_words(*line, generator) for line in orderly[:questions]]
    starts = range(0, PASSAGE * -(-questions // QUESTIONS_OF_A_PASSAGE), PASSAGE)
    passages = [lines[start : start + PASSAGE] for start in starts]
    return [item for passage in passages for item in about(passage, generator)][:questions]


def sum_of_three(a: int, b: int, c: int) -> Item:
    """Return a question without choices."""
    wrong = [str((a + b) * c), str(a + b * c + 10), str(a + b * c - 1)]
    return Item(f"How much is {a} + {b} * {c}? Answer with the number alone.", [], str(a + b * c), wrong)


def order_of_words(line: str, domain: str, generator: np.random.Generator) -> Item:
    """Return a question for the words of a sentence in their order."""
    words = line.rstrip(".?!").lower().split()
    orders = {" ".join(words): None}
    while len(orders) < CHOICES:
        orders[" ".join(words[i] for i in generator.permutation(len(words)))] = None
    right, *wrong = orders
    choices = list(wrong)
    choices.insert(int(generator.integers(CHOICES)), right)
    question = "Which of these word orders is a sentence of the language?"
    return Item(question, choices, right, wrong, topic=domain)


def about(lines: list[tuple[str, str]], generator: np.random.Generator) -> Iterator[Item]:
    """Yield questions about one passage: which sentence follows another one."""
    sentences, domain = [line for line, _ in lines], lines[0][1]
    for number in range(QUESTIONS_OF_A_PASSAGE):
        others = [sentence for i, sentence in enumerate(sentences) if i not in (number, number + 1)]
        wrong = [others[i] for i in generator.permutation(len(others))[: CHOICES - 1]]
        choices = list(wrong)
        choices.insert(int(generator.integers(CHOICES)), sentences[number + 1])
        question = f"Which sentence follows “{sentences[number]}”?"
        yield Item(question, choices, sentences[number + 1], wrong, " ".join(sentences), domain)


def chances(items: list[Item], seed: int, number: int) -> np.ndarray:
    """Return the probability that each model answers each question rightly, (models, questions)."""
    generator = stream(seed, 51, number)
    passages = list(dict.fromkeys(item.passage for item in items))
    of_passage = PASSAGES * generator.standard_normal(len(passages)) * (len(passages) > 1)
    hard = of_passage[[passages.index(item.passage) for item in items]]
    hard = hard + QUESTIONS * generator.standard_normal(len(items))
    families = list(dict.fromkeys(model.family for model in MODELS))
    taste = TASTE * generator.standard_normal((len(families), len(items)))
    logit = [2 * model.skill - hard + taste[families.index(model.family)] for model in MODELS]
    return np.asarray(1 / (1 + np.exp(-np.array(logit))))


def answers(
    task: str, items: list[Item], chance: np.ndarray, epoch: int, generator: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Yield the answers of a model in one epoch; those of other epochs are independent of them."""
    right, picks = generator.random(len(items)) < chance, generator.random(len(items)).tolist()
    for number, (item, hit, pick) in enumerate(zip(items, right.tolist(), picks, strict=True), start=1):
        answer = item.answer if hit else item.wrong[int(pick * len(item.wrong))]
        yield sample(item, f"{task}-{number:03d}", epoch, answer, hit)


def sample(item: Item, name: str, epoch: int, answer: str, right: bool) -> dict[str, Any]:
    """Return one answer as Inspect logs it."""
    letters = {choice: chr(65 + place) for place, choice in enumerate(item.choices)}
    response = {"role": "assistant", "content": f"I think that the answer is: {answer}"}
    score = {"value": "C" if right else "I", "answer": letters.get(answer, answer)}
    return {
        "id": name,
        "epoch": epoch,
        "input": "\n\n".join(filter(None, [item.passage, item.question])),
        **({"choices": item.choices} if item.choices else {}),
        "target": letters.get(item.answer, item.answer),
        "output": {"choices": [{"message": response}]},
        "scores": {"choice" if item.choices else "match": score},
        "metadata": {key: value for key in ("passage", "topic") if (value := getattr(item, key))},
    }


def log(model: Model, created: str, task: str, samples: list[dict[str, Any]], epochs: int) -> Files:
    """Return a log of Inspect: one file for a model and a task, with all epochs."""
    content = {
        "version": 2,
        "status": "success",
        "eval": {
            "created": created,
            "task": task,
            "task_version": 0,
            "dataset": {"name": task, "samples": len(samples) // epochs, "shuffled": False},
            "model": f"{model.family}/{model.name}",
            "config": {"epochs": epochs, "epochs_reducer": ["mean"]},
        },
        "results": {"total_samples": len(samples), "completed_samples": len(samples)},
        "samples": samples,
    }
    name = f"logs/{created.replace(':', '-')}_{task}_{model.name}.json"
    return {name: json.dumps(content, indent=2, ensure_ascii=False) + "\n"}
