"""Owns ``muang engine``: a program that thinks for another one, by lines of text. The text is ``wire.ugi``'s, the thinking ``search``'s.

One thread reads lines, one searches, and one (this) does everything else in the order in which it was asked. While a search runs only
``stop``, ``isready`` and ``quit`` are done at once; what else is sent waits for its end.
"""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from muang.cli.engine_options import ANALYSE, Options, level_name
from muang.errors import BadFrame, MuangError
from muang.games.core import Match, Seat, text_of
from muang.wire import ugi

if TYPE_CHECKING:
    from muang.search.limits import Info, Stop

__all__ = ["Engine", "engine"]

DEFAULT_MS = 1000
"""Thinking time of a ``go`` that names no limit."""
SHARE, GAIN, LEAST_MS = 25, 0.8, 10
"""Of a clock: one part in ``SHARE`` of what is left, and this part of the increment; never less than ``LEAST_MS``."""
MOST_WAITING = 10_000
"""Lines kept while a search runs."""


def engine() -> None:
    """Think for another program, which sends lines of the UGI protocol.

    docs/engine-protocol.md describes them; type ugi to see the options and quit to leave.
    """
    Engine(_print).run(_read_lines(0))


def _print(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def _read_lines(handle: int) -> Iterator[str]:
    """Lines of a file descriptor, read raw: a thread that waits in a buffered reader would hold its lock when Python ends."""
    rest, skipping = b"", False
    while True:
        data = os.read(handle, 1 << 16)
        if not data:
            break
        *lines, rest = (rest + data).split(b"\n")
        for line in lines:
            if not skipping:
                yield line.decode("utf-8", "replace")
            skipping = False
        if len(rest) > 4 * ugi.LONGEST:
            if not skipping:
                yield rest.decode("utf-8", "replace")  # too long, and told so
            rest, skipping = b"", True
    if rest and not skipping:
        yield rest.decode("utf-8", "replace")


@dataclass(frozen=True)
class _Thought:
    """What a search thread tells: an ``Info`` on the way, or at the end an action (``None``: there is none) and what went wrong."""

    info: Info | None = None
    done: bool = False
    seat: Seat | None = None
    action: str | None = None
    error: str = ""


class Engine:
    """The state between lines: options, the match, the search that runs. ``say`` is given every line of the answer."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.options = Options()
        self._match: Match | None = None  # the start, which is not made before somebody asks: making it loads Numba
        self.asked = 0
        self.search: threading.Thread | None = None
        self.endless = False
        self.switch: Stop | None = None
        self.racing = False
        self.stopped = threading.Event()
        self.news: Any = None
        self.waiting: deque[str] = deque()
        self.inbox: queue.SimpleQueue[str | _Thought | None] = queue.SimpleQueue()

    @property
    def match(self) -> Match:
        """The match as it stands."""
        if self._match is None:
            self._match = self.options.start()
        return self._match

    @match.setter
    def match(self, match: Match) -> None:
        self._match = match

    # ── lines ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self, lines: Iterator[str]) -> None:
        """Answer lines until ``quit`` or their end. A search that would end by itself is let end first when the lines do."""

        def read() -> None:
            for line in lines:
                self.inbox.put(line)
            self.inbox.put(None)

        threading.Thread(target=read, daemon=True, name="lines").start()
        over = False
        try:
            while not (over and self.search is None and not self.waiting):
                item = self.inbox.get()
                if isinstance(item, _Thought):
                    self.hear(item)
                elif item is None:
                    over = True
                    if self.endless:
                        self.stop()
                elif not self.take(item):
                    return
                while self.waiting and self.search is None:
                    if not self.take(self.waiting.popleft()):
                        return
                    if over and self.endless:
                        self.stop()
        finally:
            self.stop()
            if self.search is not None:
                self.search.join(5)

    def take(self, line: str) -> bool:
        """Do what one line asks, or put it off. False after ``quit``."""
        going = line.split(None, 1)[:1] == ["go"]
        try:
            command = self.read(line)
            if isinstance(command, ugi.Quit):
                return False
            if isinstance(command, ugi.Stop):
                self.stop()
            elif isinstance(command, ugi.Ready):
                self.say("readyok")
            elif self.search is not None and len(self.waiting) >= MOST_WAITING:
                self.say("error a search runs and too many lines wait for its end: send stop")
            elif self.search is not None:
                self.waiting.append(line)
            elif command is not None:
                self.do(command)
        except Exception as error:
            self.say(told(error))
            if going and self.search is None:
                self.say(ugi.best(None, None))
        return True

    def read(self, line: str) -> ugi.Command | BadFrame | None:
        """The command of a line, or why there is none: told in its turn, as most answers are."""
        try:
            return ugi.parse(line)
        except BadFrame as error:
            return error

    def do(self, command: ugi.Command | BadFrame) -> None:
        """One command, now."""
        match command:
            case BadFrame():
                raise command
            case ugi.Hello():
                self.options.hello(self.say)
            case ugi.NewGame():
                self.asked = 0
                self.match = self.options.start()
            case ugi.SetOption(name, value):
                if self.options.set(name, value):
                    self._match = None
                self.asked = 0
            case ugi.Place(line, moves):
                self.place(line, moves)
            case ugi.Dice(dice):
                self.match = self.match.roll(dice)
            case ugi.Query(question, seat):
                self.say(f"response {self.answer(question, seat)}")
            case ugi.Go():
                self.go(command)

    # ── the match ────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def place(self, line: str | None, moves: tuple[str, ...]) -> None:
        """Set the position; it stays as it was if the line or a move cannot be."""
        from muang.games.core import position

        match = self.options.start() if line is None else position(line).start(self.options.numbers["Seed"])
        for number, word in enumerate(moves, 1):
            try:
                match = ugi.follow(match, word)
            except MuangError as error:
                raise BadFrame(f"move {number}, {word[:40]}: {error}") from None
        self.match = match

    def answer(self, question: str, seat: Seat | None) -> str:
        """What is asked about the position."""
        match = self.match
        if question == "turn":
            return ugi.turn_words(match)
        if question == "gameover":
            return text_of(match.result is not None)
        if question == "result":
            return ugi.result_word(match)
        if question == "fen":
            return str(match.position)
        if question == "legal":
            seats = match.to_act if seat is None else (seat,)
            return " ".join(f"{each}:{action}" if len(seats) > 1 else action for each in seats for action in match.legal(each)) or "none"
        number = int(question[1])
        here = match.to_act or ((match.turn,) if match.turn is not None else ())
        return text_of(number <= len(match.seats) and match.seats[number - 1] in here)

    # ── thinking ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def go(self, go: ugi.Go) -> None:
        """Begin a search; every ``go`` is answered by one ``bestmove``."""
        from muang.search.limits import Stop

        think = self.thinker(go)
        self.asked, self.news = self.asked + 1, None
        self.endless, self.switch, self.racing = go.infinite, Stop(), self.match.phase == "race"
        self.stopped = threading.Event()
        switch, inbox, endless, stopped = self.switch, self.inbox, go.infinite, self.stopped

        def work() -> None:
            try:
                seat, action = think(switch, lambda info: inbox.put(_Thought(info)))
                said = _Thought(done=True, seat=seat, action=action)
            except Exception as error:
                said = _Thought(done=True, error=told(error))
            if endless and not said.error:
                stopped.wait()  # UCI's way: an infinite search tells its move when it is stopped, also if it has found the truth before
            inbox.put(said)

        self.search = threading.Thread(target=work, daemon=True, name="search")
        self.search.start()

    def thinker(self, go: ugi.Go) -> Callable[[Stop, Callable[[Info], None]], tuple[Seat | None, str | None]]:
        """What the search thread has to do. Errors of the question itself are raised here."""
        from muang.search.analyse import analyse
        from muang.search.limits import Limits
        from muang.search.players import player, use_tables

        match, numbers, n = self.match, dict(self.options.numbers), self.asked
        if match.result is not None:
            raise BadFrame("the match is over")
        seat = go.seat if go.seat is not None else match.to_act[0] if match.to_act else None
        if match.phase != "roll" and (seat is None or not match.legal(seat)):
            raise BadFrame(f"seat {seat} has nothing to choose" if seat is not None else "nobody has anything to choose now")
        use_tables(self.options.tables())  # for the levels that read them
        level = self.options.texts["Level"] if go.level is None else level_name(go.level)
        limited = go.movetime or go.depth or go.nodes or go.clocks
        if level != ANALYSE and (go.level is not None or not limited):
            who = player(level)
            if match.phase == "roll" or seat is None:
                return lambda switch, tell: (None, "roll")
            actor = seat
            return lambda switch, tell: (actor, who.choose(match, actor, numbers["Seed"], n))
        time_ms = go.movetime
        if go.clocks:
            mine = match.seats.index(seat if seat is not None else match.turn if match.turn is not None else match.seats[0]) + 1
            if mine in go.clocks:
                share = min(go.clocks[mine] // SHARE + int(go.gains.get(mine, 0) * GAIN), go.clocks[mine] // 2)
                time_ms = min(max(LEAST_MS, share), time_ms or share + LEAST_MS)
        if time_ms is None and go.depth is None and go.nodes is None and not go.infinite:
            time_ms = DEFAULT_MS
        limits = Limits(time_ms, go.nodes, go.depth, numbers["Threads"], numbers["Lines"], numbers["Memory"], numbers["Seed"])

        tables = self.options.tables()

        def search(switch: Stop, tell: Callable[[Info], None]) -> tuple[Seat | None, str | None]:
            found = analyse(match, limits, tell, tables, seat=seat, stop=switch)
            tell(found)
            if match.phase == "roll":
                return None, "roll"
            if not found.mix:
                return found.seat, found.action
            from muang.search.race import drawn

            return found.seat, drawn(found, numbers["Seed"], n)

        return search

    def hear(self, thought: _Thought) -> None:
        """Tell what the search has found."""
        if thought.info is not None:
            self.tell(thought.info)
        if thought.done:
            if self.search is not None:
                self.search.join()
            self.search, self.endless = None, False
            if thought.error:
                self.say(thought.error)
            self.say(ugi.best(thought.seat, thought.action, self.racing))

    def tell(self, info: Info) -> None:
        """One ``info`` line for each of the best lines of play, and one for a mixed choice; nothing that was just told."""
        news = (info.depth, info.nodes, info.lines, info.mix)
        if news == self.news:
            return
        self.news = news
        shared: dict[str, Any] = {"depth": info.depth, "nodes": info.nodes, "time_ms": info.time_ms, "table": info.table}
        for rank, line in enumerate(info.lines[: self.options.numbers["Lines"]], 1):
            extra: dict[str, Any] = {"rank": rank, "exact": line.exact, "bound": line.bound, "racing": self.racing}
            self.say(ugi.info(info.unit, line.value, line.actions, **shared, **extra))
        if info.mix:
            self.say("info mix " + " ".join(f"{action} {share:.4f}" for action, share in info.mix.items()))

    def stop(self) -> None:
        """End the search that runs, if one does."""
        if self.search is not None and self.switch is not None:
            self.switch.set()
            self.stopped.set()


def told(error: Exception) -> str:
    """The line that tells an error. A fault of ours must not end the other program's match: it is told too, and the next line is read."""
    kind = "" if isinstance(error, MuangError) else f"internal: {type(error).__name__}: "
    return f"error {kind}{ugi.one_line(error)}"
