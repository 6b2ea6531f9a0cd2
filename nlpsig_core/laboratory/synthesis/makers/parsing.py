"""Dependency parsing: of raw text, with errors in every layer and odd submissions, and of given tokens and tags."""

from collections.abc import Callable, Iterator, Sequence

from nlpsig_core.laboratory.synthesis.language.documents import make_treebank
from nlpsig_core.laboratory.synthesis.language.treebank import (
    Sentence,
    conllx,
    gold_conllu,
    output_conllu,
    sentence_id,
    stream,
)
from nlpsig_core.laboratory.synthesis.makers.tasks import (
    Files,
    Order,
    domain_table,
    group_table,
    side_files,
    table,
    truth_rows,
)
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, RatedTreebank, all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.entrants import TOKENISERS
from nlpsig_core.laboratory.synthesis.systems.parses import parsed, tagged
from nlpsig_core.laboratory.synthesis.systems.tokenisation import tokenised

DOCUMENT = 25  # most sentences of a document of raw text
EASE = 0.15  # of given tokens, compared with raw text


def make_conllx(order: Order) -> Files:
    """Make the files of a task in which systems fill in the last two columns of the gold, head and label."""
    bank = rate(make_treebank(order.seed, 0, order.units), order.seed, ease=EASE)
    files = {"gold.conllx": conllx(bank.sentences), "domains.tsv": domain_table("sentence", bank.sentences)}
    made = all_decisions(bank, order.entrants, order.seed)
    files |= {f"systems/{decisions.name}.conllx": conllx(parsed(bank, decisions)) for decisions in made}
    return files | side_files(order, "Dependency parsing of given tokens", "sentence", made)


def gold_path(test_set: str) -> str:
    """Return the path of a test set's gold; the name of a single test set is empty."""
    return f"gold/{test_set}.conllu" if test_set else "gold.conllu"


def output_path(system: str, test_set: str) -> str:
    """Return the path of a system's output for a test set."""
    return f"systems/{system}/{test_set}.conllu" if test_set else f"systems/{system}.conllu"


def raw_text(seed: int, test_set: int, sentences: int) -> RatedTreebank:
    """Return the test set with this number."""
    return rate(make_treebank(seed, test_set, sentences, longest=DOCUMENT), seed, test_set)


def output(bank: RatedTreebank, decisions: Decisions, tokeniser: str, seed: int, test_set: int = 0) -> str:
    """Return the file of a system, in its own tokens."""
    generator = stream(seed, test_set, 6, list(TOKENISERS).index(tokeniser))
    sentences = tagged(bank, parsed(bank, decisions), decisions.tags)
    return output_conllu(tokenised(sentences, TOKENISERS[tokeniser], generator))


def make_parsing(order: Order) -> Files:
    """Make all files of a task in CoNLL-U; only this maker supports several test sets and combinations."""
    files: Files = {}
    truth: list[list[str]] = []
    domains: list[list[str]] = []
    for number, test_set in enumerate(order.test_sets):
        bank = raw_text(order.seed, number, order.units)
        made = with_copies(order, all_decisions(bank, order.entrants, order.seed, number))
        notes = oddities(order) if number == len(order.test_sets) - 1 else copies(order)
        files[gold_path(test_set)] = gold_conllu(bank.sentences)
        files |= {output_path(name, test_set): text for name, text in outputs(order, bank, made, number, notes)}
        place = [test_set] * bool(test_set)
        truth += [row + place for row in truth_rows(made, notes)]
        domains += [row + place for row in domain_rows(bank.sentences)]
    place = ["test_set"] * bool(order.test_sets[0])
    return files | {
        "domains.tsv": table(["sentence", "sent_id", "domain", *place], domains),
        "truth.tsv": table(["system", "quality", "expected_right", "note", *place], truth),
        "groups.tsv": group_table(order.entrants),
        "description.txt": description(order),
    }


def outputs(
    order: Order, bank: RatedTreebank, made: Sequence[Decisions], number: int, notes: dict[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the name and output of each entrant for the ``number``-th test set."""
    for entrant, decisions in zip(order.entrants.everyone, made, strict=True):
        note = notes.get(entrant.name, "")
        if note != NO_FILE:
            text = output(bank, decisions, entrant.tokeniser, order.seed, number)
            yield entrant.name, FLAWS[note](text) if note in FLAWS else text


NO_FILE = "no file"


def with_copies(order: Order, made: Sequence[Decisions]) -> list[Decisions]:
    """Return the decisions, those of a copy being those of the copied system."""
    by_name = {decisions.name: decisions for decisions in made}
    originals = order.entrants.copies
    return [by_name[originals.get(name, name)]._replace(name=name) for name in by_name]


def copies(order: Order) -> dict[str, str]:
    """Return a note for each system that submits the file of another one."""
    return {copy: f"same file as {original}" for copy, original in order.entrants.copies.items()}


def oddities(order: Order) -> dict[str, str]:
    """Return the notes of the last test set: also an invalid file, and a missing one."""
    flaw = FEW_COLUMNS if order.test_sets[0] else CYCLE
    notes = {order.entrants.flawed: flaw, order.missing: NO_FILE}
    return copies(order) | {name: note for name, note in notes.items() if name}


def with_cycle(content: str) -> str:
    """Return the file with one word, if possible in the second half, attached to its own dependent."""
    blocks = content.split("\n\n")
    for i in [*range(len(blocks) // 2, len(blocks)), *range(len(blocks) // 2)]:
        rows = [line.split("\t") for line in blocks[i].split("\n")]
        words = {row[0]: row for row in rows if row[0].isdecimal()}
        below = next((row for row in words.values() if row[6] != "0" and words[row[6]][6] != "0"), None)
        if below:
            words[below[6]][6] = below[0]
            blocks[i] = "\n".join("\t".join(row) for row in rows)
            return "\n\n".join(blocks)
    raise ValueError("no sentence is long enough for a cycle; ask for more sentences")


def with_few_columns(content: str) -> str:
    """Return the file with one word in the second half whose line ends after its tags."""
    lines = content.split("\n")
    at = next(i for i in range(len(lines) // 2, len(lines)) if lines[i][:1].isdecimal())
    lines[at] = "\t".join(lines[at].split("\t")[:6])
    return "\n".join(lines)


CYCLE, FEW_COLUMNS = "invalid: cycle", "invalid: too few columns"
FLAWS: dict[str, Callable[[str], str]] = {CYCLE: with_cycle, FEW_COLUMNS: with_few_columns}


def domain_rows(sentences: Sequence[Sentence]) -> list[list[str]]:
    """Return the number, identifier and domain of each gold sentence."""
    return [[str(i), sentence_id(sentence, i), sentence.domain] for i, sentence in enumerate(sentences, start=1)]


def description(order: Order) -> str:
    """Return the task in one line."""
    entrants, sets = order.entrants, len(order.test_sets)
    joint = f" and {len(entrants.combinations)} combinations of them" if entrants.combinations else ""
    where = f"{sets} test sets of {order.units}" if order.test_sets[0] else f"{order.units}"
    return (
        f"Dependency parsing of an invented language: {len(entrants.singles)} systems of "
        f"{len(entrants.groups)} groups{joint} on {where} sentences. Synthetic, with known true qualities.\n"
    )
