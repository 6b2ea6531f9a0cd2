"""Apply the faults of a tokeniser to parsed sentences; the characters of the text never change."""

from collections.abc import Sequence

from nlpsig_core.laboratory.synthesis.language.treebank import Contraction, Sentence, Word
from nlpsig_core.laboratory.synthesis.systems.tokenisation import Fault, Faults


def depth(words: Sequence[Word], number: int) -> int:
    """The number of ancestors of a word."""
    count = 0
    while number := words[number - 1].head:
        count += 1
    return count


def merge_words(sentence: Sentence, first: int, last: int, form: str) -> Sentence:
    """The sentence with the words ``first`` to ``last`` merged, in the position of the topmost of them in the tree."""
    words, gone = sentence.words, last - first
    top = min(range(first, last + 1), key=lambda number: depth(words, number))

    def moved(number: int) -> int:
        return number if number < first else max(first, number - gone)

    one = words[top - 1]._replace(form=form, space_after=words[last - 1].space_after)
    left = [*words[: first - 1], one, *words[last:]]
    spans = [c for c in sentence.contractions if c.first != first]
    return sentence._replace(
        words=tuple(word._replace(head=moved(word.head)) for word in left),
        contractions=tuple(c._replace(first=moved(c.first), last=moved(c.last)) for c in spans),
    )


def split_word(sentence: Sentence, at: int) -> Sentence:
    """The sentence with a plain word split like a contraction of two words."""

    def moved(number: int) -> int:
        return number + (number > at)

    word = sentence.words[at - 1]
    middle = len(word.form) - 2
    words = [w._replace(head=moved(w.head)) for w in sentence.words]
    tail = Word(
        form=word.form[middle:],
        lemma=word.form[middle:],
        upos="PRON",
        feats="_",
        head=at,
        relation="obj",
        space_after=word.space_after,
    )
    words[at - 1 : at] = [words[at - 1]._replace(form=word.form[:middle]), tail]
    spans = [c._replace(first=moved(c.first), last=moved(c.last)) for c in sentence.contractions]
    spans = sorted([*spans, Contraction(at, at + 1, word.form)])
    return sentence._replace(words=tuple(words), contractions=tuple(spans))


def respell(sentence: Sentence, at: int) -> Sentence:
    """The sentence with a wrong form for a word inside a contraction."""
    words = list(sentence.words)
    form = words[at - 1].form
    words[at - 1] = words[at - 1]._replace(form=form + form[-1])
    return sentence._replace(words=tuple(words))


def with_fault(sentence: Sentence, fault: Fault) -> Sentence:
    """The sentence after one fault."""
    kind, first, last = fault
    if kind == "oversplit":
        return split_word(sentence, first)
    if kind == "misspell":
        return respell(sentence, first)
    if kind == "unsplit":
        surface = next(c.surface for c in sentence.contractions if c.first == first)
        return merge_words(sentence, first, last, surface)
    return merge_words(sentence, first, last, "".join(w.form for w in sentence.words[first - 1 : last]))


def part(sentence: Sentence, first: int, last: int) -> Sentence:
    """The words ``first`` to ``last`` as a sentence; words with a head outside are attached to its root."""
    shift = first - 1
    heads = [w.head - shift if first <= w.head <= last else 0 for w in sentence.words[shift:last]]
    tops = [i for i, head in enumerate(heads) if head == 0]
    root = next((i for i in tops if sentence.words[i + shift].head == 0), tops[0])
    words = []
    for i, (word, head) in enumerate(zip(sentence.words[shift:last], heads, strict=True)):
        if i == root:
            words.append(word._replace(head=0, relation="root"))
        else:
            words.append(word._replace(head=head or root + 1))
    spans = [c for c in sentence.contractions if first <= c.first <= last]
    moved = tuple(c._replace(first=c.first - shift, last=c.last - shift) for c in spans)
    return sentence._replace(words=tuple(words), contractions=moved)


def broken(sentence: Sentence, after: int) -> list[Sentence]:
    """The sentence as two sentences, the first ending with the word ``after``."""
    return [part(sentence, 1, after), part(sentence, after + 1, len(sentence.words))]


def joined(left: Sentence, right: Sentence) -> Sentence:
    """Two sentences as one; the root of the second is attached to the root of the first."""
    shift = len(left.words)
    root = next(i for i, word in enumerate(left.words, start=1) if word.head == 0)
    words = [
        word._replace(head=word.head + shift) if word.head else word._replace(head=root, relation="parataxis")
        for word in right.words
    ]
    spans = [c._replace(first=c.first + shift, last=c.last + shift) for c in right.contractions]
    return left._replace(words=left.words + tuple(words), contractions=left.contractions + tuple(spans))


def tokenised(sentences: Sequence[Sentence], faults: Sequence[Faults]) -> list[Sentence]:
    """The sentences of a tokeniser with these faults; the text stays the same."""
    result: list[Sentence] = []
    waiting = False
    for sentence, fault in zip(sentences, faults, strict=True):
        changed = sentence
        for one in reversed(fault.words):
            changed = with_fault(changed, one)
        pieces = broken(changed, fault.broken_after) if fault.broken_after else [changed]
        if waiting:
            pieces[0] = joined(result.pop(), pieces[0])
        result += pieces
        waiting = fault.joined
    return result
