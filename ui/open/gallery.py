"""The gallery: a sample of each kind of task, and real shared tasks."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from nlpsig_core.data.task.samples import real_names, sample_names
from ui.app.text import plain
from ui.open import outcome

# Kinds of tasks by the sample that shows one: how its users call it, with an icon.
KINDS = {
    "ilvet-stance": ":material/thumbs_up_down: Classification",
    "morand-topics": ":material/checklist: Label sets",
    "kessim-ratings": ":material/star: Ratings",
    "tolvak-inflection": ":material/spellcheck: Strings",
    "pelune-entities": ":material/label: Entities, tags",
    "brelda-parsing": ":material/account_tree: Parsing",
    "tavrin-constituency": ":material/park: Trees",
    "quorin-alignment": ":material/compare_arrows: Alignment",
    "shumak-translation": ":material/translate: Translation",
    "rastel-summaries": ":material/short_text: Summaries",
    "sorvan-rankings": ":material/search: Search",
    "mirvel-transcripts": ":material/mic: Speech",
    "orlun-evaluation": ":material/quiz: LLM benchmarks",
    "solem-repairs": ":material/task_alt: Solved or not",
    "ondvar-judgements": ":material/groups: Human ratings",
    "halvet-metrics": ":material/balance: Metrics on trial",
    "varnil-scores": ":material/table_chart: Score tables",
    "orvan-three-test-sets": ":material/view_module: Several test sets",
    "dorvel-runs": ":material/repeat: Several runs",
}


def kinds() -> None:
    """Draw a button for each kind of task, which opens its sample."""
    installed = sample_names()
    _choose("kinds", "A sample of each kind of task", {name: text for name, text in KINDS.items() if name in installed})


def real_tasks() -> None:
    """Draw a button for each real task."""
    _choose("real_tasks", "Real shared tasks", {name: plain(name) for name in real_names()})


def is_sample(name: str) -> bool:
    """Return whether a task is the sample of a kind."""
    return name in KINDS


def _choose(key: str, label: str, texts: Mapping[str, str]) -> None:
    """Draw buttons that open tasks; the one of the open task is marked."""
    name = st.session_state.get("task")
    st.session_state[key] = name if name in texts and not outcome.failed() else None
    st.pills(label, list(texts), key=key, format_func=texts.__getitem__, on_change=_open, args=(key,), wrap=True)


def _open(key: str) -> None:
    if name := st.session_state[key]:
        outcome.arrive(name)
