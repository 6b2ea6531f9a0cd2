"""DomainRule: a user's regular expression that finds the domains of units in their names."""

from __future__ import annotations

from collections.abc import Iterable
from time import thread_time

import re2

from nlpsig_core.base.errors import ChoiceError

# A rule in use has about 20 characters. The bytes that a rule may take bound its steps, and so the time for a name:
# usual ones take microseconds, the worst that fit into them 6 milliseconds.
LONGEST_RULE, LONGEST_NAME = 200, 200
RULE_MEMORY = 1 << 18
# Seconds of processor time for all names of a task. Usual rules find the domains of a million names in two.
RULE_SECONDS = 5.0
UNKNOWN = r"lookahead, lookbehind and backreferences, such as (?=x), (?<=x) and \1, are not available"


class DomainRule:
    """A user's regular expression that finds domains in names, in time linear in the names.

    It is one of RE2, which never backtracks; ChoiceError if it is not, or too large. RE2's \\w, \\d, \\s and \\b are
    those of ASCII; \\pL is any letter. A rule is for the names of one task, which may take RULE_SECONDS together.
    """

    def __init__(self, rule: str) -> None:
        self.rule, self._seconds = rule, 0.0
        if len(rule) > LONGEST_RULE:
            reason = f"it has {len(rule):,} characters; use at most {LONGEST_RULE}"
            raise ChoiceError(f"The domain rule {rule[:40]!r}... is too long: {reason}")
        options = re2.Options()
        options.max_mem, options.log_errors = RULE_MEMORY, False
        try:
            self._pattern = re2.compile(rule, options)
        except (re2.error, UnicodeEncodeError) as error:
            reason = error.args[0].decode(errors="replace") if isinstance(error, re2.error) else "not valid Unicode"
            raise ChoiceError(f"{rule!r} is not a regular expression that can be used ({reason}); {UNKNOWN}") from None

    def domain(self, names: Iterable[str]) -> str:
        """Return the match (its first group, or all of it) in the first name that has one; "" if none has.

        Of each name, the first LONGEST_NAME characters are searched. ChoiceError once RULE_SECONDS have passed.
        """
        if self._seconds > RULE_SECONDS:
            reason = f"it needs more than {RULE_SECONDS:g} seconds for the names of this task"
            raise ChoiceError(f"The domain rule {self.rule!r} is too slow: {reason}; use one with fewer repetitions")
        start = thread_time()
        match = next(filter(None, (self._pattern.search(name[:LONGEST_NAME]) for name in names)), None)
        self._seconds += thread_time() - start
        return match[min(self._pattern.groups, 1)] or "" if match else ""
