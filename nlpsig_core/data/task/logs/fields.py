"""The fields of the questions of an evaluation, of which one is the document of a question and one its domain."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from nlpsig_core.base.digests import digest
from nlpsig_core.base.words import one_line
from nlpsig_core.data.readers.base import COLUMN_MARK

# Before the name of a field, where it stands among files.
FIELD = f"field{COLUMN_MARK}"
# Fields of a dataset that can have a role, the most likely ones first; a document groups several questions.
USUAL_FIELDS = {
    "document": (
        "document document_id doc_name passage passage_id story story_id paragraph paragraph_id article article_id "
        "context context_id cluster group group_id"
    ).split(),
    "domain": "domain subject category repository repo subset genre topic".split(),
}
# Roles can be chosen for this many fields; values of more characters are texts, which are numbered.
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
            if name in self.given or any(name in usual for usual in USUAL_FIELDS.values()):
                text = one_line(str(value))
                short: str | bytes = text if len(text) <= LONGEST_NAME else digest(text.encode()).encode()
                self.values.setdefault(name, {}).setdefault(question, short)

    def chosen(self, role: str) -> str:
        """Return the field with a role: the user's choice, else the first usual one that groups questions."""
        given = (name for name in self.values if self.given.get(name) == role)
        usual = (name for name in USUAL_FIELDS[role] if name in self.values and name not in self.given)
        return next(given, "") or next(filter(self._grouped, usual), "")

    def _grouped(self, name: str) -> bool:
        values = self.values[name].values()
        return 1 < len(set(values)) < len(values)

    def labels(self, role: str) -> dict[str, str]:
        """Return the document or domain of each question that has one; {} if they are not known.

        They are the values of the field with that role on one line; if some are texts, all are numbered.
        """
        name = self.chosen(role)
        values = self.values.get(name, {})
        texts = any(isinstance(value, bytes) for value in values.values())
        numbers = {value: f"{name} {number}" for number, value in enumerate(dict.fromkeys(values.values()), 1)}
        return {question: numbers[value] if texts else str(value) for question, value in values.items()}


def roles_of_fields(tasks: Iterable[Fields]) -> dict[str, str]:
    """Return the role of each field in some task, by its path."""
    roles: dict[str, str] = {}
    for fields in tasks:
        used = {fields.chosen(role): role for role in USUAL_FIELDS}
        for name in fields.names:
            if roles.get(f"{FIELD}{name}", "not used") == "not used":
                roles[f"{FIELD}{name}"] = fields.given.get(name, used.get(name, "not used"))
    return roles
