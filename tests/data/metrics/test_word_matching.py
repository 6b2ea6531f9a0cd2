"""Which system words are which gold words: the examples of the CoNLL 2017 evaluation rules, and a plain walk."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.metrics.texts import word_matching
from nlpsig_core.data.metrics.texts.word_matching import match_words
from nlpsig_core.data.readers.conll.parsed_text import ParsedText
from tests.builders import conllu, read, row, treebank

ZUR_STADT = "zur=zu+der Stadt , zum=zu+dem Haus"


def matched(gold: str | ParsedText, system: str | ParsedText) -> list[tuple[str, str]]:
    """The forms of the matched words, gold first."""
    gold, system = (treebank(t) if isinstance(t, str) else t for t in (gold, system))
    pairs = enumerate(match_words(gold, system).tolist())
    return [(gold.fields["form"][g], system.fields["form"][s]) for s, g in pairs if g >= 0]


def test_words_match_by_their_characters():
    """Gold: ab 0-2, c 2-3, d 3-4. System: ab 0-2, cd 2-4. Only "ab" has the same span."""
    assert match_words(treebank("ab c d"), treebank("ab cd")).tolist() == [0, -1]


def test_contraction_not_recognised_and_comma_not_split():
    """The rules' first example: zur is not split, and "Stadt," is one word; the rest is right."""
    assert matched(ZUR_STADT, "zur Stadt, zum=zu+dem Haus") == [("zu", "zu"), ("dem", "dem"), ("Haus", "Haus")]


def test_haus_wrongly_split():
    """The rules' second example: neither Hau nor das is right."""
    system = "zur=zu+der Stadt , zum=zu+dem Haus=Hau+das"
    assert [ours for ours, _ in matched(ZUR_STADT, system)] == ["zu", "der", "Stadt", ",", "zu", "dem"]


def test_contraction_split_into_wrong_forms():
    """The rules' third example: node 1 (zur) is wrong, node 2 (der) may be right."""
    system = "zur=zur+der Stadt , zum=zu+dem Haus"
    assert match_words(treebank(ZUR_STADT), treebank(system)).tolist() == [-1, 1, 2, 3, 4, 5, 6]


def test_case_does_not_matter_inside_a_contraction():
    """The rules' exception: Zum as zu dem or as Zu dem are both right."""
    assert matched("Zum=Zu+dem", "Zum=zu+dem") == [("Zu", "zu"), ("dem", "dem")]


def test_longest_common_subsequence_inside_a_contraction():
    """dámelo is da+me+lo; the system says da+lo: da and lo match, me has nobody."""
    assert match_words(treebank("dámelo=da+me+lo"), treebank("dámelo=da+lo")).tolist() == [0, 2]


def test_a_stretch_joins_contractions_that_overlap():
    """Gold abc|de, system ab|cde: neither contraction stands alone, so all words of both are compared."""
    assert matched("abc=x+y de=z", "ab=x cde=y+z") == [("x", "x"), ("y", "y"), ("z", "z")]


def test_stretches_with_the_same_forms_on_both_sides_need_no_subsequence(monkeypatch):
    monkeypatch.setattr(word_matching, "_common", None)
    assert match_words(treebank(ZUR_STADT), treebank(ZUR_STADT)).tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_sentence_breaks_do_not_matter():
    one = treebank("a b c d")
    assert match_words(one, treebank("a b", "c d")).tolist() == [0, 1, 2, 3]
    assert match_words(treebank("a", "b c", "d"), one).tolist() == [0, 1, 2, 3]


def test_same_span_matches_whatever_the_form():
    """Outside of contractions the characters decide: a space inside of a form changes nothing."""
    with_space = read(row(1, "a b", 0) + "\n")
    assert matched(with_space, treebank("ab")) == [("a b", "ab")]


def test_other_text_names_both_lines():
    """Line 5 of the system (after a b, blank, c) has "x" where line 4 of the gold has "d"."""
    gold, system = treebank("a b c d", name="gold.conllu"), treebank("a b", "c xy", name="systems/s.conllu")
    reason = (
        "systems/s.conllu, line 5: the text differs from the gold's: 'xy' where the gold (gold.conllu, line 4) has 'd'"
    )
    with pytest.raises(FileError) as caught:
        match_words(gold, system)
    assert str(caught.value) == reason


def test_text_that_ends_early_names_the_last_line():
    with pytest.raises(FileError, match=r"line 2: .*: '' where the gold \(x.conllu, line 3\) has 'c'"):
        match_words(treebank("a b c"), treebank("a b"))
    with pytest.raises(FileError, match=r"line 3: .*: 'c' where the gold \(x.conllu, line 2\) has ''"):
        match_words(treebank("a b"), treebank("a b c"))


class Word(NamedTuple):
    start: int
    end: int
    multiword: bool
    form: str


