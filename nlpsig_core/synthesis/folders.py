"""A whole shared task on disk: gold, outputs, and the tables that belong to them."""

import pathlib
from collections.abc import Callable, Sequence
from typing import NamedTuple

from nlpsig_core.synthesis.difficulty import Bank, make_bank
from nlpsig_core.synthesis.entrants import Entrants, enter
from nlpsig_core.synthesis.language import make_treebank
from nlpsig_core.synthesis.outputs import expected_las, system_sentences
from nlpsig_core.synthesis.treebank import Sentence, gold_conllu, output_conllu, sentence_id, write


class Plan(NamedTuple):
    """The task to write: its size and its odd cases. ``missing`` lacks an output for the last test set."""

    folder: pathlib.Path
    seed: int
    sentences: int
    entrants: Entrants
    test_sets: tuple[str, ...]
    missing: str

    def gold_path(self, test_set: str) -> pathlib.Path:
        """Where the gold of a test set lies; the name is empty where there is only one."""
        return self.folder / (f"gold/{test_set}.conllu" if test_set else "gold.conllu")

    def output_path(self, system: str, test_set: str) -> pathlib.Path:
        """Where a system's output for a test set lies."""
        return self.folder / "systems" / (f"{system}/{test_set}.conllu" if test_set else f"{system}.conllu")


def synthesize(
    folder: str | pathlib.Path,
    *,
    seed: int = 0,
    sentences: int = 600,
    groups: int = 9,
    systems: int = 24,
    combinations: int = 4,
    duplicate: bool = True,
    invalid: bool = True,
    missing: bool = False,
    test_sets: Sequence[str] = (),
) -> pathlib.Path:
    """The folder, filled with a shared task whose true qualities are known (truth.tsv).

    ``systems`` counts the runs of all ``groups``, among them one that sends in the file of another one
    (``duplicate``) and one whose file is broken (``invalid``): it has a cycle or, where there are
    ``test_sets``, a line with too few columns on the last of them, for which another system may have no file
    at all (``missing``).
    ``sentences`` is the size of each test set. The same arguments give the same bytes.
    Raises ValueError for numbers that do not go together, FileExistsError where the folder is not empty.
    """
    if sentences < 5:
        raise ValueError(f"sentences is {sentences}; a test set needs at least 5")
    check_test_sets(test_sets, missing)
    if seed < 0:
        raise ValueError(f"seed is {seed}; give 0 or more")
    entrants = enter(seed, systems, groups, combinations, duplicate, invalid)
    absent = choose_missing(entrants) if missing else ""
    path = pathlib.Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileExistsError(f"{path} exists and is not empty; name a new folder")
    write_task(Plan(path, seed, sentences, entrants, tuple(test_sets) or ("",), absent))
    return path


def check_test_sets(test_sets: Sequence[str], missing: bool) -> None:
    """Raise ValueError for names of test sets that cannot be files of their own."""
    if isinstance(test_sets, str) or len(set(test_sets)) != len(test_sets):
        raise ValueError(f"test_sets is {test_sets!r}; give different names")
    for name in test_sets:
        if not name or not name.replace("-", "").replace("_", "").isalnum():
            raise ValueError(f"test_sets has {name!r}; use letters, digits, hyphens and underscores")
    if missing and len(test_sets) < 2:
        raise ValueError("missing=True needs two test sets, so that a system can lack an output for one")


def choose_missing(entrants: Entrants) -> str:
    """The system without an output for the last test set: the last one that is not odd already."""
    odd = {*entrants.copies, *entrants.copies.values(), entrants.flawed}
    names = [run.name for run in entrants.runs if run.name not in odd]
    if not names:
        raise ValueError("missing=True needs one more system")
    return names[-1]


def write_task(plan: Plan) -> None:
    """Write all files of a task."""
    truth: list[list[str]] = []
    domains: list[list[str]] = []
    for number, test_set in enumerate(plan.test_sets):
        bank = make_bank(make_treebank(plan.seed, number, plan.sentences), plan.seed, number, 2)
        write(plan.gold_path(test_set), gold_conllu(bank.sentences))
        write_outputs(plan, bank, number)
        truth += truth_rows(plan, number)
        domains += domain_rows(bank.sentences, test_set)
    places = ["test_set"] if plan.test_sets[0] else []
    write_table(plan.folder / "domains.tsv", ["sentence", "sent_id", "domain", *places], domains)
    write_table(plan.folder / "truth.tsv", ["system", "quality", "expected_las", "note", *places], truth)
    write_table(plan.folder / "groups.tsv", ["system", "group", "kind"], group_rows(plan.entrants))
    write(plan.folder / "description.txt", description(plan) + "\n")


