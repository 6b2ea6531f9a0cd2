"""The readers of judgements, runs and topics: order, notes and what is refused."""

from __future__ import annotations

import io

import pytest

from nlpsig_core.base.errors import FileError
from nlpsig_core.data.readers.rankings.judgements import Judgements, looks_like_judgements, read_judgements
from nlpsig_core.data.readers.rankings.runs import Run, looks_like_run, read_run
from tests.builders import task

TREC_TOPICS = """<top>
<num> Number: 051
<title> Airbus
 Subsidies

<desc> Description:
How large?
</top>
<top>
<num> Number: 52 <title> Topic: South Africa </top>
"""
XML_TOPICS = '<topics><topic number="51"><query>old bridges</query></topic><topic number="52"><query>x</query></topic>'


def run(text: str, name: str = "systems/BASE.run") -> Run:
    return read_run(io.StringIO(text), name)


def judged(text: str, *beside: tuple[str, str]) -> Judgements:
    return read_judgements([(io.StringIO(text), "gold.qrels"), *((io.StringIO(t), name) for name, t in beside)])


def test_scores_decide_the_order_whatever_the_ranks_say():
    """Topic 1: c has 2, then a and b tie at 1, and b comes first; topic 2 is apart though its lines are between."""
    read = run("1 Q0 a 1 1 BASE\n2 Q0 z 1 9 BASE\n1 Q0 b 2 1.0 BASE\n\n1 Q0 c 3 2e0 BASE\n")
    assert read.rankings == {"1": ("c", "b", "a"), "2": ("z",)}
    assert (read.n_units, read.notes) == (2, ())


def test_scores_that_single_precision_does_not_tell_apart_are_ties():
    """1 and 1 + 1e-10 are the same number in 32 bits, and so are 1e300 and 1e200; b is the later name."""
    assert run("1 Q0 a 1 1.0000000001 t\n1 Q0 b 2 1 t\n").rankings["1"] == ("b", "a")
    assert run("1 Q0 a 1 1e300 t\n1 Q0 b 2 1e200 t\n").rankings["1"] == ("b", "a")
    assert run("1 Q0 a 1 1.001 t\n1 Q0 b 2 1 t\n").rankings["1"] == ("a", "b")


def test_ranks_decide_the_order_where_there_are_no_scores():
    """As in runs of MS MARCO, which a note says."""
    read = run("1\ta\t2\n1\tb\t10\n1\tc\t1\n2\td\t1\n")
    assert read.rankings == {"1": ("c", "a", "b"), "2": ("d",)}
    assert read.notes == ("no scores (topic document rank): documents are in the order of their ranks",)


def test_fractions_behind_a_document_are_scores():
    read = run("1\ta\t2.5\n1\tb\t10\n1\tc\t-1\n")
    assert (read.rankings, read.notes) == ({"1": ("b", "a", "c")}, ())


def test_a_first_line_may_name_the_columns():
    """Its lines are counted; a document may have such a name."""
    assert run("qid\tdocid\tRank\n1\ta\t2\n1\trank\t1\n").rankings == {"1": ("rank", "a")}
    assert run("qid Q0 docid rank score tag\n1 Q0 score 1 2 BASE\n").rankings == {"1": ("score",)}
    assert run("1 Q0 score 1 2 score\n").rankings == {"1": ("score",)}
    assert judged("topic iteration document relevance\n1 0 a 2\n").grades == ({"a": 2},)
    with pytest.raises(FileError, match="line 3: the rank 'rank' is not a finite number"):
        run("qid docid rank\n1 a 1\nqid docid rank\n")


def test_json_has_documents_with_values_by_topic():
    """As dictionaries of ranx and pytrec_eval."""
    read = run('{"1": {"a": 0.5, "b": 2, "c": 0.5}, "2": {"d": 1e-3}}')
    assert (read.rankings, read.notes) == ({"1": ("b", "c", "a"), "2": ("d",)}, ())
    gold = judged('{"1": {"a": 2,\n "b": -1}, "2": {"c": 0}}')
    assert (gold.topics, gold.grades) == (("1", "2"), ({"a": 2, "b": -1}, {"c": 0}))
    assert gold.notes[0].startswith("1 grade is negative (first: topic 1, document b); ")


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ('{"1": {"a": NaN}}', "BASE.run: topic 1, document a: the score 'nan' is not a finite number"),
        ('{"1": {"a": "x"}}', "BASE.run: topic 1, document a: the score 'x' is not a finite number"),
        ('{"1": {"a": 1}, "2": [3]}', "BASE.run: topic 2 has no object of documents and their values"),
        ('{"1": {}}', "BASE.run: there are no documents in this object of JSON"),
        ('{"1": {"a": 1}', "BASE.run: damaged JSON: "),
    ],
)
def test_json_that_is_refused(text, error):
    with pytest.raises(FileError, match=error):
        run(text)


