"""Fields of a dataset that say what a question belongs to: which of them are documents, and which domains."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nlpsig_core.base.digests import digest
from nlpsig_core.base.words import one_line
from nlpsig_core.data.readers.base import COLUMN_MARK

# Before the name of a field, where it stands among files.
FIELD = f"field{COLUMN_MARK}"
# Fields that are documents if questions share their values, and domains; the most likely ones first.
DOCUMENTS = (
    "document", "document_id", "doc_name", "passage", "passage_id", "story", "story_id", "paragraph", "paragraph_id",
    "article", "article_id", "context", "context_id", "cluster", "group", "group_id",
)  # fmt: skip
DOMAINS = ("domain", "subject", "category", "genre", "topic")
# Of so many fields roles can be chosen; values of more characters are texts, which are numbered.
MOST_FIELDS, LONGEST_NAME = 40, 40


@dataclass(eq=False)
class Fields:
    """The values of fields by question, digests of long ones; only of those that can be needed.

    ``given`` are the roles that the user gives to fields.
    """

    given: Mapping[str, str] = field(default_factory=dict)
    names: dict[str, None] = field(default_factory=dict)
    values: dict[str, dict[str, str | bytes]] = field(default_factory=dict)

    def add(self, question: str, fields: Mapping[str, Any]) -> None:
        """Note the values of a question's fields."""
        for name, value in fields.items():
            if isinstance(value, bool) or not isinstance(value, str | int) or value == "":
                continue
            if len(self.names) < MOST_FIELDS or name in self.given:
                self.names.setdefault(name)
            if name in self.given or name in DOCUMENTS or name in DOMAINS:
                text = one_line(str(value))
                short: str | bytes = text if len(text) <= LONGEST_NAME else digest(text.encode()).encode()
                self.values.setdefault(name, {}).setdefault(question, short)

    def chosen(self, role: str, usual: Iterable[str]) -> str:
        """The field with a role: the user's choice, else the first usual one whose values some questions share."""
        mine = [name for name in self.values if self.given.get(name) == role]
        return next(iter(mine), None) or next(
            (name for name in usual if name in self.values and name not in self.given and self._grouped(name)), ""
        )

    def _grouped(self, name: str) -> bool:
        """Whether a field has several values, and some questions share one."""
        values = self.values[name].values()
        return 1 < len(set(values)) < len(values)

    def documents(self) -> dict[str, str]:
        """The document of each question that has one; {} if documents are not known."""
        return self._labels(self.chosen("document", DOCUMENTS))

    def domains(self) -> dict[str, str]:
        """The domain of each question that has one; {} if domains are not known."""
        return self._labels(self.chosen("domain", DOMAINS))

    def _labels(self, name: str) -> dict[str, str]:
        """The values of a field on one line; if some are texts, all are numbered by their first questions."""
        values = self.values.get(name, {})
        texts = any(isinstance(value, bytes) for value in values.values())
        numbers = {value: f"{name} {number}" for number, value in enumerate(dict.fromkeys(values.values()), 1)}
        return {question: numbers[value] if texts else str(value) for question, value in values.items()}


def roles_of_fields(tasks: Iterable[Fields], given: Mapping[str, str]) -> dict[str, str]:
    """The role of each field in some task, by its path."""
    roles: dict[str, str] = {}
    for fields in tasks:
        used = {fields.chosen("document", DOCUMENTS): "document", fields.chosen("domain", DOMAINS): "domain"}
        for name in fields.names:
            role = given.get(name, used.get(name, "not used"))
            if roles.get(f"{FIELD}{name}", "not used") == "not used":
                roles[f"{FIELD}{name}"] = role
    return roles
