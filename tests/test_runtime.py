"""The machine: properties computed once for each object."""

from __future__ import annotations

import threading

from nlpsig_core.runtime import cached_property


class Slow:
    """An object whose value may take long."""

    def __init__(self, until: threading.Event) -> None:
        self.until, self.made = until, 0

    @cached_property
    def value(self) -> int:
        self.made += 1
        self.until.wait(5)
        return self.made


def test_a_property_is_computed_once_for_each_object():
    done = threading.Event()
    done.set()
    one, other = Slow(done), Slow(done)
    assert [one.value, one.value, other.value] == [1, 1, 1]


def test_an_object_does_not_wait_for_the_property_of_another():
    """While one object computes its value, which takes long, another has its own at once."""
    never, done = threading.Event(), threading.Event()
    done.set()
    slow = threading.Thread(target=lambda: Slow(never).value)
    slow.start()
    quick = threading.Thread(target=lambda: Slow(done).value)
    quick.start()
    quick.join(2)
    assert not quick.is_alive()
    assert slow.is_alive()
    never.set()
    slow.join()
