"""Dependency parsing of raw text: a gold treebank, outputs with errors in every layer, and odd submissions."""

from collections.abc import Callable, Sequence

from nlpsig_core.laboratory.synthesis.language.difficulty import RatedTreebank, rate
from nlpsig_core.laboratory.synthesis.language.grammar import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, gold_conllu, output_conllu, sentence_id
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, group_table, table
from nlpsig_core.laboratory.synthesis.systems.outputs import expected_las, system_sentences


def gold_path(test_set: str) -> str:
    """The path of a test set's gold; the name of a single test set is empty."""
    return f"gold/{test_set}.conllu" if test_set else "gold.conllu"


def output_path(system: str, test_set: str) -> str:
    """The path of a system's output for a test set."""
    return f"systems/{system}/{test_set}.conllu" if test_set else f"systems/{system}.conllu"


def make_parsing(order: Order) -> Files:
    """All files of a task in CoNLL-U; only this maker supports several test sets and combinations."""
    files: Files = {}
    truth: list[list[str]] = []
    domains: list[list[str]] = []
    for number, test_set in enumerate(order.test_sets):
        bank = rate(make_treebank(order.seed, number, order.units), order.seed, number, 2)
        files[gold_path(test_set)] = gold_conllu(bank.sentences)
        files |= outputs(order, bank, number)
        truth += truth_rows(order, number)
        domains += domain_rows(bank.sentences, test_set)
    places = ["test_set"] if order.test_sets[0] else []
    return files | {
        "domains.tsv": table(["sentence", "sent_id", "domain", *places], domains),
        "truth.tsv": table(["system", "quality", "expected_las", "note", *places], truth),
        "groups.tsv": group_table(order.entrants),
        "description.txt": description(order) + "\n",
    }


def outputs(order: Order, bank: RatedTreebank, number: int) -> Files:
    """The outputs of all entrants for the ``number``-th test set."""
    test_set, last = order.test_sets[number], number == len(order.test_sets) - 1
    entrants = order.entrants
    contents = {
        name: output_conllu(sentences) for name, sentences in system_sentences(bank, entrants, order.seed, number)
    }
    for copy, original in entrants.copies.items():
        contents[copy] = contents[original]
    if last and entrants.flawed:
        contents[entrants.flawed] = FLAWS[flaw(order)](contents[entrants.flawed])
    if last:
        contents.pop(order.missing, None)
    return {output_path(name, test_set): content for name, content in contents.items()}


def flaw(order: Order) -> str:
    """The flaw of the invalid file."""
    return "too few columns" if order.test_sets[0] else "cycle"


def with_cycle(content: str) -> str:
    """The file with one word, if possible in the second half, attached to its own dependent."""
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


def truth_rows(order: Order, number: int) -> list[list[str]]:
    """Quality and expected LAS of each entrant on the ``number``-th test set."""
    size = max(400, 3 * order.units)
    bank = rate(make_treebank(order.seed, number, size, 1), order.seed, number, 2, 1)
    las = expected_las(bank, order.entrants, order.seed, number, 1)
    quality = {single.name: f"{single.quality:.4f}" for single in order.entrants.singles}
    rows = []
    for name in sorted(las):
        source = order.entrants.copies.get(name, name)
        note = remark(order, name, number)
        row = [name, quality.get(source, ""), f"{las[source]:.2f}", note]
        rows.append(row + [order.test_sets[number]] * bool(order.test_sets[0]))
    return rows


def remark(order: Order, name: str, number: int) -> str:
    """The oddity of an entrant's file for the ``number``-th test set, or ""."""
    if name in order.entrants.copies:
        return f"same file as {order.entrants.copies[name]}"
    if number == len(order.test_sets) - 1 and name == order.entrants.flawed:
        return f"invalid: {flaw(order)}"
    return "no file" if number == len(order.test_sets) - 1 and name == order.missing else ""


def domain_rows(sentences: Sequence[Sentence], test_set: str) -> list[list[str]]:
    """Number, identifier and domain of each gold sentence."""
    return [
        [str(i), sentence_id(sentence, i), sentence.domain, *([test_set] if test_set else [])]
        for i, sentence in enumerate(sentences, start=1)
    ]


def description(order: Order) -> str:
    """The task in one line."""
    entrants, sets = order.entrants, len(order.test_sets)
    joint = f" and {len(entrants.combinations)} combinations of them" if entrants.combinations else ""
    where = f"{sets} test sets of {order.units}" if order.test_sets[0] else f"{order.units}"
    return (
        f"Dependency parsing of an invented language: {len(entrants.singles)} systems of "
        f"{len(entrants.groups)} groups{joint} on {where} sentences. Synthetic, with known true qualities."
    )
