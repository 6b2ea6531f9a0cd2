"""Drawings of each format by pencil: which words, brackets, chunks, links and scores are marked, and how."""

from __future__ import annotations

from dataclasses import replace

from nlpsig_core.data.drawings import drawing_for
from nlpsig_core.data.drawings.brackets import tree_errors
from nlpsig_core.data.drawings.tokens import MOST_STEPS, bleu_tokens, foreign, rouge_tokens, tokens_of
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.structures import constituency
from nlpsig_core.data.readers import READERS
from tests.builders import conllu
from tests.data.drawings.test_arcs import place
from tests.data.drawings.test_drawings import having, parsed, read, read_gold, usual, words


def drawn(name: str, gold: str, unit: int = 0, metric: str = "", **outputs: str | None):
    """The drawing of texts, marked by the metric of that name."""
    read_outputs = {system: None if text is None else read(name, text) for system, text in outputs.items()}
    return parsed(drawing_for(name).draw(read_gold(name, gold), read_outputs, unit, METRICS.get(metric) or usual(name)))


def legend(name: str, gold: str, **outputs: str) -> str:
    """What the drawing explains."""
    html = drawing_for(name).draw(
        read_gold(name, gold), {s: read(name, text) for s, text in outputs.items()}, 0, usual(name)
    )
    return html.partition('<div class="legend">')[2]


def heads(root) -> list[str]:
    """The lines above the parts of a drawing."""
    return words(having(root, "head"))


DOGS = "she/2/nsubj/PRON sees/0/root/VERB big/4/amod/ADJ dogs/2/obj/NOUN"


def test_a_tree_from_raw_text_by_pencil():
    """Of four words sees and big are right, she has another relation, dogs hangs on big: 2 right."""
    system = "she/2/obl/PRON sees/0/root/VERB big/4/amod:x/ADJ dogs/3/obj/NOUN"
    root = drawn("CoNLL-U", conllu(DOGS), A=conllu(system.replace("big/4", "big/2").replace("dogs/3", "dogs/3")))
    assert words(having(root, "wrong-relation")) == ["obl"]
    assert words(having(root, "wrong-head")) == ["amod:x", "obj"]
    assert heads(root)[1] == "1 A 1 of 4 words right in LAS · 2 wrong heads · 1 right head with wrong relation"
    titles = [e.get("title") for arc in having(root, "wrong-head") for e in having(arc, "relation")]
    assert titles == ["gold: amod of dogs", "gold: obj of sees"]


def test_words_that_the_gold_does_not_have_are_framed_and_missing_ones_listed():
    """The system has bigdogs for big and dogs: 2 of 4 right, 3 words of its own."""
    system = "she/2/nsubj/PRON sees/0/root/VERB bigdogs/2/obj/NOUN"
    root = drawn("CoNLL-U", conllu(DOGS), A=conllu(system))
    assert words(having(root, "word", "alone")) == ["bigdogsNOUN"]
    assert words(having(root, "arc", "alone")) == ["obj"]
    assert heads(root)[1].endswith("2 of 4 words right in LAS · 3 words in the output · 1 word without counterpart")
    assert words(having(root, "note")) == ["missing gold words: big, dogs"]


def test_a_head_without_counterpart_is_no_root():
    """Both roots are right words, but the system's c hangs on a, which the gold has as a part of ab only."""
    root = drawn("CoNLL-U", conllu("ab/2/dep c/0/root"), A=conllu("a/0/root b/1/dep c/1/root"))
    assert words(having(root, "arc", "wrong-head")) == ["root"]
    assert words(having(root, "note")) == ["missing gold words: ab"]


def test_heads_outside_of_the_sentence_and_sentence_breaks_are_drawn():
    """One sentence of two: the second's root hangs on a word before. Two sentences of one: a break after two words."""
    gold = conllu("we/2/nsubj go/0/root", "you/2/nsubj stay/0/root")
    joined = conllu("we/2/nsubj go/0/root you/4/nsubj stay/2/conj")
    root = drawn("CoNLL-U", gold, unit=1, A=joined)
    (arc,) = having(root, "leaves")
    assert "backward" in arc.get("class")
    assert words([arc]) == ["conj"]
    assert "here the head is go, outside the sentence" in having(arc, "relation")[0].get("title")
    assert not having(root, "break")
    root = drawn("CoNLL-U", joined, A=gold)
    go, you = (place(word)[0] for word in having(root, "word")[5:7])
    assert [go < place(line)[0] < you for line in having(root, "break")] == [True]
    assert len(having(root, "to-root")) == 3


