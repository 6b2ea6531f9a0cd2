"""Packs: the same numbers as the task, no text, and plain words about a pack that cannot be used."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile

import numpy as np
import pytest

from nlpsig_core.base.digests import digest
from nlpsig_core.base.errors import ChoiceError, NlpsigError, TaskError
from nlpsig_core.data.metrics.offer import Offer
from nlpsig_core.data.task.packs import MANIFEST
from nlpsig_core.data.task.shared_task import Correction
from nlpsig_core.significance.comparison.select import MACRO, load_task
from nlpsig_core.significance.resampling.recipe import Resampling
from nlpsig_core.significance.stats.packing import QUOTED, differences, pack
from tests.builders import conllu, write

MAIN, SEVERAL, RUNS = "brelda-parsing", "orvan-three-test-sets", "dorvel-runs"
# A sample of every format, with the metrics to pack; costly ones are left out.
SAMPLES = dict.fromkeys((MAIN, "selmek-conllx", "pelune-entities", "tavrin-constituency", "quorin-alignment"), ())
SAMPLES |= {SEVERAL: ("LAS",), RUNS: ("LAS",), "rastel-summaries": ("ROUGE-1",), "shumak-translation": ("BLEU",)}


@pytest.fixture
def once(known_counts, one_process):
    """Counts that other tests have made may be used, and counting starts no processes."""


def opened(content: bytes, folder, name="task.nlpsig"):
    """A pack written to a folder and opened."""
    path = folder / name
    path.write_bytes(content)
    return load_task(path)


def members(content: bytes) -> dict[str, bytes]:
    """The members of a pack, unpacked."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rezipped(of: dict[str, bytes]) -> bytes:
    """A pack of these members."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in of.items():
            archive.writestr(name, data)
    return stream.getvalue()


def changed(content: bytes, change) -> bytes:
    """A pack with a changed manifest."""
    of = members(content)
    manifest = json.loads(of[MANIFEST])
    change(manifest)
    return rezipped(of | {MANIFEST: json.dumps(manifest).encode()})


@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES)
def test_a_pack_gives_the_same_numbers_as_its_task(sample, tmp_path, once):
    """Systems, statistics, digests (thus all p-values), domains, documents, lengths and notes are the task's."""
    task = load_task(sample)
    packed = opened(pack(task, SAMPLES[sample]), tmp_path)
    assert packed.systems.equals(task.systems.astype(str))
    assert not differences(task, packed)
    for name, test_set in packed.test_sets.items():
        original = task.test_sets[name]
        assert test_set.domains.tolist() == original.domains.tolist()
        assert len(set(test_set.documents.tolist())) == len(set(original.documents.tolist()))
        assert test_set.notes == original.notes
        for label in Offer(test_set).metrics:
            ours, theirs = task.select(label, name), packed.select(label, name)
            assert theirs.stats.digest == ours.stats.digest
            assert theirs.stats.values.strides == ours.stats.values.strides
            assert theirs.notes == {file: QUOTED.sub("…", note) for file, note in ours.notes.items()}


def test_test_sets_of_a_pack_share_units_as_those_of_the_task(tmp_path, once):
    """The macro-average draws shared units together, which the pack knows without their texts."""
    task = load_task(SEVERAL)
    packed = opened(pack(task, ("LAS",)), tmp_path)
    ours, theirs = (of.select("LAS", MACRO).bootstrap(resamples=500, seed=1).pairs() for of in (task, packed))
    assert ours.equals(theirs)


