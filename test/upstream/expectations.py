"""What upstream's tests must not do for Heddle, and why.

lit reports a test that fails as is said here as an expected failure, and complains if it
passes after all.
"""
import lit.formats
import lit.Test

ALWAYS = {
    "stack_sync_reuse.cpp": """Says itself that its expectation is wrong: the program has a
        race, which upstream misses because a relaxed store does not end a release sequence. We
        report it; test/tsan/happens-before has tests of that rule.""",
    "on_exit.cpp": """Expects `global++` on a volatile to be reported as a write. The wrapper's
        option keeps the compiler from folding the volatile read into it, so the read is
        reported, being first.""",
    "Linux/mutex_robust2.cpp": """Says itself that the race that it expects is a false positive. We
        report none: see test/tsan/odd/mutex-kinds.cpp.""",
}

# With --param schedule=NAME.
UNDER_A_SCHEDULE = {
    "force_background_thread.cpp": """Expects the background thread to have done something
        after a sleep of three seconds, which takes no time. With real_sleep=1 it passes.""",
}

# With --param schedule=NAME these may fail, or pass: it depends on the schedule that is drawn.
UNLESS_LUCKY = {
    name: """Sleeps so that other threads come to an end, or to a certain point. That a sleep is
        over first is one of the schedules."""
    for name in ("thread_leak5.c", "signal_pause.cpp")
}

# With --param schedule=NAME these may be over the limit of lit's --timeout; without one they pass.
SLOW_UNDER_A_SCHEDULE = {
    "deadlock_detector_stress_test.cpp": """Five runs of seven million operations, most of which
        are followed by a switch to another thread: 4 microseconds each.""",
    "restore_stack.cpp": """Looks 65536 races up in a trace, which takes 15 seconds of a processor
        with and without a schedule: too long only on a busy machine.""",
}


class Format(lit.formats.ShTest):
    """A test as in upstream's suite, and what is expected of it."""

    def __init__(self, base, schedule):
        super().__init__(base.execute_external)
        self.failing = dict(ALWAYS, **(UNDER_A_SCHEDULE if schedule else {}))
        self.unless_lucky = UNLESS_LUCKY if schedule else {}
        self.slow = SLOW_UNDER_A_SCHEDULE if schedule else {}

    def execute(self, test, lit_config):
        name = "/".join(test.path_in_suite)
        if name in self.failing:
            test.xfails.append("*")
        result = super().execute(test, lit_config)
        for expected, code in ((self.unless_lucky, lit.Test.FAIL), (self.slow, lit.Test.TIMEOUT)):
            if name in expected and result.code is code:
                result.code = lit.Test.XFAIL
        reasons = dict(self.failing, **self.unless_lucky, **self.slow)
        if name in reasons:
            result.output += "\nExpected to fail: %s\n" % " ".join(reasons[name].split())
        return result