FEATURES = "1\tdogs\tdog\tNOUN\tNNS\t{}\t0\troot\t_\t_\n\n"


def test_features_are_marked_one_by_one():
    """Case is another one, Gender is too much and Number is lacking; Typo is no universal feature, order is nothing."""
    gold = FEATURES.format("Case=Nom|Number=Plur|Tense=Past")
    system = FEATURES.format("Tense=Past|Case=Acc|Gender=Fem|Typo=Yes")
    root = drawn("CoNLL-U", gold, metric="UFeats", A=system)
    assert words(having(root, "tag", "wrong")) == ["Case=Acc", "Gender=Fem", "missing Number=Plur"]
    assert words(having(root, "tag"))[3:] == ["Case=Acc", "Gender=Fem", "Tense=Past", "missing Number=Plur"]
    assert having(root, "wrong-field")[0].get("title") == "gold: Case=Nom, Number=Plur, Tense=Past"
    root = drawn("CoNLL-U", gold, metric="AllTags-2017", A=gold.replace("NNS", "NN"))
    assert words(having(root, "tag", "wrong")) == ["NN"]
    root = drawn("CoNLL-U", FEATURES.format("Typo=Yes"), metric="UFeats", A=FEATURES.format("_"))
    assert words(having(root, "tag")) == ["_", "_"]


def test_a_lemma_that_the_gold_leaves_open_is_right_in_the_edition_of_2018_only():
    gold = FEATURES.format("_").replace("\tdog\t", "\t_\t")
    for metric, right in (("Lemmas", 1), ("Lemmas-2017", 0)):
        root = drawn("CoNLL-U", gold, metric=metric, A=FEATURES.format("_"))
        assert heads(root)[1].startswith(f"1 A {right} of 1 word right in Lemmas")


def test_a_token_of_several_words_that_the_gold_does_not_have_is_marked_below_them():
    """The system takes zum Haus for one token of two words: neither of the gold's two tokens is found."""
    root = drawn("CoNLL-U", conllu("zum/2 Haus/0"), metric="Tokens", A=conllu("zumHaus=zum/2+Haus/0"))
    assert words(having(root, "surface", "alone")) == ["zumHaus"]
    assert heads(root)[1] == "1 A 0 of 2 tokens right in Tokens · 1 token in the output · 1 token without counterpart"


def test_a_token_of_several_words_is_shown_below_them():
    root = drawn("CoNLL-U", conllu("zum=zu/3/case+dem/3/det Haus/0/root"))
    assert words(having(root, "surface")) == ["zum"]
    assert drawing_for("CoNLL-U").text(read_gold("CoNLL-U", conllu("zum=zu+dem Haus")), 0) == "zum Haus"


def test_the_text_is_that_of_the_comment():
    text = "# text = zum Haus.\n" + conllu("zum Haus .")
    assert drawing_for("CoNLL-U").text(read_gold("CoNLL-U", text), 0) == "zum Haus."


def test_trees_of_scripts_from_right_to_left_start_at_the_right():
    assert drawn("CoNLL-U", conllu("قال/0/root الرئيس/1/nsubj")).get("dir") == "rtl"
    assert drawn("CoNLL-U", conllu(DOGS + " קל/2/obj")).get("dir") == "ltr"


PARSED = "1\tsees\t_\tV\tV\t_\t0\tROOT\t_\t_\n2\tdogs\t_\tN\tN\t_\t1\tOBJ\t_\t_\n3\t.\t_\t.\t.\t_\t1\tP\t_\t_\n\n"


