"""Many tasks one after another, by sessions that come and go."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from soak import Promise
from soak.load import PAGES, no_errors
from soak.server import FIRST, Server, served, variant
from soak.visitor import Answer, Visitor

# How many tasks, how many of them by one session, and how many systems each has.
TASKS, TOGETHER, SYSTEMS = 300, 10, 4
# The bytes that may stay in memory.
STAY = 200_000_000
# Seconds after which Streamlit forgets a session that has left.
FORGOTTEN = 130.0


def promises() -> Iterator[Promise]:
    """Open every task; compare the memory when all have gone with that after the first session."""
    with served(FIRST) as server:
        yield from asyncio.run(_in_a_row(server))


async def _in_a_row(server: Server) -> tuple[Promise, Promise]:
    start, answers = await _memory_of_one(server), list[Answer]()
    for first in range(0, TASKS, TOGETHER):
        async with Visitor(address=server.address) as visitor:
            answers.append(await visitor.act(""))
            for number in range(first, first + TOGETHER):
                answers.append(await visitor.upload(f"task{number}.zip", variant(number, SYSTEMS)))
                answers.append(await visitor.act("scores"))
                answers.append(await visitor.act(""))
    await asyncio.sleep(FORGOTTEN)
    more = await _memory_of_one(server) - start
    return no_errors(answers), Promise(
        what=f"memory after {TASKS} different tasks, against the start",
        measured=f"{more / 1e6:+,.0f} MB (peak {server.peak / 1e6:,.0f} MB)",
        limit=f"{STAY / 1e6:,.0f} MB",
        held=more <= STAY,
    )


async def _memory_of_one(server: Server) -> int:
    """Return the server's memory after one session has seen every page."""
    async with Visitor(address=server.address) as visitor:
        for page in PAGES:
            await visitor.act(page)
    return server.memory
