"""One execution of a program, or many of them from a fork server."""

import os
import re
import select
import signal
import socket
import struct


class Failure(Exception):
    """The benchmark itself failed."""


# For every run. Reports are counted, not read: no symbols.
COMMON = "symbolize=0 halt_on_error=1 atexit_sleep_ms=0"

# What an execution came to. The first two are what a bug looks like.
FOUND = ["race", "assertion"]


class Execution:
    """What one run of a program came to, and the seconds of CPU time it took."""

    def __init__(self, status, text, cpu):
        self.text = text
        self.cpu = cpu
        if status is None:
            self.outcome = "hang"
        elif "WARNING: ThreadSanitizer: data race" in text:
            self.outcome = "race"
        elif status == -signal.SIGABRT and "Assertion" in text:
            self.outcome = "assertion"
        elif "WARNING: ThreadSanitizer: deadlock" in text:
            self.outcome = "deadlock"
        elif "WARNING: ThreadSanitizer: livelock" in text:
            self.outcome = "livelock"
        elif status:
            self.outcome = f"exit status {status}"
        elif "ThreadSanitizer" in text:
            self.outcome = "other report"
        else:
            self.outcome = "silent"


def spawn(binary, options, output, keep=None):
    """Thousands of these are short, so nothing is started but the program."""
    actions = [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
        (os.POSIX_SPAWN_DUP2, output, 2),
    ]
    if keep is not None:
        actions.append((os.POSIX_SPAWN_DUP2, keep, 3))
    environment = {"PATH": os.defpath, "TSAN_OPTIONS": options}
    return os.posix_spawn(binary, [binary], environment, file_actions=actions)


def readable(file, seconds):
    poll = select.poll()
    poll.register(file, select.POLLIN)
    return bool(poll.poll(seconds * 1000))


class Output:
    """What programs write to standard error."""

    def __init__(self):
        self.file = os.memfd_create("stderr")

    def take(self):
        """What there is, which is not there any more."""
        size = os.fstat(self.file).st_size
        if not size:
            return ""
        text = os.pread(self.file, min(size, 1 << 20), 0).decode(errors="replace")
        os.ftruncate(self.file, 0)
        os.lseek(self.file, 0, os.SEEK_SET)
        return text

    def close(self):
        os.close(self.file)


def execute(binary, options, timeout):
    """Runs a program in a process of its own."""
    output = Output()
    try:
        pid = spawn(binary, options, output.file)
        handle = os.pidfd_open(pid)
        try:
            ended = readable(handle, timeout)
            if not ended:
                signal.pidfd_send_signal(handle, signal.SIGKILL)
            _, status, usage = os.wait4(pid, 0)
        finally:
            os.close(handle)
        return Execution(
            os.waitstatus_to_exitcode(status) if ended else None,
            output.take(),
            usage.ru_utime + usage.ru_stime,
        )
    finally:
        output.close()


def length_of_run(binary, communicating, timeout):
    """What schedule_events= should be: what a random schedule, without weak memory, says at its end.

    Of the program under test itself, as a user has no other. Without reports: while a thread
    writes one, others that wait in loops go on, and their operations count.
    """
    options = f"{COMMON} report_bugs=0 verbosity=1 schedule=random seed=1"
    what = "communication events" if communicating else "visible operations"
    note = execute(binary, options, timeout).text
    match = re.search(rf"(\d+) {what}", note)
    if not match:
        raise Failure(f"a first run does not say how many {what} it had:\n{note[-500:]}")
    return int(match.group(1))


class ForkServer:
    """A program that serves executions of itself: lib/heddle/server/protocol.h."""

    MAGIC, VERSION = 0x52444548, 1
    READY, STARTED, REFUSED, ENDED = range(4)
    ANSWER = struct.Struct("<IIIiiIQQ")

    def __init__(self, binary, options, timeout):
        self.timeout = timeout
        self.output = Output()
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.pid = spawn(
                binary, f"{options} fork_server=3", self.output.file, keep=theirs.fileno()
            )
        if not readable(self.socket, timeout) or self.answer()[0] != self.READY:
            text = self.output.take().strip()
            self.close()
            raise Failure(f"{binary} does not become a fork server:\n{text[-500:]}")

    def answer(self):
        """The kind, the process, the status, seconds."""
        message = self.socket.recv(self.ANSWER.size)
        if not message:
            return None, 0, 0, 0.0
        magic, version, kind, pid, status, _, user, system = self.ANSWER.unpack(message)
        if (magic, version) != (self.MAGIC, self.VERSION):
            raise Failure(f"the fork server speaks version {version}, not {self.VERSION}")
        return kind, pid, status, (user + system) / 1e6

    def execute(self, options):
        self.socket.send(options.encode())
        kind, pid, status, _ = self.answer()
        if kind != self.STARTED:
            raise Failure(f"the fork server does not start an execution: {os.strerror(status)}")
        ended = readable(self.socket, self.timeout)
        if not ended:
            os.kill(pid, signal.SIGKILL)
        kind, _, status, cpu = self.answer()
        if kind != self.ENDED:
            raise Failure("the fork server has ended")
        return Execution(
            os.waitstatus_to_exitcode(status) if ended else None, self.output.take(), cpu
        )

    def close(self):
        self.socket.close()
        os.waitpid(self.pid, 0)
        self.output.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