def test_conllx_relations_count_as_they_stand_and_a_token_may_be_its_own_head():
    system = PARSED.replace("OBJ", "OBJ:x").replace("\t1\tP", "\t3\tP")
    root = drawn("CoNLL-X", PARSED, A=system)
    assert words(having(root, "wrong-relation")) == ["OBJ:x"]
    assert words(having(root, "wrong-head")) == ["P ↺"]
    assert heads(root)[1] == "1 A 1 of 3 tokens right in LAS · 1 wrong head · 1 right head with wrong relation"


def test_chunks_by_pencil():
    """Of Ann and Bo Lee the first system finds Ann and ends Bo Lee too early, the second misses Ann."""
    gold = "Ann B-PER\nsees O\nBo B-PER\nLee I-PER\n"
    root = drawn("Tagged tokens", gold, A=gold.replace("I-PER", "O"), B=gold.replace("Ann B-PER", "Ann O"))
    assert words(having(root, "chunk", "wrong")) == ["BoPER ✗"]
    assert words(having(root, "missed")) == ["✗2", "✗1"]
    assert [e.get("title") for e in having(root, "missed")] == ["missed by B", "missed by A"]
    assert heads(root) == [
        "gold 2 chunks",
        "1 A 1 of 2 chunks right · 1 missed · 1 not in the gold",
        "2 B 1 of 2 chunks right · 1 missed",
    ]
    assert words(having(root, "tokens")[:1]) == ["AnnPER✗2seesBoLeePER✗1"]


def test_tags_alone_are_shown_with_positions():
    gold = "B-PER\nO\n"
    assert words(having(drawn("Tagged tokens", gold, A=gold), "token")) == ["1", "2", "1", "2"]
    assert drawing_for("Tagged tokens").text(read_gold("Tagged tokens", gold), 0) == "sentence 1"


TREE = "(TOP (S (NP-SBJ (D the) (N dog)) (VP (V barks)) (. .)))\n"


def test_brackets_by_pencil():
    """The system puts the dog into the VP: NP is missed, its VP over all words is another one, S is right."""
    root = drawn("Bracketed trees", TREE, A="(TOP (S (VP (D the) (N dog) (V barks)) (. .)))\n")
    assert words(having(root, "node", "wrong")) == ["VP ✗"]
    assert words([node for node in having(root, "node") if having(node, "missed")]) == ["NP-SBJ✗1", "VP✗1"]
    assert heads(root) == ["gold 3 brackets", "1 A 1 of 3 brackets right · 2 missed · 1 not in the gold"]
    assert words(having(root, "node", "deleted")) == ["TOP", "TOP"]
    assert words(having(root, "leaf", "deleted")) == ["..", ".."]


def test_brackets_with_labels_that_evalb_takes_for_one_are_right():
    gold = "(S (ADVP (R up)) (VP (V goes)))\n"
    root = drawn("Bracketed trees", gold, A=gold.replace("ADVP", "PRT"))
    assert not having(root, "wrong") + having(root, "missed")


def test_every_bracket_is_joined_to_what_is_directly_inside_of_it():
    """TOP has one part, S three (two brackets and a full stop), NP two, VP one: seven lines."""
    root = drawn("Bracketed trees", TREE)
    assert len(having(root, "riser")) == 7
    assert len(having(root, "riser", "first")) == len(having(root, "riser", "last")) == 4
    assert len(having(root, "riser", "first", "last")) == 2


def test_sentences_that_evalb_leaves_out_say_why():
    texts = {
        "A": "(S (NP (D the) (N dogs)) (VP (V barks)) (. .))\n",
        "B": "(S (V barks))\n",
        "C": "(())\n",
        "D": "(S (. .))\n",
    }
    assert [line[4:] for line in heads(drawn("Bracketed trees", TREE, **texts))[1:]] == [
        "not counted: the word 'dogs' where the gold has 'dog'",
        "not counted: 1 word where the gold has 3",
        "not counted: no parse",
        "not counted: all words are deleted",
    ]


