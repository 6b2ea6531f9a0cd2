"""The form of a pack's manifest, which is checked before anything in it is used."""

from __future__ import annotations

from typing import Any, NamedTuple


class Each(NamedTuple):
    """A mapping of any texts to values of this form."""

    form: Any


class Maybe(NamedTuple):
    """A value of this form, or null."""

    form: Any


# A type, a list of values of one form, a mapping with these keys, or one of the forms above.
MEMBER = {"member": str, "type": str}
LABELS = {"names": [str], "codes": MEMBER}
FAMILY = {
    "name": str,
    "version": str,
    "columns": [str],
    "files": [str],
    "counted_as": str,
    "problems": Each(str),
    "remarks": Each([str]),
    "same_bytes": Each(str),
    "values": MEMBER,
}
TEST_SET = {
    "name": str,
    "edition": str,
    "about": Each(str),
    "n_units": int,
    "notes": [str],
    "gold": [str],
    "outputs": Each(str),
    "digests": Each(str),
    "domains": Maybe(LABELS),
    "documents": Maybe(LABELS),
    "lengths": Maybe(MEMBER),
    "identities": Maybe(MEMBER),
    "families": [FAMILY],
}
MANIFEST_FORM = {
    "description": str,
    "reader": str,
    "problems": [str],
    "systems": {"columns": [str], "rows": [[str]]},
    "test_sets": [TEST_SET],
    "digests": Each(str),
}


def check_form(value: object, form: Any, place: str = "") -> None:
    """Raise ValueError for the first value that does not have its form; keys that have no form are left alone."""
    if isinstance(form, Maybe):
        if value is not None:
            check_form(value, form.form, place)
    elif isinstance(form, list):
        for number, item in enumerate(_of_type(value, list, place), start=1):
            check_form(item, form[0], f"{place} {number}")
    elif isinstance(form, Each):
        for key, item in _of_type(value, dict, place).items():
            check_form(item, form.form, f"{place} {key}")
    elif isinstance(form, dict):
        for key, inner in form.items():
            if key not in _of_type(value, dict, place):
                raise ValueError(f"{place or 'the manifest'} has no {key}")
            check_form(value[key], inner, f"{place} {key}".strip())  # type: ignore[index]
    else:
        _of_type(value, form, place)


def _of_type(value: Any, kind: type, place: str) -> Any:
    # To Python, true is a number too.
    if not isinstance(value, kind) or isinstance(value, bool):
        raise ValueError(f"{place or 'the manifest'} is {str(value)[:40]!r}, not of type {kind.__name__}")
    return value