@pytest.mark.parametrize("sample", [MAIN, "shumak-translation", "pelune-entities"])
def test_a_pack_has_no_text(sample, tmp_path, once):
    """No word of gold, references or outputs is in it; names of systems, files and domains are no text."""
    task = load_task(sample)
    content = b"\n".join(members(pack(task, SAMPLES[sample])).values()).decode("latin-1").lower()
    test_set = task.test_set()
    files = [*test_set.gold_files, *test_set.outputs.values()][:4]
    names = re.findall(r"\w+", " ".join([*task.systems.astype(str).to_numpy().ravel(), *map(str, test_set.domains)]))
    words = {word.lower() for file in files for word in re.findall(r"[^\W\d_]{6,}", file.text())}
    known = {name.lower() for name in names} | set(re.findall(r"[a-z]{6,}", "punct document sentence nsubj"))
    assert len(words - known) > 100
    assert not [word for word in words - known if word.encode("utf-8").decode("latin-1") in content]


def test_messages_do_not_quote_texts(tmp_path):
    """One output with another text than the gold, one with a broken line: their reasons quote both sides."""
    right, wrong = "extraordinary/0/root aardvarks/1/obj", "unbelievable/0/root aardvarks/1/obj"
    files = dict.fromkeys(("gold.conllu", "systems/A.conllu"), conllu(*[right] * 3))
    files |= {"systems/B.conllu": conllu(right, wrong, right), "systems/C.conllu": "1\tastonishing line\n\n"}
    task = load_task(write(tmp_path / "task", files))
    assert "'unbelievable" in task.select("LAS").notes["B"]
    content = b"".join(members(pack(task, ("LAS",))).values())
    for word in (b"extraordinary", b"unbelievable", b"astonishing", b"aardvarks"):
        assert word not in content
    packed = opened(pack(task, ("LAS",)), tmp_path)
    assert "the text differs from the gold's: … where the gold" in packed.select("LAS").notes["B"]
    assert not differences(task, packed)


def test_negative_scores_are_packed(tmp_path):
    """A score table of whole numbers below 0, such as penalties: no unsigned type holds them."""
    rows = "unit,A,B\n" + "".join(f"u{i},{-i},{-2 * i}\n" for i in range(5))
    task = load_task(write(tmp_path / "task", {"penalties.csv": rows}))
    packed = opened(pack(task, edition="higher"), tmp_path)
    with pytest.raises(ChoiceError, match=r"Choose an edition .--edition.: higher, lower"):
        pack(task)
    ours, theirs = (of.select(edition="higher").stats.scores.tolist() for of in (task, packed))
    assert ours == theirs == [-2, -4]


def test_equal_tasks_give_equal_bytes_and_a_pack_of_a_pack_is_the_pack(tmp_path, once):
    content = pack(load_task(MAIN))
    assert pack(load_task(MAIN)) == content
    again = members(pack(opened(content, tmp_path, f"{MAIN}.nlpsig")))
    assert again == members(content)


def test_a_pack_offers_the_metrics_that_it_has_and_lists_them_when_asked_for_another(tmp_path, once):
    packed = opened(pack(load_task("shumak-translation"), ("BLEU",)), tmp_path)
    assert list(Offer(packed.test_set()).metrics) == ["BLEU"]
    assert Offer(packed.test_set()).editions == ["13a"]
    with pytest.raises(ChoiceError, match=r"No metric in this pack called 'chrF'\. Available: BLEU"):
        packed.select("chrF")


def test_what_is_known_of_the_test_sets_is_kept(tmp_path, once):
    about = {"language": "Breldan", "year": "2031", "source": "example.org/brelda"}
    assert opened(pack(load_task(MAIN), ("LAS",), about), tmp_path).test_set().about == about


def test_the_signature_names_the_version_that_counted(tmp_path, once):
    """Statistics can be older than the software that resamples them."""
    packed, recipe = opened(pack(load_task(MAIN), ("LAS",)), tmp_path).select("LAS"), Resampling(100)
    version = packed.first.test_set.packed.families["dependency"].version
    assert f"|pack:{version}|" in packed.signature(recipe)
    assert "|pack:" not in load_task(MAIN).select("LAS").signature(recipe)