def test_run_tags_are_noted_where_they_say_more_than_the_name():
    assert run("1 Q0 a 1 1 BASE\n").notes == ()
    assert run("1 Q0 a 1 1 other\n").notes == ("run tag other",)
    assert run("1 Q0 a 1 1 x\n1 Q0 b 1 1 y\n").notes == ("2 run tags: x, y",)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("1 Q0 a 1 2 t\n1 Q0 b 2 nan t\n", "BASE.run, line 2: the score 'nan' is not a finite number"),
        ("1 Q0 a 1 inf t\n", "BASE.run, line 1: the score 'inf' is not a finite number"),
        ("1 Q0 a 1 high t\n", "BASE.run, line 1: the score 'high' is not a finite number"),
        ("1 Q0 a 1 2 t\n2\0 Q0 a 1 2 t\n", "line 2: a null character; the file is damaged"),
        ("1 Q0 a 1 2 t\n2 Q0 a 1 2 t\n\n1 Q0 a 3 1 t\n", "line 4: topic 1 has the document a twice, first on line 1"),
        ("1 a 1\n1 b first\n", "line 2: the rank 'first' is not a finite number"),
        ("1 a 1\n1 b nan\n", "line 2: the rank 'nan' is not a finite number"),
        ("1 a 1\n1 b 2\n1 a 3\n", "line 3: topic 1 has the document a twice, first on line 1"),
        ("1 Q0 a 1 2 t\n1 Q0 b 2 1\n", "line 2: 5 columns, but a line needs 6 .topic Q0 document rank score tag."),
        ("1 Q0 a 1 2\n1 Q0 b 2 1 t t\n", "line 1: 5 columns, but"),
        ("1 Q0 a 1 2 t \0 1 Q0 b 2 1 t", "line 1: a null character"),
        ("1 Q0 a 1 2\n\0 1 Q0 b 2 1 t", "line 2: a null character"),
        ("\n \n", "BASE.run: the file is empty; it should have lines of topic Q0 document rank score tag"),
    ],
)
def test_runs_that_are_refused(text, error):
    with pytest.raises(FileError, match=error):
        run(text)


def test_judgements_by_pencil():
    """b is judged twice and keeps the last grade; topic 2 has no relevant document."""
    gold = judged("1 0 a 2\n1 0 b 1\n2 0 c 0\n1 0 b -1\n")
    assert gold.topics == gold.unit_names == ("1", "2")
    assert gold.grades == ({"a": 2, "b": -1}, {"c": 0})
    assert gold.notes == (
        "1 document is judged again (first: line 4); the last judgement counts",
        "1 grade is negative (first: line 4); such documents count as not relevant",
        "1 topic has no relevant document (first: 2); they count as topics, as in trec_eval -c",
    )


def test_judgements_of_beir_have_names_of_columns_and_no_iteration():
    gold = judged("query-id\tcorpus-id\tscore\n1\ta\t2\n1\tb\t0\n2\tc\t1\n")
    assert (gold.topics, gold.grades, gold.notes) == (("1", "2"), ({"a": 2, "b": 0}, {"c": 1}), ())
    assert judged("1 a 1\n").grades == ({"a": 1},)


def test_judgements_between_commas_name_their_columns():
    """As those of eRisk; other commas are parts of names."""
    text = "query,q0,docid,rel\n1,0,s_1_2,1\n1,0,s_1_3,0\n2,0,s_1_2,1\n"
    assert looks_like_judgements(text)
    assert judged(text).grades == ({"s_1_2": 1, "s_1_3": 0}, {"s_1_2": 1})
    assert not looks_like_judgements(text.partition("\n")[2])


def test_json_is_recognised_as_judgements_and_runs():
    runs = {"systems/A.json": '{"1": {"a": 0.5}}', "systems/B.json": '{"2": {"c": 3}}'}
    made = task({"qrels.json": '{"1": {"a": 1, "b": 0}, "2": {"c": 1}}'} | runs)
    assert (made.test_set("").reader.name, sorted(made.test_set("").outputs)) == ("Rankings", ["A", "B"])


