"""Damages to the content of one file: bytes and a generator of random numbers in, bytes out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Damage = Callable[[bytes, Random], bytes]

# A line that is far longer than any that a person writes; small enough that thousands of inputs take minutes.
LONG = (1_000, 1_000, 10_000, 100_000)
NUMBERS = (
    *b"0 -1 1.5 1e309 -1e309 1e-320 nan inf 0x1F 1_0 4294967296 9223372036854775808".split(),
    *(5_000 * b"9", "²".encode(), "٣".encode(), "１".encode(), b"00001", b"999999", b"1,5"),
)
ODD = (
    *(b"", b" ", b"\t", b"=1+1", b"<script>alert(1)</script>", b"%s{x}{{x}}", b"'", b'"', b"\\", b"# sent_id = 1"),
    *(b"-DOCSTART-", "\u202eabc".encode(), "\ufeff".encode(), 300 * "\u0301".encode(), "👩‍👩‍👧".encode()),
    *("\u2028".encode(), b"\xed\xa0\x80", b"\x00", b"\x1b[2J", b"\x85", b"\x0b"),
    *(b"_", b"O", b"B-", b"()", b"( ", b"1-2", b"0p0", b"1.1"),
)
NESTED = ((b"(", b")"), (b"(S ", b")"), (b"(", b""), (b"", b")"), (b"[", b"]"), (b'"', b'"'), (b"{", b"}"))
ENCODINGS = ("utf-16", "utf-16-le", "utf-32", "latin-1", "utf-8-sig", "utf-7", "cp037")
LINE_ENDS = (b"\r\n", b"\r", b"\n\r", b"\x0b", b"\x0c", b"\x85", "\u2028".encode(), b"\n\n", b" \n", b"")
SEPARATORS = (b"\t", b" ", b",", b";", b"|||")


def flipped(data: bytes, random: Random) -> bytes:
    """Replace some bytes."""
    changed = bytearray(data)
    for _ in range(random.choice((1, 1, 3, 20)) if data else 0):
        changed[random.randrange(len(changed))] = random.randrange(256)
    return bytes(changed)


def lines_dropped(data: bytes, random: Random) -> bytes:
    """Leave out some lines."""
    share = random.choice((0.05, 0.3, 0.9))
    return b"\n".join(line for line in data.split(b"\n") if random.random() > share)


def lines_doubled(data: bytes, random: Random) -> bytes:
    """Repeat some lines."""
    share, times = random.choice((0.05, 0.5)), random.choice((2, 2, 50))
    return b"\n".join(copy for line in data.split(b"\n") for copy in [line] * (times if random.random() < share else 1))


def lines_shuffled(data: bytes, random: Random) -> bytes:
    """Shuffle all lines, or exchange two of them."""
    lines = data.split(b"\n")
    if random.random() < 0.5:
        random.shuffle(lines)
    else:
        i, j = random.randrange(len(lines)), random.randrange(len(lines))
        lines[i], lines[j] = lines[j], lines[i]
    return b"\n".join(lines)


def columns_swapped(data: bytes, random: Random) -> bytes:
    """Exchange two columns, leave one out or double one, in one line or in all."""
    separator = _separator(data, random)
    lines = data.split(b"\n")
    chosen = range(len(lines)) if random.random() < 0.5 else [random.randrange(len(lines))]
    i, j, how = random.randrange(10), random.randrange(10), random.randrange(3)
    for number in chosen:
        cells = lines[number].split(separator)
        if max(i, j) < len(cells):
            cells[i], cells[j] = cells[j], cells[i]
            cells = cells[:i] + cells[i + 1 :] if how == 1 else [*cells, cells[i]] if how == 2 else cells
        lines[number] = separator.join(cells)
    return b"\n".join(lines)


def cell_replaced(data: bytes, random: Random) -> bytes:
    """Replace one cell, or the same column of every line, by an odd text or number."""
    separator = _separator(data, random)
    lines, new = data.split(b"\n"), random.choice(ODD + NUMBERS)
    chosen = range(len(lines)) if random.random() < 0.2 else [random.randrange(len(lines))]
    column = random.randrange(12)
    for number in chosen:
        cells = lines[number].split(separator)
        cells[column % len(cells)] = new
        lines[number] = separator.join(cells)
    return b"\n".join(lines)


def line_made_long(data: bytes, random: Random) -> bytes:
    """Repeat a piece of a line, or one character, until the line is very long."""
    lines, length = data.split(b"\n"), random.choice(LONG)
    number = random.randrange(len(lines))
    line = lines[number]
    piece = line if random.random() < 0.5 else random.choice((b" ", b"a", b"a ", b"\t", b"(", b"1", b"9 ", b"'", b","))
    more = (piece * (length // max(len(piece), 1)))[:length]
    lines[number] = random.choice((more, line + more, more + line))
    return b"\n".join(lines)


def nested(data: bytes, random: Random) -> bytes:
    """Put brackets within brackets around a piece."""
    opening, closing = random.choice(NESTED)
    depth = random.choice((1, 10, 200, 2_000))
    start, end = _span(data, random)
    return data[:start] + depth * opening + data[start:end] + depth * closing + data[end:]


def nulls(data: bytes, random: Random) -> bytes:
    """Put NULs inside, or after every a."""
    if random.random() < 0.3:
        return data.replace(b"a", b"a\x00")
    start, _ = _span(data, random)
    return data[:start] + random.choice((1, 1, 1_000)) * b"\x00" + data[start:]


def encoded(data: bytes, random: Random) -> bytes:
    """Encode the file otherwise."""
    return data.decode(errors="replace").encode(random.choice(ENCODINGS), errors="replace")


def line_ends(data: bytes, random: Random) -> bytes:
    """End lines otherwise."""
    return data.replace(b"\n", random.choice(LINE_ENDS), random.choice((1, -1)))


def cut(data: bytes, random: Random) -> bytes:
    """Cut off, or cut out a part."""
    start, end = _span(data, random)
    return random.choice((data[:start], data[start:], data[:start] + data[end:]))


def emptied(data: bytes, random: Random) -> bytes:
    """Return nothing but what looks like nothing."""
    return random.choice((b"", b"\n", b" ", b"\t\n", 1_000 * b"\n", "\ufeff".encode(), b"\x00", b"#\n"))


def noise(data: bytes, random: Random) -> bytes:
    """Draw random bytes."""
    return random.randbytes(random.choice((1, 100, 10_000)))


def repeated(data: bytes, random: Random) -> bytes:
    """Repeat the whole file."""
    return data * random.choice((2, 3, 20))


DAMAGES: dict[str, Damage] = {
    function.__name__: function
    for function in (
        *(flipped, lines_dropped, lines_doubled, lines_shuffled, columns_swapped, cell_replaced, line_made_long),
        *(nested, nulls, encoded, line_ends, cut, emptied, noise, repeated),
    )
}


def _separator(data: bytes, random: Random) -> bytes:
    present = [mark for mark in SEPARATORS if mark in data]
    return random.choice(present or [b"\t"])


def _span(data: bytes, random: Random) -> tuple[int, int]:
    start, end = sorted((random.randrange(len(data) + 1), random.randrange(len(data) + 1)))
    return start, end