def words_of(treebank: ParsedText) -> list[Word]:
    spans = [(int(treebank.token_start[t]), int(treebank.token_end[t])) for t in treebank.word_token]
    forms = (form.lower() for form in treebank.fields["form"])
    return [Word(*span, bool(m), f) for span, m, f in zip(spans, treebank.is_multiword, forms, strict=True)]


def walk(gold: list[Word], system: list[Word]) -> dict[int, int]:
    """Gold word by system word: the alignment of the CoNLL evaluation, word by word, as its rules say it."""
    match: dict[int, int] = {}
    g = s = 0
    while g < len(gold) and s < len(system):
        if gold[g].multiword or system[s].multiword:
            g_first, s_first, g, s = stretch(gold, system, g, s)
            pairs = subsequence([w.form for w in gold[g_first:g]], [w.form for w in system[s_first:s]])
            match |= {s_first + theirs: g_first + ours for ours, theirs in pairs}
        elif gold[g][:2] == system[s][:2]:
            match[s] = g
            g, s = g + 1, s + 1
        elif gold[g].start <= system[s].start:
            g += 1
        else:
            s += 1
    return match


def stretch(gold: list[Word], system: list[Word], g: int, s: int) -> tuple[int, int, int, int]:
    """The minimal stretch at (g, s): first words, and words behind the last, on both sides."""
    if gold[g].multiword:
        end = gold[g].end
        if not system[s].multiword and system[s].start < gold[g].start:
            s += 1
    else:
        end = system[s].end
        if gold[g].start < system[s].start:
            g += 1
    first = g, s
    while not (behind(gold, g, end) and behind(system, s, end)):
        if g < len(gold) and (s == len(system) or gold[g].start <= system[s].start):
            end = max(end, gold[g].end) if gold[g].multiword else end
            g += 1
        else:
            end = max(end, system[s].end) if system[s].multiword else end
            s += 1
    return *first, g, s


def behind(words: list[Word], i: int, end: int) -> bool:
    if i == len(words):
        return True
    return words[i].start >= end if words[i].multiword else words[i].end > end


def subsequence(ours: list[str], theirs: list[str]) -> list[tuple[int, int]]:
    def longest(g: int, s: int) -> int:
        if g == len(ours) or s == len(theirs):
            return 0
        both = 1 + table[g + 1, s + 1] if ours[g] == theirs[s] else 0
        return max(both, table[g + 1, s], table[g, s + 1])

    table: dict[tuple[int, int], int] = {}
    for g in range(len(ours), -1, -1):
        for s in range(len(theirs), -1, -1):
            table[g, s] = longest(g, s)
    g = s = 0
    pairs = []
    while g < len(ours) and s < len(theirs):
        if ours[g] == theirs[s]:
            pairs.append((g, s))
            g, s = g + 1, s + 1
        elif table[g, s] == table[g + 1, s]:
            g += 1
        else:
            s += 1
    return pairs


TEXT = "aAbabBabcab"


@st.composite
def tokenisations(draw, length: int):
    """The first characters of TEXT cut anywhere, half of the tokens contractions of words like each other."""
    cuts = sorted(draw(st.sets(st.integers(1, length - 1), max_size=length - 1))) if length > 1 else []
    tokens = [TEXT[a:b] for a, b in zip([0, *cuts], [*cuts, length], strict=True)]
    written = []
    for token in tokens:
        words = draw(st.one_of(st.just([]), st.lists(st.sampled_from("aAbB"), min_size=1, max_size=3)))
        written.append(f"{token}={'+'.join(words)}" if words else token)
    places = draw(st.sets(st.integers(1, len(written)), max_size=1)) if len(written) > 1 else set()
    breaks = sorted(places | {0, len(written)})
    return [" ".join(written[a:b]) for a, b in pairwise(breaks)]


two_tokenisations = st.integers(1, len(TEXT)).flatmap(lambda n: st.tuples(tokenisations(n), tokenisations(n)))


@pytest.mark.slow
@settings(max_examples=300)
@given(two_tokenisations)
@example((["a Ab=a+b ab"], ["aA=a+b bab=b"]))
def test_equals_the_plain_walk(both):
    gold, system = (read(conllu(*sentences)) for sentences in both)
    found = match_words(gold, system)
    assert {s: g for s, g in enumerate(found.tolist()) if g >= 0} == walk(words_of(gold), words_of(system))


def test_multiword_tokens_of_too_many_words_are_refused():
    """A table of 2,100 by 2,100 words: the official evaluation would fill it as well, for a whole file if need be."""
    n = 2_100
    words = "".join(row(i, f"w{i}", i - 1, "x") + "\n" for i in range(1, n + 1))
    long = read(f"{row(f'1-{n}', 'x')}\n{words}\n")
    with pytest.raises(FileError, match="line 2: 2,100 words belong to overlapping multiword tokens; with 2,100"):
        match_words(long, long)