def test_a_pack_cannot_be_read_another_way(tmp_path, once):
    path = tmp_path / "brelda.nlpsig"
    path.write_bytes(pack(load_task(MAIN), ("LAS",)))
    with pytest.raises(TaskError, match="brelda is a pack: its outputs were read when it was made, so --domain-rule"):
        load_task(path, correction=Correction(domain_rule="x"))


def test_a_newer_pack_is_refused_by_its_version(tmp_path, once):
    content = changed(pack(load_task(MAIN), ("LAS",)), lambda manifest: manifest.update(version=2))
    with pytest.raises(
        TaskError, match=r"task is a pack of version 2, written by a newer nlpsig; this one reads up to 1"
    ):
        opened(content, tmp_path)


def _without_systems(manifest):
    del manifest["systems"]


def first_family(manifest):
    """The first family of the first test set."""
    return manifest["test_sets"][0]["families"][0]


def _with_two_columns_of_files(manifest):
    manifest["systems"]["columns"].append("file")
    for row in manifest["systems"]["rows"]:
        row.append("x")


def _of_another_shape(manifest):
    manifest["test_sets"][0]["n_units"] += 1


def _of_bytes(manifest):
    manifest["test_sets"][0]["families"][0]["counted_as"] = "|S8"


def _without_member(manifest):
    del manifest["test_sets"][0]["families"][0]["values"]["member"]


def _of_objects(manifest):
    manifest["test_sets"][0]["families"][0]["values"]["type"] = "|O"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_without_systems, "pack.json: ValueError: the manifest has no systems"),
        (_of_another_shape, "bytes, not .* numbers"),
        (_of_objects, r"has the type '\|O', not one of"),
        (lambda manifest: manifest.update(format="something"), "pack.json describes no pack"),
        (lambda manifest: manifest.update(digests={}), "KeyError"),
        (_of_bytes, r"numbers counted as '\|S8', not one of"),
        (lambda manifest: manifest.update(description="\ud800"), "surrogates not allowed"),
        (_without_member, "test_sets 1 families 1 values has no member"),
        (lambda manifest: manifest.update(test_sets=[]), "no test set or no system"),
        (
            lambda manifest: first_family(manifest).update(name=[]),
            r"test_sets 1 families 1 name is '\[\]', not of type str",
        ),
        (lambda manifest: first_family(manifest).update(remarks=[[]]), "families 1 remarks is .* not of type dict"),
        (lambda manifest: first_family(manifest)["remarks"].update(x=1), "remarks x is '1', not of type list"),
        (lambda manifest: first_family(manifest)["files"].pop(), "dependency has no statistics of "),
        (lambda manifest: first_family(manifest)["values"].update(type="<f8"), "but they were whole numbers"),
        (lambda manifest: first_family(manifest).update(columns=[]), "dependency has no columns"),
        (lambda manifest: manifest["test_sets"][0].update(n_units=True), "n_units is 'True', not of type int"),
        (lambda manifest: manifest["test_sets"][0].update(unit="![x](y)"), "are called .* not two short words"),
        (lambda manifest: manifest["test_sets"][0].update(cluster=""), "are called .* not two short words"),
        (lambda manifest: manifest["test_sets"][0].update(unit="document"), "are called .* not two short words"),
        (lambda manifest: manifest["test_sets"][0].update(families=[]), "units with 0 families of statistics"),
        (lambda manifest: manifest["systems"]["columns"].append("file"), "but not all rows of them do"),
        (_with_two_columns_of_files, "have the same name"),
        (lambda manifest: manifest["systems"]["rows"].append(manifest["systems"]["rows"][0]), "have the same name"),
    ],
)
def test_a_damaged_manifest_is_named(change, message, tmp_path, once):
    content = changed(pack(load_task(MAIN), ("LAS",)), change)
    with pytest.raises(TaskError, match=f"task is a damaged pack .*{message}.*get it or make it again"):
        opened(content, tmp_path).select("LAS").stats  # noqa: B018


