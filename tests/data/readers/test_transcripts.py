"""Transcripts in the forms of Kaldi, sclite and manifests: what is read, matched, and refused."""

from __future__ import annotations

import io
import json

import pytest

from nlpsig_core.base.errors import FileError, TaskError
from nlpsig_core.data.drawings.transcripts import MOST_WORDS, _Column, _stretches
from nlpsig_core.data.metrics import METRICS
from nlpsig_core.data.metrics.texts.transcripts import matched, remarks
from nlpsig_core.data.readers import READERS
from nlpsig_core.data.readers.transcripts import read_gold_transcripts, read_transcripts, usual_text
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.output.commands.cli import main
from nlpsig_core.significance.comparison.select import select
from tests.builders import task, write

KALDI = "s1-a-1 the old dog\ns1-a-2 sleeps\ns2-b-1 yes\ns2-b-2 no\n"
WORDS = ("the old dog", "sleeps", "yes", "no")
IDS = ("s1-a-1", "s1-a-2", "s2-b-1", "s2-b-2")


def gold_of(text: str, *beside: tuple[str, str], name: str = "gold.txt"):
    files = [(text, name), *((content, path) for path, content in beside)]
    return read_gold_transcripts([(io.StringIO(content), path) for content, path in files])


def values(gold, output: str, name: str = "A.txt"):
    return gold.answers_of(read_transcripts(io.StringIO(output), name))


def manifest(*rows: dict) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


