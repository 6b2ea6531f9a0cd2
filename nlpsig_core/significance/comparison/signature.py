"""Signatures: one line that states how a result was made; equal signatures guarantee equal numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from nlpsig_core.base.digests import digest_of
from nlpsig_core.base.version import __version__
from nlpsig_core.base.words import one_line
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.resampling.runs import runs_of
from nlpsig_core.significance.stats.array import Sample, Stats
from nlpsig_core.significance.stats.selected import SelectedTestSet

# How many test sets a signature names.
NAMED = 10
# The fields of a test, for what resamples nothing.
NOTHING_RESAMPLED: dict[str, object] = dict.fromkeys(("test", "b", "seed"))


def signature(test_sets: Mapping[str, SelectedTestSet], stats: Sample, recipe: Resampling, **more: object) -> str:
    """Return the signature of a result on one test set, or on the macro-average over several.

    ``more`` fields follow the usual ones, or replace those of the same name: ``test="randomization"``.
    """
    fields = _fields_of_one if len(test_sets) == 1 else _fields_of_mean
    return signature_line(fields(test_sets, stats, recipe) | more)


def signature_side_by_side(
    first: SelectedTestSet, stats: Mapping[str, Stats], tasks: Iterable[str], recipe: Resampling, **more: object
) -> str:
    """Return the signature of a result on several domains or test sets of the same systems, each on its own."""
    fields: dict[str, object] = {
        **_metric(first),
        **_resampled(recipe, first.stats.unit, "+".join(str(part.n_units) for part in stats.values())),
        "systems": len(next(iter(stats.values())).names),
        "task": ",".join(dict.fromkeys(tasks)),
        "data": digest_of(*(part.digest for part in stats.values()))[:8],
        "domains": ",".join(stats),
    }
    return signature_line(fields | more)


def _fields_of_one(test_sets: Mapping[str, SelectedTestSet], stats: Sample, recipe: Resampling) -> dict[str, object]:
    (part,) = test_sets.values()
    test_set, reader = part.test_set, part.test_set.reader
    fields: dict[str, object] = {
        **_metric(part),
        **({"refs": len(test_set.gold_files)} if reader.several_gold else {}),
        **_resampled(recipe, _unit(test_sets, stats), stats.n_units),
        **runs_of(stats),
        "task": part.task.name,
        "data": stats.digest[:8],
    }
    fields |= _counted([part])
    fields |= {"test_set": test_set.name} if test_set.name else {}
    fields |= {"domain": part.domain} if part.domain else {}
    fields |= {"invalid": part.treatment} if part.counts.problems else {}
    for companion in reader.companions:
        if companion.standard:
            fields[companion.role] = ",".join(file.path for file in test_set.gold_files[1:]) or "standard"
    return fields


def _fields_of_mean(test_sets: Mapping[str, SelectedTestSet], stats: Sample, recipe: Resampling) -> dict[str, object]:
    each = list(test_sets.values())
    metrics = [part.metric for part in each]
    fields: dict[str, object] = {
        "metric": f"macro-average of {_distinct(metric.name for metric in metrics)}",
        **{key: _distinct(metric.details.get(key, "") for metric in metrics) for key in metrics[0].details},
        **_resampled(recipe, _unit(test_sets, stats), _units(stats)),
        **({"shared": stats.n_shared} if stats.n_shared else {}),
        **runs_of(stats),
        "task": each[0].task.name,
        "data": stats.digest[:8],
        **_counted(each),
        "test_sets": _named(test_sets),
    }
    fields |= {"domain": _distinct(part.domain or "all" for part in each)} if any(part.domain for part in each) else {}
    if any(part.invalid_files for part in each):
        fields["invalid"] = _distinct(part.treatment for part in each)
    return fields


def _unit(test_sets: Mapping[str, SelectedTestSet], stats: Sample) -> str:
    """Return what is resampled, "document (usual)" where that was not chosen but found to be needed."""
    usual = any(part.by_usual_documents for part in test_sets.values())
    return f"{stats.unit}{' (usual)' * usual}"


def _units(stats: Sample) -> str:
    """Return the number of units of each test set; the sum of many."""
    units = [part.n_units for part in stats.test_sets]
    return "+".join(map(str, units)) if len(units) <= NAMED else str(sum(units))


def _named(test_sets: Collection[str]) -> str:
    """Return the names of the test sets; the number of many, and a digest of the names."""
    return ",".join(test_sets) if len(test_sets) <= NAMED else f"{len(test_sets)} ({digest_of(*test_sets)[:8]})"


def _counted(each: Iterable[SelectedTestSet]) -> dict[str, object]:
    """Return the version that counted the statistics of a pack, which may be another than this one."""
    packed = [(part.test_set.packed, part.counts.family.name) for part in each]
    versions = [pack.family(name).version for pack, name in packed if pack is not None]
    return {"pack": _distinct(versions)} if versions else {}


def _metric(part: SelectedTestSet) -> dict[str, object]:
    return {"metric": part.metric.name, **part.metric.details}


def _resampled(recipe: Resampling, unit: str, n: object) -> dict[str, object]:
    return {"test": "bootstrap", "b": recipe.n_resamples, "seed": recipe.seed, "unit": unit, "n": n}


def signature_line(fields: Mapping[str, object]) -> str:
    """Return a signature of fields by name, without those that are None, with the version at its end."""
    given = {key: value for key, value in fields.items() if value is not None} | {"version": __version__}
    return "|".join(f"{key}:{one_line(str(value)).replace('|', '/')}" for key, value in given.items())


def _distinct(values: Iterable[object]) -> str:
    """Return the values joined, each once."""
    return "+".join(dict.fromkeys(map(str, values)))