def test_a_pack_has_as_many_units_as_its_statistics_as_soon_as_it_is_opened(tmp_path, once):
    """Where nothing else tells of units: a number beyond all memory would be believed until they are drawn."""
    nothing = dict.fromkeys(("domains", "documents", "lengths", "identities"))
    content = changed(
        pack(load_task(MAIN), ("LAS",)), lambda manifest: manifest["test_sets"][0].update(n_units=10**11, **nothing)
    )
    with pytest.raises(TaskError, match=r"has [\d,]+ bytes, not [\d,]+ numbers"):
        opened(content, tmp_path)


def test_changed_numbers_are_found(tmp_path, once):
    """Statistics that are not those of the manifest's digest are refused when they are read."""
    of = members(pack(load_task(MAIN), ("LAS",)))
    largest = max((name for name in of if name != MANIFEST), key=lambda name: len(of[name]))
    of[largest] = bytes([of[largest][0] ^ 1]) + of[largest][1:]
    with pytest.raises(TaskError, match=f"{largest} is not what pack.json says"):
        opened(rezipped(of), tmp_path).select("LAS").stats  # noqa: B018


@pytest.mark.parametrize("number", [np.inf, -1e16])
def test_numbers_that_cannot_be_summed_are_refused(number, tmp_path, once):
    """Of a pack of reals whose digests are right."""
    of = members(pack(load_task("varnil-scores"), edition="higher"))
    manifest = json.loads(of[MANIFEST])
    name = first_family(manifest)["values"]["member"]
    of[name] = np.full(len(of[name]) // 8, number).tobytes()
    manifest["digests"][name] = digest(of[name])
    with pytest.raises(TaskError, match=f"{name} has numbers beyond 1e\\+15"):
        opened(rezipped(of | {MANIFEST: json.dumps(manifest).encode()}), tmp_path).select(edition="higher")


@pytest.mark.slow
def test_no_damage_ends_in_anything_but_an_error_of_ours(tmp_path, once):
    """300 packs with a flipped byte or a cut: the task's own statistics, or one of our errors."""
    content, draw = pack(load_task(RUNS), ("LAS",)), random.Random(3)
    right = opened(content, tmp_path).select("LAS").stats.digest
    refused = 0
    for _ in range(300):
        damaged = bytearray(content)
        place = draw.randrange(len(damaged))
        damaged[place] ^= 1 << draw.randrange(8)
        try:
            found = opened(bytes(damaged[: draw.choice([len(damaged), place])]), tmp_path).select("LAS").stats.digest
        except NlpsigError:
            refused += 1
        else:
            assert found == right
    assert refused > 100


def test_check_names_what_differs(tmp_path, once):
    task = load_task(RUNS)
    packed = opened(pack(task, ("LAS",)), tmp_path)
    systems = task.systems.copy()
    systems.loc[systems["system"] == systems["system"].iloc[0], "group"] = "another"
    first = task.systems["file"].iloc[0]
    assert differences(task.with_systems(systems), packed)[0] == f"{first} has another name, group or kind in the pack"
    fewer = task.with_systems(task.systems.iloc[1:])
    assert differences(fewer, packed) == [f"{first} is in the pack only"]
    values = packed.test_set().packed.families["dependency"]
    off = values.values().copy()
    off[0, 0] += 1
    object.__setattr__(values, "values", lambda: off)
    assert differences(task, packed) == [f"statistics of dependency differ: {first}"]


def test_statistics_are_stored_in_the_smallest_type(tmp_path, once):
    """A sentence has fewer than 256 words: one byte a number, so that a pack stays small."""
    content = pack(load_task(MAIN))
    (family,) = json.loads(members(content)[MANIFEST])["test_sets"][0]["families"]
    assert family["values"]["type"] == "|u1"
    packed = opened(content, tmp_path)
    assert packed.test_set().packed.families["dependency"].values().dtype == np.uint8
    assert len(content) < 200_000
