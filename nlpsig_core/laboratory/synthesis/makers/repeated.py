"""Systems trained several times: the runs of a system differ only by chance, and two systems are equally good."""

import pathlib
from collections.abc import Iterator
from typing import NamedTuple

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank, rate
from nlpsig_core.laboratory.synthesis.language.grammar import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import gold_conllu, output_conllu, stream
from nlpsig_core.laboratory.synthesis.makers.parsing import domain_rows, gold_path, output_path
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, table, write
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES, Entrants, Single
from nlpsig_core.laboratory.synthesis.systems.outputs import expected_las, system_sentences

# Standard deviation of the quality of a system's runs.
TRAINING = 0.03
TOKENISER = "careful"


class System(NamedTuple):
    """A system to train: its name, its group, and the mean quality of its runs."""

    name: str
    group: str
    quality: float


# The first two are equally good and of different groups; each group has two systems.
SYSTEMS = tuple(
    System(f"{NAMES[group]}-{kind}", NAMES[group], quality)
    for group, kind, quality in ((20, "base", 1.2), (23, "base", 1.2), (20, "large", 1.36), (23, "small", 1.1))
)


def synthesize_runs(folder: str | pathlib.Path, *, seed: int = 0, sentences: int = 200, runs: int = 5) -> pathlib.Path:
    """Fill the folder with a parsing task of four systems, ``runs`` outputs each and true qualities; returns it.

    Raises ValueError for impossible numbers, FileExistsError if the folder is not empty.
    """
    if sentences < 5:
        raise ValueError(f"sentences is {sentences}; a test set needs at least 5")
    if not 1 <= runs <= 99:
        raise ValueError(f"runs is {runs}; give 1 to 99")
    path = pathlib.Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileExistsError(f"{path} exists and is not empty; name a new folder")
    for place, content in make_files(seed, sentences, runs).items():
        write(path / place, content)
    return path


def make_files(seed: int, sentences: int, runs: int) -> Files:
    """All files of the task."""
    bank = rate(make_treebank(seed, 0, sentences), seed, 0, 2)
    files = {gold_path(""): gold_conllu(bank.sentences)}
    files |= {output_path(name, ""): content for name, content in outputs(bank, seed, runs)}
    groups = [[system.name, str(run), system.group, "system"] for system in SYSTEMS for run in range(1, runs + 1)]
    return files | {
        "groups.tsv": table(["system", "run", "group", "kind"], groups),
        "domains.tsv": table(["sentence", "sent_id", "domain"], domain_rows(bank.sentences, "")),
        "truth.tsv": table(["system", "quality", "expected_las"], truth(seed, sentences)),
        "description.txt": (
            f"Dependency parsing of an invented language: {len(SYSTEMS)} systems with {runs} training runs each, "
            f"{sentences} sentences; {SYSTEMS[0].name} and {SYSTEMS[1].name} are equally good. Synthetic.\n"
        ),
    }


def outputs(bank: RatedTreebank, seed: int, runs: int) -> Iterator[tuple[str, str]]:
    """Name and content of each output.

    The runs of a system share the taste of the system, not their noise. All systems have the same lasting skills, so
    they differ only in quality.
    """
    for number, system in enumerate(SYSTEMS):
        luck = TRAINING * stream(seed, 40, number).standard_normal(runs)
        for name, sentences in system_sentences(bank, entrants(system, luck.tolist()), seed, 0, 40, number):
            yield name, output_conllu(sentences)


def entrants(system: System, luck: list[float]) -> Entrants:
    """The runs of one system."""
    runs = (
        Single(name=f"{system.name}-{run}", group=system.name, quality=system.quality + of_run, tokeniser=TOKENISER)
        for run, of_run in enumerate(luck, start=1)
    )
    return Entrants(singles=tuple(runs), combinations=(), copies={}, flawed="")


def truth(seed: int, sentences: int) -> list[list[str]]:
    """Quality and expected LAS of each system, with the same random numbers for all: equal systems get equal LAS."""
    bank = rate(make_treebank(seed, 0, max(400, 3 * sentences), 1), seed, 0, 2, 1)
    rows = []
    for system in sorted(SYSTEMS):
        (las,) = expected_las(bank, entrants(system, [0.0]), seed, 0, 1).values()
        rows.append([system.name, f"{system.quality:.4f}", f"{las:.2f}"])
    return rows