FORMS = {
    "Kaldi": KALDI,
    "Kaldi with tabs": "".join(f"{name}\t{words}\n" for name, words in zip(IDS, WORDS, strict=True)),
    "sclite": ";; a comment\n" + "".join(f"{words} ({name})\n" for name, words in zip(IDS, WORDS, strict=True)),
    "NeMo": manifest(
        *({"audio_filepath": f"/data/{n}.wav", "duration": 1.5, "text": w} for n, w in zip(IDS, WORDS, strict=True))
    ),
    "lists of words": manifest(*({"utt_id": n, "text": w.split()} for n, w in zip(IDS, WORDS, strict=True))),
    "tabs": "path\tsentence\n" + "".join(f"{n}.mp3\t{w}\n" for n, w in zip(IDS, WORDS, strict=True)),
    "commas": "wav_filename,transcript\n" + "".join(f'{n}.wav,"{w}"\n' for n, w in zip(IDS, WORDS, strict=True)),
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_every_form_is_read_and_matched_with_every_other(text):
    assert gold_of(text).answers == WORDS
    assert values(gold_of(KALDI), text).values == WORDS
    assert values(gold_of(text), FORMS["sclite"]).values == WORDS


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("ending", ["txt", "tsv", "csv", "jsonl", "trn"])
def test_every_form_is_recognised_whatever_the_ending(text, ending):
    """Longer utterances, since short strings beside ids could be strings."""
    for word in ("sleeps", "yes", "no"):
        text = text.replace(word, f"{word} he said to them")
    assert task({f"gold.{ending}": text, f"systems/A.{ending}": text}).reader.name == "Transcripts"


@pytest.mark.parametrize(("gold", "output"), [("txt", "trn"), ("txt", "jsonl"), ("trn", "csv"), ("jsonl", "txt")])
def test_outputs_may_all_have_another_ending_than_the_gold(gold, output):
    text = FORMS["Kaldi"].replace("no\n", "no he said to them\n").replace("yes\n", "yes she said to him\n")
    assert task({f"gold.{gold}": text, f"systems/A.{output}": text}).reader.name == "Transcripts"


def test_plain_lines_are_transcripts_if_their_format_is_chosen():
    files = {"gold.txt": "the old dog\nyes it is\n\nno\n", "systems/A.txt": "the odd dog\nyes it is\n\nno\n"}
    assert task(files).reader.name == "Translations"
    chosen = task(files, Correction(format="Transcripts"))
    assert chosen.test_set().gold.answers == ("the old dog", "yes it is", "", "no")
    output = chosen.test_set().read("systems/A.txt", files["systems/A.txt"].encode())
    assert chosen.test_set().gold.answers_of(output).values == ("the odd dog", "yes it is", "", "no")


def test_a_form_can_be_stated():
    """Without digits, first words could be words; the lines below are ids and words all the same."""
    files = {"gold.txt": "ann hello there\nbo well\n", "systems/A.txt": "bo well\nann hello\n"}
    chosen = Correction(format="Transcripts", read_as=dict.fromkeys(files, "id first"))
    test_set = task(files, chosen).test_set()
    assert test_set.gold.keys == ("ann", "bo")
    output = test_set.read("systems/A.txt", files["systems/A.txt"].encode())
    assert test_set.gold.answers_of(output).values == ("hello", "well")


def opened(gold: str, output: str, ending: str = "txt"):
    """The format, the ids of the gold, and the answers of the output."""
    found = task({f"gold.{ending}": gold, "systems/A.txt": output, "systems/B.txt": output})
    test_set = found.test_set()
    if found.reader.name != "Transcripts":
        return found.reader.name, (), ()
    values = test_set.gold.answers_of(test_set.read("systems/A.txt", output.encode())).values
    return found.reader.name, test_set.gold.keys, values


def test_ids_without_digits_and_few_lines_are_found_from_the_pair_of_files():
    """Ids of Kaldi with hyphens, in two lines; bare words in four lines, sorted, or in another order in the output."""
    few = "ann-a the old dog sleeps\nbo-a yes it really does\n"
    assert opened(few, few.replace("dog", "hog"))[1:] == (
        ("ann-a", "bo-a"),
        ("the old hog sleeps", "yes it really does"),
    )
    assert opened("u1 the old dog sleeps\nu2 no it does not\n", "u2 no\nu1 the dog\n")[2] == ("the dog", "no")
    last = "the old dog sleeps (ann)\nno it does not (bo)\n"
    assert opened(last, "yes (bo)\nthe dog (ann)\n")[1:] == (("ann", "bo"), ("the dog", "yes"))
    lines = [f"{name} the old dog of {name} sleeps" for name in ("ann", "bo", "cyd", "dan")]
    text, reverse = ("\n".join(each) + "\n" for each in (lines, lines[::-1]))
    for gold, output in ((text, text), (reverse, text), (text, reverse)):
        found = opened(gold, output)
        assert (found[0], sorted(found[1])) == ("Transcripts", ["ann", "bo", "cyd", "dan"])
        assert found[2] == tuple(f"the old dog of {name} sleeps" for name in found[1])
    rows = manifest(*({"audio_filepath": f"{n}.wav", "text": "the old dog sleeps"} for n in ("ann-a", "bo-a")))
    assert opened(rows, few, "jsonl")[0] == "Transcripts"


@pytest.mark.parametrize(
    ("gold", "output"),
    [
        ("The old dog sleeps.\nHe is tired now.\nYes, he really is.\nBut why is he?\n",) * 2,
        ("A dog sleeps there.\nHe is tired now.\nYes, he really is.\n",) * 2,
        ("Mother-in-law is here now\nTwo men sleep over there\n",) * 2,
        ("ann-a the old dog sleeps\nbo-a no it does not\n", "the old dog sleeps\nno it does not\n"),
        ("The dog is here now\nThe cat is not here\nThe men are there now\n" * 2,) * 2,
        ("u1 yes\nu2 no\n",) * 2,
    ],
)
def test_translations_that_begin_with_the_same_words_stay_translations(gold, output):
    assert opened(gold, output)[0] == "Translations"


def test_ids_are_found_in_every_test_set():
    text = "ann the old dog sleeps\nbo no it does not\ncyd yes it does now\ndan who is it then\n"
    files = {f"gold/{name}.txt": text.replace("dog", name) for name in ("x", "y")}
    files |= {f"systems/{system}/{name}.txt": text for system in "AB" for name in ("x", "y")}
    golds = [test_set.gold for test_set in task(files).test_sets.values()]
    assert [gold.keys for gold in golds] == [("ann", "bo", "cyd", "dan")] * 2


def test_clusters_are_called_what_the_files_say():
    """Speakers by utt2spk, a column or the beginnings of ids; recordings by a column or the audio of segments."""
    speakers = "".join(f"{name} p{number // 2}\n" for number, name in enumerate(IDS))
    rows = [{"id": name, "text": "x", "recording": f"r{number // 2}"} for number, name in enumerate(IDS)]
    cuts = [{"audio_filepath": "a.wav", "offset": offset, "text": "x"} for offset in range(3)]
    found = [gold_of(KALDI, ("utt2spk", speakers)), gold_of(KALDI), gold_of(manifest(*rows)), gold_of(manifest(*cuts))]
    assert [gold.cluster for gold in found] == ["speaker", "speaker", "recording", "recording"]
    assert gold_of(KALDI, ("documents.tsv", speakers)).cluster == "document"
    files = {"gold.txt": KALDI, "utt2spk": speakers, "systems/A.txt": KALDI}
    opened = task(files, Correction(format="Transcripts"))
    assert opened.test_set().resampling_units == ["utterance", "speaker"]
    for unit in ("speaker", "document"):
        stats = select(opened, METRICS["WER"], unit=unit).stats
        assert (stats.unit, stats.n_units) == ("speaker", 2)


def test_an_id_alone_has_no_words_and_an_absent_one_is_noted():
    gold = gold_of(KALDI)
    found = values(gold, "s2-b-1\ns1-a-1 the dog\ns1-a-2 sleeps\ns1-a-1 again\nx-1 extra\n")
    assert found.values == ("the dog", "sleeps", "", None)
    assert found.notes == (
        "1 id occurs again (first: 's1-a-1', line 4); the first answer counts",
        "1 id is not in the gold (first: 'x-1', line 5)",
        "1 of 4 utterances without a transcript (first: 's2-b-2', line 4 of gold.txt)"
        "; all their words count as deleted",
    )
    assert values(gold, "(s1-a-1)\n(s1-a-2)\n(s2-b-1)\n(s2-b-2)\n").values == ("",) * 4
    assert values(gold, "s1-a-1\ns1-a-2\ns2-b-1\ns2-b-2\n").values == ("",) * 4


STM = """;; a comment
talk 1 inter_segment_gap 0 0.50 <o,,unknown> ignore_time_segment_in_scoring
talk 1 ann 0.5 2.25 <o,f0,female> the old dog sleeps
talk 1 bo 2.25 3.1234567
talk 2 ann 1002.5 1003 yes she said
"""


@pytest.mark.parametrize("ending", ["stm", "txt"])
def test_segments_of_nist_are_read_as_gold_and_as_output(ending):
    """Times are compared as numbers; those that are not to be scored are left out."""
    own = "talk 2 x 1002.50 1003.00 <o> yes\ntalk 1 y 0.500 2.25 the dog\ntalk 1 y 2.25 3.123 oh\n"
    found = task({f"gold.{ending}": STM, f"systems/A.{ending}": own, f"systems/B.{ending}": own})
    gold = found.test_set().gold
    assert found.reader.name == "Transcripts"
    assert gold.keys == ("talk-1-0.5-2.25", "talk-1-2.25-3.123", "talk-2-1002.5-1003.0")
    assert (gold.answers, gold.documents) == (("the old dog sleeps", "", "yes she said"), ("ann", "bo", "ann"))
    assert gold.cluster == "speaker"
    assert gold.notes[0] == "1 segment (line 2) not to be scored, left out"
    assert values(gold, own).values == ("the dog", "oh", "yes")
    with pytest.raises(FileError, match=r"A\.stm, line 2: not a segment of an STM: recording, channel, speaker"):
        read_transcripts(io.StringIO(STM.replace("talk 1 inter", "talk")), "A.stm", "STM")
    with pytest.raises(FileError, match="no segment is to be scored"):
        read_transcripts(io.StringIO("\n".join(STM.split("\n")[:2])), "A.stm")


def test_words_with_times_are_refused_with_what_to_convert():
    words = "talk 1 0.5 0.2 the 0.98\ntalk 1 0.7 .31 dog 0.9 lex\ntalk 1 1.2 0.3 7\n"
    with pytest.raises(
        FileError, match=r"A\.ctm, line 1: a CTM: one word with its time per line; join the words of ea"
    ):
        read_transcripts(io.StringIO(words), "A.ctm")
    found = task({"gold.stm": STM, "systems/A.ctm": words, "systems/B.stm": STM})
    assert sorted(found.test_set().outputs) == ["A", "B"]


def test_manifests_without_a_gold_file_share_their_references():
    """A has one word wrong of seven, B two: their order does not matter, but their references do."""
    rows = [("u1", "the old dog sleeps", "the odd dog sleeps"), ("u2", "no he does", "no he does")]
    one, other = (
        [{"audio_filepath": f"{n}.wav", "text": t, "pred_text": p} for n, t, p in of] for of in (rows, rows[::-1])
    )
    files = {"systems/A.jsonl": manifest(*one), "systems/B.jsonl": manifest(*other).replace("odd dog", "odd hog")}
    with pytest.raises(
        TaskError, match=r"the references of systems/A\.jsonl and systems/B\.jsonl differ; add a gold file"
    ):
        task({**files, "systems/B.jsonl": manifest(*other).replace("no he", "so he")})
    found = task(files)
    assert found.test_set().gold.answers == ("the old dog sleeps", "no he does")
    assert "no file is the gold; it is the text of systems/A.jsonl and of the other manifests" in found.problems
    scores = select(found, METRICS["WER"]).stats
    assert dict(zip(scores.names, scores.scores.tolist(), strict=True)) == pytest.approx({"A": 100 / 7, "B": 200 / 7})
    with pytest.raises(TaskError):
        task({name: text.replace("pred_text", "note") for name, text in files.items()})


def test_empty_utterances_are_noted_on_the_command_line_and_in_the_app(tmp_path, capsys):
    """A has no words for an utterance of three and one word for an empty one: 4 errors in 6 words."""
    gold = "s1-a-1 the old dog\ns1-a-2\ns2-b-1 yes he does\n"
    own = "s1-a-1\ns1-a-2 oh\ns2-b-1 yes he does\nx-1 more\n"
    folder = write(tmp_path / "task", {"gold.txt": gold, "systems/A.txt": own, "systems/B.txt": gold})
    assert main(["score", str(folder), "--kind", "Transcripts", "--metric", "WER", "--resamples", "1000"]) == 0
    out, err = capsys.readouterr()
    assert {row.split("\t")[0]: row.split("\t")[2] for row in out.splitlines()[1:]}["A"] == f"{400 / 6:f}"
    assert "gold.txt: 1 utterance (line 2) without words in the gold; those of an output count as insertions" in err
    assert "A: 1 id is not in the gold (first: 'x-1', line 4); 1 empty transcript (first: 's1-a-1')" in err
    with pytest.raises(FileError, match=r"gold\.txt: no utterance of the gold has words; nothing can be compared"):
        gold_of("s1-a-1\ns1-a-2\n")


def test_alternatives_of_a_reference_are_noted():
    """sclite would take either; here both are words, in every form."""
    note = "1 line (line 1) with alternatives, { a / b }, compared as they are written; replace each by one of them"
    for text in ("yes { um / uh / @ } no (a-1)\nno (a-2)\n", "a-1 yes { um / uh / @ } no\na-2 no\n"):
        assert [gold_of(text).notes, gold_of(text).answers[0]] == [(note,), "yes { um / uh / @ } no"]


def test_an_output_takes_the_prediction_of_a_manifest_and_the_gold_its_text():
    both = manifest(*({"id": n, "text": w, "pred_text": w.upper()} for n, w in zip(IDS, WORDS, strict=True)))
    assert gold_of(both).answers == WORDS
    assert values(gold_of(KALDI), both).values == tuple(map(str.upper, WORDS))


def test_the_first_utterances_are_shown_by_their_beginnings():
    gold = gold_of("a-1 " + "word " * 9_000 + "\na-2 yes\n")
    assert gold.beginning() == [f"line 1: a-1 → {'word ' * 12}…", "line 2: a-2 → yes"]


def test_segments_of_a_recording_are_named_by_their_offset():
    rows = [{"audio_filepath": "a.wav", "offset": offset, "text": f"word{offset}"} for offset in (0.0, 2.5, 7.25)]
    gold = gold_of(manifest(*rows))
    assert gold.documents == ("a.wav",) * 3
    assert values(gold, manifest(*rows[::-1])).values == ("word0.0", "word2.5", "word7.25")


@pytest.mark.parametrize(
    ("ids", "documents"),
    [
        (["1089-134686-0000", "1089-134691-0001", "121-121726-0000", "121-1-2"], ["1089", "1089", "121", "121"]),
        (["AMI_EN1_1", "AMI_EN1_2", "AMI_EN2_1", "AMI_EN2_2"], ["AMI_EN1", "AMI_EN1", "AMI_EN2", "AMI_EN2"]),
        (["sw02001-A_1", "sw02001-A_2", "sw02001-B_1", "sw02001-B_2"], ["sw02001-A"] * 2 + ["sw02001-B"] * 2),
        (["u-1", "u-2", "u-3", "u-4"], []),
        (["a-1", "b-1", "c-1", "c-2"], []),
        (["4320211", "4330115", "4344338", "4346818"], []),
        (["a-1", "a-2", "b-1", "b2"], []),
    ],
)
def test_beginnings_of_ids_that_utterances_share_are_documents(ids, documents):
    """The shortest ones of which there are several, for two utterances each on average, if every id has one."""
    gold = gold_of("".join(f"{name} some words\n" for name in ids))
    assert list(gold.documents) == documents
    told = f"speakers (or recordings) by the beginnings of ids, such as {documents[:1] and documents[0]}"
    assert any(told in note for note in gold.notes) == bool(documents)


def test_stated_documents_come_first():
    speakers = ("utt2spk", "".join(f"{name} ann\n" for name in IDS[:3]) + f"{IDS[3]} bo\n")
    assert gold_of(KALDI, speakers).documents == ("ann", "ann", "ann", "bo")
    rows = manifest(*({"id": n, "text": "x", "speaker": f"p{i // 2}", "domain": "tv"} for i, n in enumerate(IDS)))
    gold = gold_of(rows)
    assert (gold.documents, gold.domains, gold.notes) == (("p0", "p0", "p1", "p1"), ("tv",) * 4, ())
    found = task({"gold.txt": KALDI, "utt2spk": speakers[1], "systems/A.txt": KALDI})
    assert found.test_set().documents.tolist() == ["ann", "ann", "ann", "bo"]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("A-1 HELLO, YOU\n", "normalised"),
        ("a-1 hello, you\n", "normalised"),
        ("a-1 Hello you it's me\n", "normalised"),
        ("a-1 Hello, you\n", "as written"),
        ("a-1 你好。\n", "as written"),
        ("a-1 你好\n", "normalised"),
    ],
)
def test_texts_are_normalised_where_the_gold_lacks_a_case_or_punctuation(text, usual):
    assert usual_text(gold_of(text)) == usual == READERS["Transcripts"].editions.usual(gold_of(text))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"A\.txt: the file is empty; it should have one utterance per line"),
        (" \n\n", "it should have one utterance per line"),
        (
            "one (a-1)\n" * 3 + "".join(f"words (b-{i})\n" for i in range(97)) + "three\n",
            r"A\.txt, line 101: no identifier in b",
        ),
        (
            '{"id": "a-1", "duration": 2}\n',
            r"no column has the words \(columns: id, duration\); name one text, or pred_t",
        ),
        (
            "id,text\na-1,one, two\n",
            r"A\.txt, line 2: 3 columns, but the header has 2; .*, and a cell that contains a separator needs quotes$",
        ),
        ('id,text\na-1,"one\n', r"A\.txt, line 2: unbalanced quotes \(unexpected end of data\); close each quote"),
        ("id\ttext\tid\na-1\tone\ta-1\n", r"A\.txt, line 1: two columns are called 'id'; give each its own name"),
        ("id,text\n", r"A\.txt: no rows; the first line must name the columns"),
    ],
)
def test_what_cannot_be_read_says_where_and_why(text, message):
    with pytest.raises(FileError, match=message):
        read_transcripts(io.StringIO(text), "A.txt")


