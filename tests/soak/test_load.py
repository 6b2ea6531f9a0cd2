"""The tried load speaks to the app as browsers do; the table of the docs has every part of the soak."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
from collections.abc import Iterator

import pytest

from soak import NONE, Promise, load
from soak import __main__ as soak
from soak.server import FIRST, LIMIT, Server, Watch, family, served, status, variant
from soak.visitor import Answer, Visitor
from tests.apps import ROOT
from tests.processes import finished


@pytest.fixture(scope="module", name="server")
def one_server() -> Iterator[Server]:
    """One app for the tests that visit it."""
    with served(FIRST) as server:
        yield server


def test_a_visitor_opens_pages_changes_widgets_and_uploads(server):
    """What a visitor did is on the pages that come: another metric, another level, a task of its own."""

    async def visit(address: str) -> list[Answer]:
        async with Visitor(address=address) as visitor:
            answers = [
                await visitor.act(""),
                await visitor.upload("mine.zip", variant(1, 2)),
                await visitor.act("pairs"),
            ]
            assert {"metric", "alpha", "seed"} <= visitor.widgets.keys()
            answers += [await visitor.act(metric="UAS"), await visitor.act(alpha=0.01)]
            missing = await visitor.act(nothing=1)
            await visitor.act("")
            garbage = await visitor.upload("garbage.zip", b"garbage")
        assert garbage.errors == ("the first page: garbage was not opened.",)
        assert missing.errors == ("pairs has no nothing",)
        return answers

    answers = finished(visit(server.address))
    assert server.seconds > 0
    assert 100_000_000 < server.memory <= server.peak
    assert [answer.errors for answer in answers] == [()] * 5
    assert all(answer.size > 10_000 for answer in answers)


def test_a_server_that_is_gone_is_an_error_of_the_answer(server):
    async def visit(address: str) -> Answer:
        async with Visitor(address=address) as visitor:
            await visitor.socket.close()
            return await visitor.act("")

    (error,) = finished(visit(server.address)).errors
    assert "ConnectionClosed" in error


@pytest.mark.parametrize(("held", "code", "text"), [(True, 0, "yes"), (False, 1, "BROKEN"), (None, 0, "–")])
def test_a_broken_promise_ends_the_soak_with_an_error(held, code, text, monkeypatch, capsys):
    """What has no limit breaks nothing."""
    part = type(sys)("soak.tried")
    part.promises = lambda: iter([Promise(what="memory", measured="3 MB", limit="2 MB", held=held)])
    monkeypatch.setitem(sys.modules, "soak.tried", part)
    monkeypatch.setattr(soak, "ALONE", ("tried",))
    assert soak.main(["tried"]) == code
    (_, row) = csv.reader(capsys.readouterr().out.splitlines(), delimiter="\t")
    assert row == ["tried", "memory", "3 MB", "2 MB", text]


def test_every_promise_of_the_docs_was_held_and_is_of_a_part():
    rows = list(csv.DictReader((ROOT / "docs" / "load.tsv").read_text("utf-8").splitlines(), delimiter="\t"))
    assert {row["part"] for row in rows} == set(soak.PARTS)
    assert {row["held"] for row in rows if row["limit"] != NONE} == {"yes"}
    assert {row["held"] for row in rows if row["limit"] == NONE} == {"–"}


def test_warm_answers_have_one_limit_and_cold_work_has_none():
    """50 answers in the first 150 s take 100 s, later ones 0.5 s; then one session's answers get slow, too."""
    kinds = ["page", "own page"] * 25
    early = [(kind, Answer(seconds=100.0, size=1, began=float(i))) for i, kind in enumerate(kinds)]
    late = [(kind, Answer(seconds=0.5, size=1, began=load.COLD + i)) for i, kind in enumerate(kinds)]
    others = [
        (kind, Answer(seconds=2.0, size=1)) for kind in ("open", "own upload", load.BUNDLE, "own million resamples")
    ]
    server = Server("", os.getpid(), Watch(os.getpid(), LIMIT))
    rows = list(load.crowd_promises(server, early + late + others, 0.1))
    warm, cold = ([row for row in rows if row.what.startswith(kind)] for kind in ("warm answers", "cold work"))
    assert [row.held for row in warm] == [True] * 3
    assert all(row.limit.endswith(" 3 s") for row in warm)
    assert [(row.held, row.limit) for row in cold] == [(None, NONE)] * 5
    assert "longest 100.0 s" in cold[0].measured
    slow = [("own page", Answer(seconds=3.1, size=1, began=load.COLD + i)) for i in range(50)]
    assert [row.held for row in load.crowd_promises(server, early + late + others + slow, 0.1)][:2] == [True, False]


def test_memory_is_that_of_all_processes_and_has_a_limit():
    """A process that starts another, each with 150 MB: together 300 MB; above 400 MB it is ended."""
    child = "import sys; held = bytearray(150_000_000); print(1, flush=True); sys.stdin.read()"
    parent = f"""
import subprocess, sys
held = bytearray(150_000_000)
child = subprocess.Popen([sys.executable, "-c", {child!r}], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdout.readline()
print(1, flush=True)
sys.stdin.readline()
held += bytearray(150_000_000)
sys.stdin.read()
"""
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", parent], stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdout.readline()
        assert len(family(process.pid)) == 2
        with Watch(process.pid, 400_000_000) as watch:
            watch.look()
            assert 300_000_000 < watch.peak < 400_000_000
            process.stdin.write("\n")
            process.stdin.flush()
            assert process.wait(60) == -signal.SIGKILL
        assert watch.peak > 400_000_000
    assert status(process.pid, "VmRSS") == 0
