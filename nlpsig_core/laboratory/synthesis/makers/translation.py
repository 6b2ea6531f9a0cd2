"""Translation from one invented language into another: two references, and systems with errors of every kind."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from nlpsig_core.laboratory.synthesis.language.documents import Twins, languages_of, make_twins
from nlpsig_core.laboratory.synthesis.language.lexicon import OPEN_CLASSES
from nlpsig_core.laboratory.synthesis.language.treebank import Sentence, lines, plain, stream, text, universal
from nlpsig_core.laboratory.synthesis.language.wording import Thesaurus, Wording
from nlpsig_core.laboratory.synthesis.makers.tasks import Files, Order, domain_table, side_files, table
from nlpsig_core.laboratory.synthesis.systems.decisions import Decisions, RatedTreebank, all_decisions, rate
from nlpsig_core.laboratory.synthesis.systems.parses import is_above

EASE = -0.65
REFERENCES = {"A": 0.2, "B": 0.5}  # how often each differs from the default wording or order
TASTE = 0.35  # the same for systems
MOVABLE = ("obl", "advmod", "advcl")
# Upper limits of the first draw of a wrong word for each kind of error
OPEN_FAULTS = {"ending": 0.3, "word": 0.65, "left out": 0.8, "untranslated": 0.9, "order": 1.0}
CLOSED_FAULTS = {"left out": 0.4, "word": 0.8, "order": 1.0}
PUNCTUATION_FAULTS = {"left out": 0.2}
# Points that a rater takes off for a wrong word in a segment of one word, and the deviation of a score's noise
RATERS = {"ra": 22.0, "rb": 14.0}
NOISE_OF_RATERS = 9.0


def make_translation(order: Order, judged: bool = False) -> Files:
    """Make the files of a task with one segment per line, each a sentence.

    If ``judged``, also the scores of two raters for most systems and documents.
    """
    twins = make_twins(order.seed, order.units)
    bank = rate([twin.target for twin in twins], order.seed, ease=EASE)
    thesaurus = Thesaurus(languages_of(order.seed)[1])
    files = {
        "source.txt": lines(text(twin.source) for twin in twins),
        "domains.tsv": domain_table("segment", bank.sentences),
    }
    for number, (name, share) in enumerate(REFERENCES.items()):
        taste = stream(order.seed, 15, number).random(bank.size) < share
        files[f"references/{name}.txt"] = lines(translations(thesaurus, bank, twins, taste, [{}] * len(twins)))
    made = all_decisions(bank, order.entrants, order.seed)
    for decisions in made:
        taste, faults = decisions.choices[2] < TASTE, decisions.faults(bank)
        files[f"systems/{decisions.name}.txt"] = lines(translations(thesaurus, bank, twins, taste, faults))
    files |= {"human-scores/ratings.tsv": ratings(order, bank, made)} if judged else {}
    return files | side_files(order, "Translation between two invented languages", "segment", made)


def ratings(order: Order, bank: RatedTreebank, made: Sequence[Decisions]) -> str:
    """Return the scores, 0 to 100, of raters who see the wrong words of a segment, each with a severity of their own.

    They have not judged the last system, nor every fifth document.
    """
    documents = {name: number for number, name in enumerate(dict.fromkeys(s.name for s in bank.sentences))}
    luck, rows = stream(order.seed, 82), []
    for decisions in made[:-1]:
        for number, (sentence, words) in enumerate(zip(bank.sentences, bank.slices(), strict=True), 1):
            if documents[sentence.name] % 5 == 4:
                continue
            wrong = int((~decisions.right[words]).sum()) / math.sqrt(words.stop - words.start)
            for rater, severity in RATERS.items():
                score = 97 - severity * wrong + NOISE_OF_RATERS * float(luck.standard_normal())
                rows.append([decisions.name, str(number), sentence.name, rater, f"{min(max(score, 0), 100):.0f}"])
    return table(["system", "segment", "document", "rater", "score"], rows)


def translations(
    thesaurus: Thesaurus,
    bank: RatedTreebank,
    twins: Sequence[Twins],
    taste: np.ndarray,
    faults: Iterable[Mapping[int, Sequence[float]]],
) -> Iterator[str]:
    """Yield the segments, reworded where ``taste`` (words,) is true, with the ``faults`` of each."""
    for twin, words, of_segment in zip(twins, bank.slices(), faults, strict=True):
        yield translation(thesaurus, twin, taste[words].tolist(), of_segment)


def translation(thesaurus: Thesaurus, twin: Twins, taste: Sequence[bool], faults: Mapping[int, Sequence[float]]) -> str:
    """Return a segment with errors, or without any if they would leave no word.

    ``taste`` has a flag for each word of the target, ``faults`` the draws by number of the word, from 0.
    """
    known = [thesaurus.wording(word, first=i == 0) for i, word in enumerate(twin.target.words)]
    known = [thesaurus.synonym(word) if other else word for word, other in zip(known, taste, strict=True)]
    origin = {j - 1: twin.source.words[i - 1].form for i, j in twin.links}
    words = [[str(word)] for word in known]
    order = moved(twin.target, taste)
    for place, (kind_draw, draw, _) in faults.items():
        kind = fault(known[place].upos, kind_draw)
        if kind == "order":
            swap(order, place)
        elif kind:
            words[place] = faulty(thesaurus, known[place], kind, draw, origin.get(place, ""))
    written = [word for place in order for word in words[place]]
    return plain(written if any(word[0].isalnum() for word in written) else [str(word) for word in known])


def fault(upos: str, draw: float) -> str:
    """Return the kind of error of a wrong word, or ""."""
    faults = PUNCTUATION_FAULTS if upos == "PUNCT" else OPEN_FAULTS if upos in OPEN_CLASSES else CLOSED_FAULTS
    return next((name for name, limit in faults.items() if draw < limit), "")


def faulty(thesaurus: Thesaurus, word: Wording, kind: str, draw: float, origin: str) -> list[str]:
    """Return the words written in place of a word."""
    if kind == "left out":
        return []
    if kind == "untranslated":
        return [origin or str(word)]
    return [str(thesaurus.misinflected(word, draw) if kind == "ending" else thesaurus.replaced(word, draw))]


def moved(sentence: Sentence, taste: Sequence[bool]) -> list[int]:
    """Return word numbers (from 0) in order: the first adjunct after the predicate that ``taste`` moves comes first."""
    heads = sentence.heads
    root, order = heads.index(0) + 1, list(range(len(heads)))
    for place in order[root:]:
        word = sentence.words[place]
        if word.head == root and taste[place] and universal(word.relation) in MOVABLE:
            span = [other for other in order if is_above(heads, place + 1, other + 1)]
            return span + [other for other in order if other not in span]
    return order


def swap(order: list[int], place: int) -> None:
    """Swap a word with the next word, unless that is the last, which ends the sentence."""
    here = order.index(place)
    if here + 2 < len(order):
        order[here], order[here + 1] = order[here + 1], order[here]