def test_an_id_of_the_gold_that_occurs_twice_is_refused():
    with pytest.raises(FileError, match=r"gold\.txt, line 3: the id 'a-1' is also on line 1; give each item its own"):
        gold_of("a-1 one\na-2 two\na-1 three\n")


def test_on_the_command_line(tmp_path, capsys):
    """A has one of 20 words wrong as written and none normalised; B lacks one utterance, of 5 words."""
    words = ("the old dog sleeps well", "and so does his cat", "yes it does she said", "nobody else is at home")
    gold = "".join(f"{name} {text}\n" for name, text in zip(IDS, words, strict=True))
    rows = [{"audio_filepath": f"{name}.flac", "pred_text": text} for name, text in zip(IDS, words, strict=True)]
    own = "".join(f"{text} ({name})\n" for name, text in zip(IDS[1:], words[1:], strict=True))
    files = {"gold.txt": gold, "systems/A.jsonl": manifest(*rows).replace("yes", "Yes,"), "systems/B.trn": own}
    folder = write(tmp_path / "task", files)
    for metric, expected in (("WER", {"A": 5, "B": 25}), ("normalised-WER", {"A": 0, "B": 25})):
        assert main(["score", str(folder), "--metric", metric, "--resamples", "1000"]) == 0
        out, err = capsys.readouterr()
        rows = [line.split("\t") for line in out.splitlines()[1:]]
        assert {row[0]: float(row[2]) for row in rows} == expected
        assert "B: 1 of 4 utterances without a transcript (first: 's1-a-1', line 1 of gold.txt); all their words" in err
        assert f"metric:{metric}|" in err