def test_trees_beside_each_other_are_drawn_and_brackets_without_a_label_count_for_evalb():
    texts = {"A": "(S (V go))\n", "B": "(X (V go)) (Y (. .))\n"}
    root = drawn("Bracketed trees", "( (S (V go)) )\n", **texts)
    assert words(having(root, "node")) == ["( )✗12", "S✗2", "S", "X ✗", "Y"]
    assert words(having(root, "node", "deleted")) == ["Y"]
    assert heads(root)[0] == "gold 2 brackets"
    root = drawn("Bracketed trees", "( (S (V go)) )\n", metric="F1-brackets-labelled", **texts)
    assert words(having(root, "node")) == ["( )", "S✗2", "S", "X ✗", "Y"]
    assert words(having(root, "node", "deleted")) == ["( )", "Y"]
    assert heads(root)[:2] == ["gold 1 bracket", "1 A 1 of 1 bracket right"]


def test_evalbs_own_samples_are_marked_as_evalb_counts(real_data):
    """Also with the parameters that put quotation marks back (bug.gld), which move what is compared."""
    folder = real_data / "constituency.evalb_sample"
    for gold_file, output_file, rules in (
        ("sample.gld", "sample.tst", "sample.prm"),
        ("bug.gld", "bug.tst", "nk.prm"),
        ("bug.gld", "bug.tst", "new.prm"),
    ):
        gold, output = evalb(folder, gold_file, rules), read("Bracketed trees", (folder / output_file).read_text())
        counted = [
            dict(zip(constituency.COLUMNS, row, strict=True)) for row in constituency.count(gold, output).tolist()
        ]
        result = [tree_errors(gold, output, unit) for unit in range(gold.n_units)]
        assert [len(c.wrong) for c in result] == [c["test_brackets"] - c["matched"] for c in counted]
        assert [len(c.missed) for c in result] == [c["gold_brackets"] - c["matched"] for c in counted]
        assert [not c.reason for c in result] == [bool(c["valid"]) for c in counted]


def evalb(folder, gold_file: str, rules: str):
    """A gold of EVALB with its parameters."""
    with (folder / gold_file).open() as trees, (folder / rules).open() as parameters:
        return READERS["Bracketed trees"].read_gold([(trees, gold_file), (parameters, rules)])


def test_links_by_pencil():
    """Sure 0-0 is found, sure 2-2 is not, possible 1-1 is not (no error), 2-1 is wrong."""
    root = drawn("Word alignments", "0-0 1p1 2-2\n", A="0-0 2-1\n")
    kinds = {cell.get("title"): cell.get("class") for cell in having(root, "link")}
    assert kinds == {
        "0 – 0: sure link, found": "link sure hit",
        "1 – 1: possible link, not found": "link possible",
        "2 – 1: wrong link": "link wrong",
        "2 – 2: sure link, not found": "link sure lost",
    }
    assert heads(root) == [
        "gold 2 sure links · 1 possible",
        "1 A 1 of 2 sure links found · 1 of 2 links right · 1 wrong",
    ]
    assert words(having(root, "source")) == words(having(root, "target")) == ["0", "1", "2"]


def test_links_of_the_gold_are_shown_where_there_is_no_output_and_positions_as_it_counts_them():
    root = drawn("Word alignments", "1-1 2p2\n", A=None)
    assert [cell.get("class") for cell in having(root, "link")] == ["link sure", "link possible"]
    assert words(having(root, "source")) == ["1", "2"]


def test_words_stand_on_the_axes_where_the_gold_has_them():
    """Chinese words are written downwards, others turned."""
    links = read_gold("Word alignments", "0-0 1-1\n")
    gold = replace(links, source_sentences=("the <dog>",), target_sentences=("狗 GmbH",))
    root = parsed(drawing_for("Word alignments").draw(gold, {"A": links}, 0, METRICS["AER"]))
    assert words(having(root, "source")) == ["the", "<dog>"]
    assert words(having(root, "target")) == ["狗", "GmbH"]
    assert words(having(root, "upright")) == ["狗"]
    assert having(root, "link")[1].get("title") == "<dog> – GmbH: sure link, found"
    assert drawing_for("Word alignments").text(gold, 0) == "the <dog>"


