"""Queries of topics beside the judgements: TREC's topics, BEIR's JSON, or a topic, a tab and its text a line."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TextIO

from nlpsig_core.data.readers.base import Companion
from nlpsig_core.data.readers.logs.json_values import objects_of_lines

TOPICS = Companion(role="topics", names=("topics", "queries"))
# A topic, its number in an element or an attribute, and the elements with its text, the first of which counts.
TOPIC = re.compile(r"<top(?:ic)?\b([^<>]*)>(.*?)(?=</?top|\Z)", re.DOTALL | re.IGNORECASE)
NUMBER = re.compile(r"<num>([^<]*)|number=[\"']?([^\s\"'>]+)", re.IGNORECASE)
TEXT = re.compile(r"<(?:title|query|question|desc)>([^<]*)", re.IGNORECASE)
LABEL = re.compile(r"(?:number|topic|description):", re.IGNORECASE)


def queries_of(topics: Sequence[str], files: Sequence[tuple[TextIO, str]]) -> tuple[tuple[str, ...], list[str]]:
    """Return the text of each topic, "" where the files have none, or nothing without files; and notes."""
    texts: dict[str, str] = {}
    for stream, _ in files:
        texts |= _texts(stream.read())
    queries = tuple(texts.get(topic, "") or texts.get(topic.lstrip("0"), "") for topic in topics)
    if files and not any(queries):
        needed = "it needs TREC's topics, BEIR's queries, or lines of topic, tab, text"
        return (), [f"{files[0][1]} has the text of no topic; {needed}"]
    return (queries, []) if any(queries) else ((), [])


def _texts(content: str) -> dict[str, str]:
    """Return the text of each topic in a file, by its number without leading zeros as well."""
    found = {}
    for attributes, body in TOPIC.findall(content):
        if (number := NUMBER.search(attributes + body)) and (text := TEXT.search(body)):
            found[_plain(number[1] or number[2] or "")] = _plain(text[1])
    if content.startswith("{"):
        rows = (row for _, row in objects_of_lines(content.encode(), lambda line, reason: None))
        found = {str(row["_id"]): " ".join(str(row.get("text") or "").split()) for row in rows if "_id" in row}
    if not found:
        lines = (line.partition("\t") for line in content.split("\n"))
        found = {topic.strip(): text.strip() for topic, tab, text in lines if tab}
    return {topic.lstrip("0"): text for topic, text in found.items()} | found


def _plain(text: str) -> str:
    """Return a text in one line, without the word before it."""
    return " ".join(LABEL.sub("", text, count=1).split())