def test_a_long_recording_without_errors_is_drawn():
    words = " ".join(f"w{number}" for number in range(500))
    columns = [_Column(word, (word, word)) for word in words.split()]
    assert _stretches(columns) == ([slice(0, MOST_WORDS)], f"no errors; the first {MOST_WORDS} words")


@pytest.mark.parametrize("name", ["a.trn", "a.txt"])
def test_a_line_without_an_identifier_among_others_is_an_error(name):
    lines = [f"some words (spk-{number})" for number in range(8)] + ["no identifier"] * 2
    with pytest.raises(FileError, match="line 9: no identifier in brackets"):
        read_transcripts(io.StringIO("\n".join(lines)), name)


def test_tables_with_semicolons_and_long_cells_are_manifests():
    text = "utt_id;text\n" + "".join(f"u{number};a b\n" for number in range(4)) + f"u9;{'word ' * 40_000}\n"
    rows = read_transcripts(io.StringIO(text), "a.csv")
    assert (rows.n_units, len(rows.columns[1][-1].split())) == (5, 40_000)


def test_a_manifest_may_begin_with_blank_lines_or_declare_its_separator():
    for text in ('\n\nutt_id\ttext\nu1\t"a" b\n', 'sep=;\nutt_id;text\nu1;"""a"" b"\n'):
        rows = read_transcripts(io.StringIO(text), "a.txt")
        assert (rows.columns, rows.lines.tolist()) == ((["u1"], ['"a" b']), [text.count("\n")])


def test_speakers_are_found_whatever_the_case_of_ids_and_utterances_without_one_are_alone():
    gold = "".join(f"SPK{number}-1 a b\n" for number in range(4))
    speakers = "spk3-1 last\nspk0-1 first\nspk1-1 first\n"
    read = read_gold_transcripts([(io.StringIO(gold), "gold.txt"), (io.StringIO(speakers), "utt2spk")])
    assert read.documents == ("first", "first", "item 3", "last")
    assert "1 item without a document (first: line 3); each is its own" in read.notes


def test_an_output_that_is_the_reference_itself_is_named():
    gold = read_gold_transcripts([(io.StringIO("u1 a b\nu2 c d\n"), "gold.txt")])
    (note,) = remarks(gold, matched(gold, read_transcripts(io.StringIO("u1 a b\nu2 c d\n"), "a.txt")))
    assert note == "every transcript is that of the gold; a manifest needs the recognised words as pred_text"
