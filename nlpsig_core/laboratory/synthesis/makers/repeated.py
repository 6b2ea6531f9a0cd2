"""Systems trained several times: the runs of a system differ only by chance, and two systems are equally good."""

import pathlib

from nlpsig_core.laboratory.synthesis.language.treebank import gold_conllu, stream
from nlpsig_core.laboratory.synthesis.makers.parsing import domain_rows, gold_path, output, output_path, raw_text
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, new_folder, table, truth_rows, write_files
from nlpsig_core.laboratory.synthesis.systems.decisions import decide
from nlpsig_core.laboratory.synthesis.systems.entrants import NAMES, Single

TRAINING = 0.03  # standard deviation of the quality of a system's runs
TOKENISER = "careful"


# By the mean quality of their runs. The first two are equally good, of different groups; each group has two systems.
SYSTEMS = tuple(
    Single(f"{NAMES[group]}-{kind}", NAMES[group], quality, TOKENISER)
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
    return write_files(new_folder(folder), make_files(seed, sentences, runs))


def make_files(seed: int, sentences: int, runs: int) -> Files:
    """Make all files of the task.

    The runs of a system share the taste of the system, not their noise. All systems have the same lasting skills, so
    they differ only in quality.
    """
    bank = raw_text(seed, 0, sentences)
    files, truth = {gold_path(""): gold_conllu(bank.sentences)}, []
    for number, system in enumerate(SYSTEMS):
        for decisions in decide(bank, trained(system, seed, number, runs), 0, seed, 0, 40, number):
            files[output_path(decisions.name, "")] = output(bank, decisions, TOKENISER, seed)
        (mean,) = decide(bank, [system], 0, seed)
        truth += truth_rows([mean], {})
    groups = [[system.name, str(run), system.group, "system"] for system in SYSTEMS for run in range(1, runs + 1)]
    return files | {
        "groups.tsv": table(["system", "run", "group", "kind"], groups),
        "domains.tsv": table(["sentence", "sent_id", "domain"], domain_rows(bank.sentences)),
        "truth.tsv": table(["system", "quality", "expected_right", "note"], sorted(truth)),
        "description.txt": (
            f"Dependency parsing of an invented language: {len(SYSTEMS)} systems with {runs} training runs each, "
            f"{sentences} sentences; {SYSTEMS[0].name} and {SYSTEMS[1].name} are equally good. Synthetic.\n"
        ),
    }


def trained(system: Single, seed: int, number: int, runs: int) -> list[Single]:
    """Return the runs of the ``number``-th system."""
    luck = TRAINING * stream(seed, 40, number).standard_normal(runs)
    return [
        system._replace(name=f"{system.name}-{run}", group=system.name, quality=system.quality + more)
        for run, more in enumerate(luck.tolist(), start=1)
    ]
