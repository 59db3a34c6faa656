"""Owns players that are other programs: a process that speaks the engine protocol (``wire.ugi``), its time-outs and its end.

A program that ends, is silent too long or chooses what is not allowed loses the match (``Forfeit``); it is started again for the next.
"""

from __future__ import annotations

import atexit
import contextlib
import queue
import shlex
import subprocess
import threading
import time
from collections import deque

from muang.games.core import Match, Seat
from muang.lab.simulate import Forfeit
from muang.lab.workers import WorkFailed
from muang.search.players import player
from muang.wire import ugi

__all__ = ["External"]

MOST_LINES = 10_000
"""Lines of a program that wait to be read; one that tells more has to wait itself."""
START_SECONDS = 60.0
"""For the answers to ``ugi`` and ``isready``: a first start may compile."""


class External:
    """A player over ``ugi:COMMAND``. ``go``: the limits of each search, as words of ``go``; ``timeout``: seconds to answer one.

    ``WorkFailed`` if the program cannot be started at all.
    """

    def __init__(self, command: str, go: str, timeout: float = 60.0) -> None:
        self.command, self.limits, self.timeout = command, go, timeout
        self.hand = player("greedy")
        self.process: subprocess.Popen[str] | None = None
        self.lines: queue.Queue[str | None] = queue.Queue(MOST_LINES)
        self.complaints: deque[str] = deque(maxlen=3)
        self.listener: threading.Thread
        atexit.register(self.close)

    @property
    def name(self) -> str:
        return f"ugi:{self.command}"

    def begin(self, match: Match, seed: int) -> None:
        """A new match of these rules begins; ``seed`` decides the program's lots, if it has that option."""
        if self.process is None:
            self._start()
        try:
            self._send(f"setoption name Game value {match.game.name}", f"setoption name Seed value {seed}", "uginewgame", "isready")
            self._until("readyok", START_SECONDS)
        except Forfeit as error:
            self.close()
            raise WorkFailed(f"{self.name} cannot begin a match: {error}") from error

    def choose(self, match: Match, seat: Seat, seed: int, n: int) -> str:
        """An action that is allowed, or ``Forfeit``."""
        try:
            self._send(ugi.place(str(match.position)), f"go seat {seat} {self.limits}".rstrip())
            reply = self._until("bestmove", self.timeout)
        except Forfeit:
            self.close()
            raise
        if reply.action not in match.legal(seat):
            said = f" after {self.complaints[-1]!r}" if self.complaints else ""
            raise Forfeit(f"{self.name}: chose {reply.rest[:40]!r}, which is not allowed{said}")
        return reply.action

    def wait_ms(self, match: Match, seat: Seat, seed: int, n: int) -> int:
        """A nimble person's, in races in time: what it needs to think is not counted."""
        return self.hand.wait_ms(match, seat, seed, n)

    def close(self) -> None:
        """End the program; ``begin`` starts it again."""
        process, self.process = self.process, None
        if process is None:
            return
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout, process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):  # what could not be written any more
                    pipe.close()

    # ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _start(self) -> None:
        pipe = subprocess.PIPE
        try:
            words = shlex.split(self.command)
            self.process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", errors="replace")
        except (OSError, ValueError, IndexError) as error:
            raise WorkFailed(f"{self.name} cannot be started: {error}") from error
        self.lines, self.complaints = queue.Queue(MOST_LINES), deque(maxlen=3)
        process, lines, complaints = self.process, self.lines, self.complaints

        def put(line: str | None) -> None:
            while self.process is process:  # nobody reads any more when it has been closed
                with contextlib.suppress(queue.Full):
                    lines.put(line, timeout=0.2)
                    return

        def hear() -> None:
            with contextlib.suppress(ValueError):  # closed by ``close``
                while process.stdout is not None and (line := process.stdout.readline(ugi.LONGEST)):
                    put(line)
            put(None)

        def hear_complaints() -> None:
            with contextlib.suppress(ValueError):
                while process.stderr is not None and (line := process.stderr.readline(1000)):
                    complaints.append(ugi.one_line(line))

        threading.Thread(target=hear, daemon=True).start()
        self.listener = threading.Thread(target=hear_complaints, daemon=True)
        self.listener.start()
        try:
            self._send("ugi")
            self._until("ugiok", START_SECONDS)
        except Forfeit as error:
            self.close()
            raise WorkFailed(f"{self.name} does not speak the engine protocol: {error}") from error

    def _send(self, *lines: str) -> None:
        process = self.process
        if process is None or process.stdin is None:
            raise Forfeit(f"{self.name}: has ended")
        try:
            process.stdin.write("".join(f"{line}\n" for line in lines))
            process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _until(self, kind: str, seconds: float) -> ugi.Reply:
        """The next line of that kind. Infos are passed over, errors kept for the reason of a loss."""
        end = time.monotonic() + seconds
        while True:
            left = end - time.monotonic()
            try:
                if left <= 0:  # it may be telling something else all the time
                    raise queue.Empty
                line = self.lines.get(timeout=left)
            except queue.Empty:
                raise Forfeit(f"{self.name}: no {kind} within {seconds:g} s") from None
            if line is None:
                raise self._ended()
            reply = ugi.read_reply(line)
            if reply is not None and reply.kind == kind:
                return reply
            if reply is not None and reply.kind == "error":
                self.complaints.append(ugi.one_line(line))

    def _ended(self) -> Forfeit:
        code = None
        if self.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):  # it may have closed its output only
                code = self.process.wait(5)
            self.listener.join(1)
        said = f": {self.complaints[-1]}" if self.complaints else ""
        return Forfeit(f"{self.name}: ended with code {code}{said}")