def test_the_first_words_of_very_long_sentences_are_drawn_and_the_drawing_says_so():
    """A row for each of a million positions would take a hundred megabytes; all links are counted above the grid."""
    root = drawn("Word alignments", "0-0 0-200 199-199 999999-1\n", A="0-0 999999-2\n")
    assert words(having(root, "note")) == ["only the first 200 words of a side are drawn, with their links"]
    assert [cell.get("title") for cell in having(root, "link")] == [
        "0 – 0: sure link, found",
        "199 – 199: sure link, not found",
    ]
    assert [len(having(root, side)) for side in ("source", "target")] == [200, 200]
    assert heads(root) == ["gold 4 sure links", "1 A 1 of 4 sure links found · 1 of 2 links right · 1 wrong"]
    assert not having(drawn("Word alignments", "199-199\n", A="0-0\n"), "note")


def test_tokens_of_many_scripts():
    """Words keep inner hyphens and apostrophes, numbers their points; Chinese characters are tokens, Hindi words."""
    assert [token.text for token in tokens_of("It's well-known: 3,141.5 (dogs).")] == [
        "It's",
        "well-known",
        ":",
        "3,141.5",
        "(",
        "dogs",
        ")",
        ".",
    ]
    assert [token.text for token in tokens_of("这是GPT-4。")] == ["这", "是", "GPT-4", "。"]
    assert [token.text for token in tokens_of("हिन्दी है")] == ["हिन्दी", "है"]
    assert [token.text for token in tokens_of("می\u200cخواهم")] == ["می\u200cخواهم"]


def test_tokens_of_bleu_by_pencil():
    """13a parts full stops, not apostrophes; it restores &quot; and &amp;, intl does not. Places are the text's."""
    text = "It's &quot;R&amp;D&quot;, 3.5% off."
    result = bleu_tokens(text, "13a")
    assert [token.compared for token in result] == ["It's", '"', "R", "&", "D", '"', ",", "3.5", "%", "off", "."]
    assert [token.text for token in result][:5] == ["It's", "&quot;", "R", "&amp;", "D"]
    assert all(text[token.start : token.end] == token.text for token in result)
    assert [token.text for token in bleu_tokens("R&amp;D", "intl")] == ["R", "&", "amp", ";", "D"]
    assert [token.text for token in bleu_tokens("这是 GPT-4。", "zh")] == ["这", "是", "GPT-4", "。"]
    assert [token.text for token in bleu_tokens("a <skipped>b", "13a")] == ["a", "b"]


def test_words_of_rouge_by_pencil():
    """Signs and letters beyond a to z are parted off and not compared; long words are compared by their stems."""
    result = rouge_tokens("The Dogs' naïve hoping, 1.5", stem=True)
    assert [token.text for token in result] == ["The", "Dogs", "'", "na", "ï", "ve", "hoping", ",", "1", ".", "5"]
    assert [token.compared for token in result] == ["the", "dog", "", "na", "", "ve", "hope", "", "1", "", "5"]
    assert [token.compared for token in rouge_tokens("Dogs hoping", stem=False)] == ["dogs", "hoping"]
    assert [(token.text, token.compared) for token in rouge_tokens("İdil", stem=True)] == [("İ", "i"), ("dil", "dil")]


def test_foreign_tokens_are_those_that_no_reference_has_so_often():
    """the is twice in the second reference, so the third one is too many; cats is nowhere."""
    output, *references = map(tokens_of, ("the the the cats dog", "the dog", "the old the"))
    assert foreign(output, references) == [False, False, True, True, False]
    output, reference = (rouge_tokens(text, stem=True) for text in ("The dog !", "the cat"))
    assert foreign(output, [reference]) == [False, True, False]


def test_texts_too_long_to_be_compared_are_drawn_without_differences_and_the_drawing_says_so():
    """Of 2 n words alike in two texts, each is compared with half of the other: 2 n (4 n + 2 n n) steps."""
    n = round((MOST_STEPS / 4) ** (1 / 3))
    for more, note in ((-2, ""), (2, "; the outputs are too long to mark where they differ")):
        texts = {"A": "a b " * (n + more) + "\n", "B": "a b " * (n + more - 1) + "a c\n"}
        root = drawn("Translations", "a b\n", metric="BLEU-13a", **texts)
        assert words(having(root, "note")) == [f"errors are marked by the 1-grams of BLEU, tokeniser 13a{note}"]
        assert words(having(root, "differs")) == ([] if note else ["b", "c"])