def write_outputs(plan: Plan, bank: Bank, number: int) -> None:
    """Write the outputs of all entrants for the ``number``-th test set."""
    test_set, last = plan.test_sets[number], number == len(plan.test_sets) - 1
    contents = {
        name: output_conllu(sentences) for name, sentences in system_sentences(bank, plan.entrants, plan.seed, number)
    }
    for copy, original in plan.entrants.copies.items():
        contents[copy] = contents[original]
    if last and plan.entrants.flawed:
        contents[plan.entrants.flawed] = FLAWS[flaw(plan)](contents[plan.entrants.flawed])
    if last:
        contents.pop(plan.missing, None)
    for name, content in contents.items():
        write(plan.output_path(name, test_set), content)


def flaw(plan: Plan) -> str:
    """The flaw of the broken file."""
    return "too few columns" if plan.test_sets[0] else "cycle"


def with_cycle(content: str) -> str:
    """The file with one word, in the second half if possible, that hangs on its own dependent."""
    lines = content.split("\n")
    rows = [line.split("\t") for line in lines]
    for i in [*range(len(rows) // 2, len(rows)), *range(len(rows) // 2)]:
        if len(rows[i]) != 10 or rows[i][6] in ("0", "_"):
            continue
        child = next((r for r in block(rows, i) if r[6] == rows[i][0]), None)
        if child:
            rows[i][6] = child[0]
            lines[i] = "\t".join(rows[i])
            return "\n".join(lines)
    raise ValueError("no sentence is long enough for a cycle; ask for more sentences")


def block(rows: list[list[str]], at: int) -> list[list[str]]:
    """The words after row ``at`` in its sentence."""
    end = next(i for i in range(at, len(rows)) if rows[i] == [""])
    return [row for row in rows[at + 1 : end] if row[0].isdecimal()]


def with_few_columns(content: str) -> str:
    """The file with one word in the second half whose line ends after its tags."""
    lines = content.split("\n")
    at = next(i for i in range(len(lines) // 2, len(lines)) if lines[i][:1].isdecimal())
    lines[at] = "\t".join(lines[at].split("\t")[:6])
    return "\n".join(lines)


FLAWS: dict[str, Callable[[str], str]] = {"cycle": with_cycle, "too few columns": with_few_columns}


def truth_rows(plan: Plan, number: int) -> list[list[str]]:
    """What the generator knows of each entrant, on the ``number``-th test set."""
    size = max(400, 3 * plan.sentences)
    bank = make_bank(make_treebank(plan.seed, number, size, 1), plan.seed, number, 2, 1)
    las = expected_las(bank, plan.entrants, plan.seed, number, 1)
    quality = {run.name: f"{run.quality:.4f}" for run in plan.entrants.runs}
    rows = []
    for name in sorted(las):
        source = plan.entrants.copies.get(name, name)
        note = remark(plan, name, number)
        row = [name, quality.get(source, ""), f"{las[source]:.2f}", note]
        rows.append(row + [plan.test_sets[number]] * bool(plan.test_sets[0]))
    return rows


def remark(plan: Plan, name: str, number: int) -> str:
    """What is odd about an entrant's file for the ``number``-th test set, or nothing."""
    if name in plan.entrants.copies:
        return f"same file as {plan.entrants.copies[name]}"
    if number == len(plan.test_sets) - 1 and name == plan.entrants.flawed:
        return f"invalid: {flaw(plan)}"
    return "no file" if number == len(plan.test_sets) - 1 and name == plan.missing else ""


def group_rows(entrants: Entrants) -> list[list[str]]:
    """System, group and kind of each entrant."""
    runs = [[run.name, run.group, "system"] for run in entrants.runs]
    return runs + [[joint.name, joint.group, "combination"] for joint in entrants.combinations]


def domain_rows(sentences: Sequence[Sentence], test_set: str) -> list[list[str]]:
    """Number, identifier and domain of each gold sentence."""
    return [
        [str(i), sentence_id(sentence, i), sentence.domain, *([test_set] if test_set else [])]
        for i, sentence in enumerate(sentences, start=1)
    ]


def write_table(path: pathlib.Path, header: list[str], rows: list[list[str]]) -> None:
    """Write a table with tabs."""
    write(path, "".join("\t".join(row) + "\n" for row in [header, *rows]))


def description(plan: Plan) -> str:
    """The task in one line."""
    entrants, sets = plan.entrants, len(plan.test_sets)
    joint = f" and {len(entrants.combinations)} combinations of them" if entrants.combinations else ""
    where = f"{sets} test sets of {plan.sentences}" if plan.test_sets[0] else f"{plan.sentences}"
    return (
        f"Dependency parsing of an invented language: {len(entrants.runs)} systems of "
        f"{len(entrants.groups)} groups{joint} on {where} sentences. Synthetic, with known true qualities."
    )