def test_judgements_of_beir_are_recognised_whatever_their_ending():
    runs = {"runs/A.run": "1 Q0 a 1 2 A\n", "runs/B.tsv": "1\ta\t2\n1\tb\t1\n"}
    for place in ("qrels.tsv", "qrels/test.tsv"):
        made = task({place: "query-id\tcorpus-id\tscore\n1\ta\t2\n2\tc\t1\n"} | runs)
        assert (made.test_set("").reader.name, sorted(made.test_set("").outputs)) == ("Rankings", ["A", "B"])


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("query-id corpus-id score\n1 a 1\n1 b yes\n", "gold.qrels, line 3: the grade 'yes' is not a whole number"),
        ('{"1": {"a": 1.5}}', "gold.qrels: topic 1, document a: the grade '1.5' is not a whole number"),
        ("query-id corpus-id score\n", "gold.qrels: there are no judgements; a line needs topic document grade"),
        ("1 0 a 1\n1 0 b yes\n", "gold.qrels, line 2: the grade 'yes' is not a whole number from -10,000 to 10,000"),
        ("1 0 a 0.5\n", "line 1: the grade '0.5'"),
        ("1 0 a 1000000\n", "line 1: the grade '1000000'"),
        ("1 0 a 1\n1 a 1\n", "line 2: 3 columns, but a line needs 4 .topic iteration document grade."),
        ("", "the file is empty"),
    ],
)
def test_judgements_that_are_refused(text, error):
    with pytest.raises(FileError, match=error):
        judged(text)


@pytest.mark.parametrize(
    ("name", "text", "queries"),
    [
        (
            "queries.jsonl",
            '{"_id": "51", "text": "Airbus\\nSubsidies"}\n{"_id": "052", "text": "South Africa"}\n{"_id": "5"}\n',
            ("Airbus Subsidies", "South Africa"),
        ),
        ("topics.txt", TREC_TOPICS, ("Airbus Subsidies", "South Africa")),
        ("topics.xml", XML_TOPICS, ("old bridges", "x")),
        ("queries.tsv", "52\tsecond\n51\tfirst one\nno tab\n", ("first one", "second")),
        ("topics.tsv", "52\tsecond\n", ("", "second")),
    ],
)
def test_queries_of_topics(name, text, queries):
    gold = judged("51 0 a 1\n52 0 b 1\n", (name, text))
    assert gold.queries == gold.unit_texts == queries
    assert gold.notes == ()


def test_topics_of_another_collection_are_noted():
    gold = judged("51 0 a 1\n", ("topics.txt", "7\tseven\n"))
    assert gold.queries == ()
    assert gold.notes == (
        "topics.txt has the text of no topic; it needs TREC's topics, BEIR's queries, or lines of topic, tab, text",
    )


@pytest.mark.parametrize(
    ("head", "likely"),
    [
        ("303 0 FBIS3-21007 0\n303 0 FBIS3-21026 1\n30", True),
        ("q1\tQ0\tdoc\t-1\n", True),
        ("1 4.5 005b2j4b 2\n1 4 00fmeepz 1\n", True),
        ("the 0 DT 0\nx 1 y 0\n", False),
        ("1 0 a yes\n", False),
        ("1 Q0 a 1 2.5 t\n", False),
        ("query-id\tcorpus-id\tscore\n1\ta\t1\n", True),
        ("1\ta\t1\n", False),
        ('{"1": {"a": 1, "b"', True),
        ('{"1": {"a": 0.5}}', False),
        ('{"1": "a"}', False),
        ("\n\n", False),
    ],
)
def test_what_looks_like_judgements(head, likely):
    assert looks_like_judgements(head) == likely


@pytest.mark.parametrize(
    ("head", "likely"),
    [
        ("1\tQ0\ta\t1\t2.5\tt\n1\tQ0", True),
        ("\n1\ta\t1\r\n", True),
        ("topic\tdoc\trank\n1\ta\t1\n", True),
        ("runid\tall\tBASE\nnum_q\tall\t50\n", False),
        ("1\ta\tb\n", False),
        ("1 Q0 a b 1 1\n", False),
        ("1 0 a 1\n", False),
        ('{"1": {"a": 0.5, "b"', True),
        ('{"map": 0.3}', False),
        ('{"1": {"map": 0.3}}', False),
        ('{"1": {"nDCG@10": 0.3}}', False),
        ("map\tall\t0.3\n", False),
        ("", False),
    ],
)
def test_what_looks_like_a_run(head, likely):
    assert looks_like_run(head) == likely