def test_translations_by_pencil():
    """Of the outputs dog and cat differ; the reference has dog alone."""
    root = drawn("Translations", "the dog barks .\n", A="the dog barks .\n", B="the big cat barks .\n")
    assert words(having(root, "foreign")) == ["big", "cat"]
    assert words(having(root, "differs")) == ["dog", "big cat"]
    assert words(having(root, "text")) == ["the dog barks .", "the dog barks .", "the big cat barks ."]
    assert heads(root) == ["reference gold", "1 A 4 tokens · 0 in no reference", "2 B 5 tokens · 2 in no reference"]


def test_translations_are_marked_by_bleus_own_tokens_or_without_capitals_for_ter():
    """13a has dog's as one token; TER takes Dog for dog."""
    gold, output = "the dog 's tail\n", "the dog's Tail\n"
    assert words(having(drawn("Translations", gold, metric="BLEU-13a", A=output), "foreign")) == ["dog's", "Tail"]
    root = drawn("Translations", "the tail\n", metric="TER", A="The Tail\n")
    assert not having(root, "foreign")
    assert words(having(root, "note")) == ["errors are marked by single words, not by TER, ignoring case"]


def test_what_differs_is_framed_line_by_line():
    """Both lines differ as a whole; a frame does not go over a line break."""
    root = drawn("Summaries", "x\n", A="One dog.\\nTwo cats.\n", B="y\n")
    assert words(having(root, "differs")) == ["One dog.", "Two cats.", "y"]


def test_marks_of_line_breaks_are_line_breaks():
    for mark in ("\\n", "<n>", " <q> "):
        root = drawn("Summaries", f"One dog.{mark}Two cats.\n", A=f"One.{mark}Two.\n", B="\n")
        assert [len(list(text.iter("br"))) for text in having(root, "text")] == [1, 1, 0]
        assert heads(root)[-1] == "2 B empty"
    assert drawing_for("Summaries").text(read_gold("Summaries", "One.<n>Two.\n"), 0) == "One. Two."


def test_scores_are_a_table():
    root = drawn("Score table", "1\ta\tnews\n2\t-\t-\n", unit=1, A="0.5\t2\n0.25\t3\n", B="0.5\t2\n-\t3\n")
    assert words(list(root.iter("td"))) == ["0.25", "no score"]
    assert words(list(root.iter("th"))) == ["unit 2", "score", "1 A", "2 B"]


def test_transcripts_are_aligned_word_by_word():
    """Gold the old dog sleeps; A has odd in place of the and lacks old; B has a word more, before dog."""
    gold = "s-1-a The old dog sleeps.\ns-1-b Yes.\ns-2-a No.\ns-2-b I do.\n"
    outputs = {"A": "s-1-a odd dog sleeps\n", "B": "the old brown dog sleeps (s-1-a)\n"}
    root = drawn("Transcripts", gold, A=outputs["A"], B=outputs["B"], C=None)
    columns = [words(list(slot)) for slot in having(root, "slot")]
    assert columns == [
        ["gold", "1", "2"],
        ["the", "odd", "the"],
        ["old", "−", "old"],
        ["\u00a0", "\u00a0", "+brown"],
        ["dog", "dog", "dog"],
        ["sleeps", "sleeps", "sleeps"],
    ]
    assert (words(having(root, "unlike")), words(having(root, "lacking"))) == (["odd", "+brown"], ["−"])
    assert heads(root) == [
        "s-1-a s-1 · 4 words",
        "1 A 2 errors · 1 substituted · 1 deleted",
        "2 B 1 error · 1 inserted",
        "3 C no valid output",
    ]
    assert words(having(root, "note")) == ["words in lower case without punctuation"]
    root = drawn("Transcripts", gold, metric="CER", B="s-1-a The old dog, sleeps.\n")
    assert words(having(root, "unlike")) == ["dog,"]
    assert words(having(root, "note")) == ["words as written; errors are marked by words, not by CER"]
    assert "deleted" in legend("Transcripts", gold, A=outputs["A"])
    assert legend("Transcripts", "a-1 yes\na-2 no\n", A="a-1 yes\na-2 no\n") == ""


