"""Many sessions at once on a small server."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks import bundles
from soak import Promise
from soak.server import FIRST, LIMIT, Server, served, variant
from soak.visitor import Answer, Visitor

SESSIONS, UPLOADS, MILLIONS = 50, 10, 10
# One of the uploads is a download of all submissions.
BUNDLE = f"own bundle of {bundles.SUBMISSIONS} submissions"
# Seconds that a visitor thinks between two actions on average, and that the crowd stays.
THINKS, STAYS = 10.0, 300.0
PAGES = ("", "pairs", "scores", "pair", "sizes", "atlas", "learn", "glossary")
METRICS, LEVELS = ("LAS", "UAS", "CLAS"), (0.05, 0.01, 0.1)
# What is promised of warm answers: seconds that 95% take at most, and seconds of the server's time for one.
P95, WARM = 3.0, 0.12
# Seconds in which most of what is asked for is computed for the first time. What that takes is measured, not promised.
COLD = 150.0
# Threads that may be left: those of the server itself are about ten.
THREADS = 20


def promises() -> Iterator[Promise]:
    """Measure the answers of one session, and those of a crowd of them."""
    with served(FIRST) as server:
        alone = asyncio.run(_alone(server))
        slowest = max(alone, key=alone.__getitem__)
        yield Promise(
            what="server's time for a warm answer, slowest page",
            measured=f"{alone[slowest]:.2f} s ({slowest or 'first page'})",
            limit=f"{WARM} s",
            held=alone[slowest] <= WARM,
        )
        yield from crowd_promises(server, asyncio.run(_crowd(server)), float(np.median(list(alone.values()))))


async def _alone(server: Server) -> dict[str, float]:
    """Measure the server's time for a warm answer, by page: the least of five."""
    times = {}
    async with Visitor(address=server.address) as visitor:
        for page in PAGES:
            for _ in range(2):
                await visitor.act(page)
                await asyncio.sleep(1)  # what a page begins in the background
            least = []
            for _ in range(5):
                before = server.seconds
                await visitor.act(page)
                least.append(server.seconds - before)
            times[page] = min(least)
    return times


async def _crowd(server: Server) -> list[tuple[str, Answer]]:
    """Let many sessions come at once; return their answers with what they did."""
    until = time.monotonic() + STAYS
    visits = [_visit(server, number, until) for number in range(SESSIONS)]
    return [answer for visit in await asyncio.gather(*visits) for answer in visit]


async def _visit(server: Server, number: int, until: float) -> list[tuple[str, Answer]]:
    """Visit once: some open a task of their own, some ask for a million resamples of their own, all look around."""
    chance, answers = random.Random(number), list[tuple[str, Answer]]()
    own = "own " if number < UPLOADS + MILLIONS else ""
    await asyncio.sleep(chance.uniform(0, THINKS))
    async with Visitor(address=server.address) as visitor:
        answers.append(("open", await visitor.act("")))
        if not number:
            answers.append((BUNDLE, await visitor.upload("bulk.zip", bundles.bulk())))
        elif number < UPLOADS:
            answers.append(("own upload", await visitor.upload("mine.zip", variant(number))))
        elif own:
            answers.append(("own page", await visitor.act("pairs")))
            answers.append(("own million resamples", await visitor.act(seed=number)))
            await asyncio.sleep(THINKS)
            answers.append(("own page", await visitor.act(seed=0)))
        while time.monotonic() < until:
            await asyncio.sleep(chance.expovariate(1 / THINKS))
            kind, answer = await _look_around(visitor, chance)
            answers.append((own + kind, answer))
    return answers


async def _look_around(visitor: Visitor, chance: random.Random) -> tuple[str, Answer]:
    """Choose another page, another metric, or another level."""
    kind = chance.choice(("page", "page", "metric", "level"))
    if kind == "metric" and "metric" in visitor.widgets:
        return kind, await visitor.act(metric=chance.choice(METRICS))
    if kind == "level" and "alpha" in visitor.widgets:
        return kind, await visitor.act(alpha=chance.choice(LEVELS))
    return "page", await visitor.act(chance.choice(PAGES))


def crowd_promises(server: Server, answers: list[tuple[str, Answer]], alone: float) -> Iterator[Promise]:
    """Sum up the answers of a crowd, by what was done; ``alone`` is one session's time for a warm answer."""
    start = min(answer.began for _, answer in answers)

    for warm in (True, False):
        for own in (False, True):
            chosen = [
                answer.seconds
                for kind, answer in answers
                if kind.startswith("own ") == own and (answer.began - start >= COLD) == warm
            ]
            yield _row(np.array(chosen), warm, own, alone)
    opened = np.array([answer.seconds for kind, answer in answers if kind == "open"])
    yield Promise(
        what=f"warm answers: the open task, {len(opened)} sessions at once",
        measured=f"p50 {np.median(opened):.1f} s, longest {opened.max():.1f} s",
        limit=f"longest {P95:g} s",
        held=bool(opened.max() < P95),
    )
    for kind in ("own upload", BUNDLE, "own million resamples"):
        times = np.array([answer.seconds for name, answer in answers if name == kind])
        yield Promise(
            what=f"cold work: {kind}, {len(times)} at once",
            measured=f"p50 {np.median(times):.1f} s, longest {times.max():.1f} s",
        )
    yield no_errors([answer for _, answer in answers])
    yield Promise(
        what="most memory of the server and its processes while it ran; it is ended above the limit",
        measured=f"{server.peak / 1e6:,.0f} MB",
        limit=f"{LIMIT / 1e6:,.0f} MB",
        held=server.peak <= LIMIT,
    )
    yield Promise(
        what="threads when all have gone",
        measured=str(server.threads),
        limit=str(THREADS),
        held=server.threads <= THREADS,
    )


def _row(seconds: np.ndarray, warm: bool, own: bool, alone: float) -> Promise:
    """Sum up the seconds of warm answers, which have a limit, or of those for which things are computed first."""
    who = f"{UPLOADS + MILLIONS} with work of their own" if own else f"{SESSIONS - UPLOADS - MILLIONS} on the open task"
    when = f"warm answers: {SESSIONS} sessions after {COLD:g} s" if warm else f"cold work: the first {COLD:g} s"
    late = float(np.quantile(seconds, 0.95))
    times = f"{late / alone:.0f} x one session's own time"
    measured = f"p50 {np.median(seconds):.2f} s, p95 {late:.2f} s of {len(seconds):,} ({times})"
    if not warm:
        return Promise(what=f"{when}, {who}", measured=f"{measured}, longest {seconds.max():.1f} s")
    return Promise(what=f"{when}, {who}", measured=measured, limit=f"p95 {P95:g} s", held=late < P95)


def no_errors(answers: Sequence[Answer]) -> Promise:
    """Promise that no answer had an error."""
    errors = [error for answer in answers for error in answer.errors]
    return Promise(
        what=f"errors in {len(answers):,} answers",
        measured=f"{len(errors)}{f': {errors[0]}' if errors else ''}",
        limit="0",
        held=not errors,
    )