def test_of_long_recordings_stretches_with_errors_are_drawn():
    """1,000 words. A wrong one every 25 words: 40 stretches of 9 columns, which are 360; every 11: 91, of which 44 fit.

    With one every 9 there is but one stretch of 1,000. Of two outputs, stretches count in which they differ.
    """
    said = [f"w{number}" for number in range(1_000)]
    for every, shown, note in (
        (25, 40, "the first 40 of 40 stretches with errors"),
        (9, 1, "the first 1 of 1 stretch with errors, cut after 400 words"),
        (11, 44, "the first 44 of 91 stretches with errors"),
    ):
        own = ["wrong" if number % every == 5 else word for number, word in enumerate(said)]
        root = drawn("Transcripts", f"c-1 {' '.join(said)}\n", A=f"c-1 {' '.join(own)}\n")
        assert len(having(root, "aligned")) == shown
        assert 360 <= len(having(root, "slot")) - shown <= 400
        assert words(having(root, "note")) == [f"words in lower case without punctuation · {note}"]
    both = {"A": f"c-1 {' '.join(own)}\n", "B": f"c-1 {' '.join([*own[:500], 'new', *own[500:]])}\n"}
    root = drawn("Transcripts", f"c-1 {' '.join(said)}\n", **both)
    assert words(having(root, "unlike")) == ["+new", "wrong", "wrong"]
    assert words(having(root, "note"))[0].endswith("the first 1 of 1 stretch with errors in which the outputs differ")


def test_the_legend_explains_the_marks_that_occur():
    assert legend("CoNLL-U", conllu(DOGS), A=conllu(DOGS)) == ""
    wrong = legend("CoNLL-U", conllu(DOGS), A=conllu(DOGS.replace("obj", "iobj")))
    assert "right head, wrong relation" in wrong
    assert "wrong head" not in wrong.replace("right head, wrong relation", "")
    assert "one token with several words" in legend("CoNLL-U", conllu("zum=zu+dem"))
    assert "missed by the system with that number" in legend("Tagged tokens", "Ann B-PER\n", A="Ann O\n")
    assert "not counted by EVALB" in legend("Bracketed trees", TREE, A=TREE)
    assert "the two outputs differ" in legend("Translations", "a\n", A="a\n", B="b\n")


def test_rankings_by_pencil():
    """a has grade 2, b was judged as 0, x not at all; the second run has a third and c, which the first one lacks."""
    first = "7 Q0 a 1 9 A\n7 Q0 b 2 8 A\n7 Q0 x 3 7 A\n"
    second = "7 Q0 c 1 9 B\n7 Q0 x 2 8 B\n7 Q0 a 3 7 B\n7 Q0 d 4 6 B\n"
    root = drawn("Rankings", "7 0 a 2\n7 0 b 0\n7 0 c 1\n7 0 d 0\n", A=first, B=second)
    assert heads(root) == ["topic 7 2 relevant documents · 4 judged"]
    rows = [words(list(row)) for row in root.iter("tr")]
    assert rows == [
        ["rank", "1 A", "2 B"],
        ["1", "2 a23", "1 c"],
        ["2", "0 b", "? x13"],
        ["3", "? x22", "2 a11"],
        ["4", "", "0 d"],
    ]
    assert words(having(root, "grade", "relevant")) == ["2", "1", "2"]
    assert "not judged" in legend("Rankings", "7 0 a 1\n", A=first)
    assert "not judged" not in legend("Rankings", "7 0 a 1\n", A="7 Q0 a 1 1 A\n")


def test_a_run_without_the_topic_or_without_valid_lines_says_so():
    gold = "7 0 a 1\n"
    root = drawn("Rankings", gold, A="8 Q0 a 1 1 A\n", B=None)
    assert [words(list(row)) for row in root.iter("tr")] == [["rank", "1 Ano document", "2 Bno valid output"]]


def test_the_first_ten_documents_of_a_run_are_drawn():
    run = "".join(f"7 Q0 d{n} 0 {100 - n} A\n" for n in range(30))
    assert len(list(drawn("Rankings", "7 0 d29 1\n", A=run).iter("tr"))) == 1 + 10
