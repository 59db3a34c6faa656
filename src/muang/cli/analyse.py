"""Owns ``muang analyse``: a position's best actions or a record's review, as words, tables, JSON and a plot. Owns no search."""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from muang.cli.board import draw, seat_name
from muang.cli.common import FINDING, Lang, WrongUse, choose_language, err, harmless, out
from muang.errors import BadRecord, IllegalAction, MuangError
from muang.games.core import GAMES, Match, Seat
from muang.games.core import position as read_position
from muang.i18n import N_, translate

if TYPE_CHECKING:
    from muang.records.record import Record
    from muang.search.limits import Info, Limits, Line, Stop, Tables

__all__ = ["LEVEL_NODES", "analyse"]

T = TypeVar("T")

LEVEL_NODES = (300, 1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
"""How many nodes ``--level`` 1 to 8 look at: about a blink to a few seconds."""
USUAL_MS = 2000
"""How long a position is looked at where no limit is given."""
USUAL_CHOICE_MS = 200
"""The same for each choice of a record."""


def analyse(
    what: Annotated[str, typer.Argument(metavar="POSITION|RECORD", help="A position's line in quotes, a record's file, or - for either.")],
    level: Annotated[int | None, typer.Option(min=1, max=8, metavar="N", help="How hard to look, 1 to 8; repeatable.")] = None,
    time_ms: Annotated[int | None, typer.Option("--time", min=1, metavar="MS", help="Milliseconds, for each choice of a record.")] = None,
    nodes: Annotated[int | None, typer.Option(min=1, metavar="N", help="Positions to look at, for each choice of a record.")] = None,
    depth: Annotated[int | None, typer.Option(min=1, metavar="N", help="Turns to look ahead (Cờ cá ngựa: rolls).")] = None,
    lines: Annotated[int, typer.Option(min=1, max=100, metavar="K", help="How many of the best actions to show.")] = 3,
    threads: Annotated[int, typer.Option(min=0, max=256, metavar="N", help="0: one a core, or one with --nodes and --level.")] = 0,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="A record's plot: .svg, .png or .pdf.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of words.")] = False,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
    lang: Lang = None,
) -> int:
    """Find the best actions of a position, or what was well and badly chosen in a record.

    Values are seeds ahead at the end of the round, or chances to win in Cờ cá ngựa. Ctrl-C ends it with what is known by then.
    """
    from muang.lab.evalplot import FORMATS
    from muang.search.limits import Limits

    language = choose_language(lang)
    if output is not None and output.suffix[1:].lower() not in FORMATS:
        raise WrongUse(f"the plot's file must end in {', '.join('.' + form for form in FORMATS)}, not {str(output)!r}")
    record = _read(what)
    unlimited = level is None and time_ms is None and nodes is None and depth is None
    if unlimited:
        time_ms = USUAL_MS if isinstance(record, Match) else USUAL_CHOICE_MS
    if level is not None:
        nodes = min(nodes or LEVEL_NODES[level - 1], LEVEL_NODES[level - 1])
    count = threads or (1 if nodes is not None else os.cpu_count() or 1)
    limits = Limits(time_ms=time_ms, nodes=nodes, depth=depth, threads=count, lines=lines)
    work = _Work(language, limits, as_json, ascii_only, {} if isinstance(record, Match) else record.names)
    if isinstance(record, Match):
        if output is not None:
            raise WrongUse("a plot needs a record; `muang picture` draws a position")
        return work.position(record)
    return work.record(record, what, output)


def _read(what: str) -> Match | Record:
    """What is to be analysed. ``WrongUse`` if it is neither a position nor a record."""
    from muang.records import read

    if what.split(maxsplit=1)[:1] and what.split(maxsplit=1)[0] in GAMES:
        return read_position(what).start(0)
    neither = f"{what[:60]!r} is neither a record's file nor a position, which begins with its game: {', '.join(GAMES)}"
    if not what.strip():
        raise WrongUse(neither)
    if what == "-":
        text = sys.stdin.read()
    else:
        path = Path(what)
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise WrongUse(f"{path} is not UTF-8 text") from error
        except FileNotFoundError as error:
            raise WrongUse(neither) from error
    first = text.split(maxsplit=1)[:1]
    return read_position(text.strip()).start(0) if first and first[0] in GAMES else read(text)


def tables_here() -> Tables | None:
    """The solved tables in the user's folder."""
    from muang.solver.library import Library

    return Library()


class _Work:
    """One run of the command."""

    def __init__(self, lang: str, limits: Limits, as_json: bool, ascii_only: bool, names: Mapping[Seat, str]) -> None:
        from muang.search.limits import Stop

        self.lang, self.limits, self.as_json, self.ascii_only = lang, limits, as_json, ascii_only
        self.names = {seat: harmless(name) for seat, name in names.items()}
        self.stop, self.stopped = Stop(), False
        self.tables = tables_here()
        self.warm: set[str] = set()

    def name(self, seat: Seat) -> str:
        return seat_name(seat, self.lang, self.names)

    def text(self, msgid: str, **args: object) -> str:
        return translate(msgid, self.lang, **args)

    def ask(self, match: Match, limits: Limits, *, seat: Seat, stop: Stop | None, on_info: Callable[[Info], None] | None = None) -> Info:
        """The one search there is, with this run's tables."""
        from muang.search.analyse import analyse
        from muang.search.limits import Limits

        if limits.time_ms is not None and match.phase not in self.warm:
            self.warm.add(match.phase)
            analyse(match, Limits(nodes=200), None, self.tables, seat=seat, stop=stop)  # compiles before the time runs
        return analyse(match, limits, on_info, self.tables, seat=seat, stop=stop)

    def away(self, work: Callable[[], T]) -> T:
        """Do ``work`` in a thread of its own, so that Ctrl-C turns the switch at once and what is known by then comes back."""
        found: list[T] = []
        wrong: list[BaseException] = []
        done = threading.Event()

        def run() -> None:
            try:
                found.append(work())
            except BaseException as error:
                wrong.append(error)
            finally:
                done.set()

        threading.Thread(target=run, name="analyse", daemon=True).start()
        while True:
            try:
                while not done.wait(0.1):
                    pass
                break
            except KeyboardInterrupt:
                if self.stopped:  # a second Ctrl-C waits for nothing
                    raise
                self.stopped = True
                self.stop.set()
        if wrong:
            raise wrong[0]
        return found[0]

    # ── a position ───────────────────────────────────────────────────────────────────────────────────────────────────────────

    def position(self, match: Match) -> int:
        """Everybody who has something to choose, one after another."""
        if match.phase == "over":
            raise WrongUse("the match is over: there is nothing to choose")
        seats = match.to_act or (() if match.turn is None else (match.turn,))
        if not seats:
            raise WrongUse("nobody can act in this position")
        infos = [self._watched(match, seat) for seat in seats if not self.stopped]
        if self.as_json:
            body = {"game": match.game.name, "position": str(match.position), "phase": match.phase}
            print(json.dumps(body | {"seats": [self.info_json(match, info) for info in infos]}, ensure_ascii=False))
        else:
            print(draw(match.view(), self.lang, self.names, self.ascii_only))
            for info in infos:
                self.show(match, info)
        return 130 if self.stopped else 0

    def _watched(self, match: Match, seat: Seat) -> Info:
        """Search, with what is known so far on the terminal's last line."""
        console = err()
        if not console.is_terminal:
            return self.away(lambda: self.ask(match, self.limits, seat=seat, stop=self.stop))
        with console.status("…") as status:

            def hear(info: Info) -> None:
                line = info.lines[0] if info.lines else None
                best = "" if line is None else f"  {line.action} {_figure(line, info.unit)}"
                status.update(f"depth {info.depth}, {info.nodes:,} nodes{best}")

            return self.away(lambda: self.ask(match, self.limits, seat=seat, stop=self.stop, on_info=hear))

    def show(self, match: Match, info: Info) -> None:
        """An analysis in words: the value, the best lines, what the best one does."""
        from rich.table import Table

        from muang.records.lines import said_first, value_phrase
        from muang.records.words import render

        console = out()
        best = info.lines[0]
        told = [value_phrase(info.seat, info.unit, best.value, best.exact, best.bound)]
        console.print(render(told, self.lang, self.names))
        if any(line.action for line in info.lines):
            table = Table("", self.text(N_("value")), self.text(N_("choice")), box=None, pad_edge=False)
            if info.mix:
                table.add_column(self.text(N_("share")), justify="right")
            table.add_column(self.text(N_("and then")))
            for number, line in enumerate(info.lines[: self.limits.lines], 1):
                turns = self.turns(line)
                share = [f"{100 * info.mix.get(line.action, 0):.0f} %"] if info.mix else []
                table.add_row(f"{number}", _figure(line, info.unit), turns[0] if turns else "", *share, " · ".join(turns[1:]))
            console.print(table)
            words = render(said_first(match, best.actions), self.lang, self.names)
            if words:
                console.print(self.text(N_("Best: {line}"), line=words))
            if len(info.mix) > 1:
                console.print(self.text(N_("Both choose at once: best is a lot, with the shares that stand there.")))
        elif match.phase == "roll":
            console.print(self.text(N_("The roll is due: nothing is to be chosen before it.")))
        source = f", table {info.table}" if info.table else ""
        console.print(f"depth {info.depth}, {info.nodes:,} nodes, {info.time_ms:,} ms{source}")

    def action(self, action: str) -> str:
        """An action as it is shown: a horse's way with an arrow."""
        return action if self.ascii_only else action.replace("-", " → ", 1)

    def turns(self, line: Line) -> list[str]:
        """A line turn by turn: the own first, each later one with its seat."""
        from muang.records.lines import by_turn

        told = []
        for number, (seat, actions) in enumerate(by_turn(line.actions)):
            one = ", ".join(self.action(action) for action in actions)
            told.append(one if number == 0 else f"{self.name(seat)} {one}")
        return told

    def info_json(self, match: Match, info: Info) -> dict[str, Any]:
        from muang.records.lines import said_first
        from muang.records.words import render

        lines = [
            {
                "action": line.action,
                "value": line.value,
                "exact": line.exact,
                "bound": line.bound,
                "actions": [list(pair) for pair in line.actions],
                "words": render(said_first(match, line.actions), self.lang, self.names),
            }
            for line in info.lines[: self.limits.lines]
        ]
        head = {"seat": info.seat, "unit": info.unit, "value": info.value, "exact": info.exact, "lines": lines, "mix": dict(info.mix)}
        return head | {"depth": info.depth, "nodes": info.nodes, "time_ms": info.time_ms, "table": info.table}

    # ── a record ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def record(self, record: Record, where: str, output: Path | None) -> int:
        """Every choice judged; then each seat in numbers, and the plot."""
        from muang.lab.review import Choice, choices_of, review, summaries

        try:
            total = sum(1 for _ in choices_of(record))  # replays it all: a record that does not fit is told before any search
        except BadRecord as error:
            err().print(f"muang: {where}: {error}")
            return FINDING
        if not total:
            raise WrongUse(f"{where}: nobody has chosen anything in this record")
        if output is not None:
            output.open("ab").close()  # what cannot be written is said now, not after the work
        choices: list[Choice] = []

        def work(advance: Callable[[], None]) -> None:
            for choice in review(record, self.limits, self.ask, self.stop):
                choices.append(choice)
                advance()

        try:
            self._progress(total, work)
        except MuangError as error:
            if not self.stopped or isinstance(error, IllegalAction):
                raise
        numbers = summaries(choices, record.seats)
        if self.as_json:
            print(json.dumps(self._record_json(record, choices, numbers), ensure_ascii=False))
        else:
            self._tell(record, choices, numbers, total)
        if output is not None and choices:
            self._plot(record, choices, output)
        return 130 if self.stopped else 0

    def _progress(self, total: int, work: Callable[[Callable[[], None]], None]) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

        console = err()
        columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
            task = bar.add_task("", total=total)
            self.away(lambda: work(lambda: bar.advance(task)))

    def _tell(self, record: Record, choices: list[Any], numbers: list[Any], total: int) -> None:
        from rich.table import Table

        from muang import rulebook

        console = out()
        seats = ", ".join(self.name(seat) for seat in record.seats)
        console.print(f"{rulebook.load(record.game.name).title(self.lang)}, {record.game.ruleset}: {seats}")
        heads = (N_("seat"), N_("choice"), N_("value"), N_("best"), N_("lost"))
        table = Table("", *(self.text(head) for head in heads), "", box=None, pad_edge=False)
        last = 0
        for choice in choices:
            if choice.round != last:
                last = choice.round
                table.add_row("", self.text(N_("Round {round}"), round=last))
            value = "–" if choice.value is None else _number(choice.value, choice.unit)
            value += " =" if choice.exact else ""
            better = "" if choice.lost < 1e-9 else self.action(choice.best_action)
            lost = "" if choice.lost < 1e-9 else _loss(choice.lost, choice.unit)
            grade = self.text(choice.grade) if choice.grade else ""
            table.add_row(f"{choice.index + 1}", self.name(choice.seat), self.action(choice.action), value, better, lost, grade)
        console.print(table)
        for one in numbers:
            console.print(self._in_numbers(one, choices[0].unit if choices else "seeds"))
        if any(choice.exact for choice in choices):
            console.print(self.text(N_("A value with = is exact; the others are as far as the search saw.")))
        if len(choices) < total:
            console.print(self.text(N_("Stopped after {count} of {all} choices."), count=len(choices), all=total))

    def _in_numbers(self, one: Any, unit: str) -> str:
        grades = ", ".join(f"{self.text(grade)} {count}" for grade, count in one.grades.items())
        args = {"seat": self.name(one.seat), "count": one.choices, "best": one.best, "lost": _loss(one.mean, unit), "grades": grades}
        return self.text(N_("{seat}: {count} choices, {best} of them the best; {lost} lost on average; {grades}."), **args)

    def _record_json(self, record: Record, choices: list[Any], numbers: list[Any]) -> dict[str, Any]:
        from muang.lab.review import LOSSES

        unit = "chance" if record.game.name == "ca-ngua" else "seeds"
        told = [
            {
                "entry": choice.index + 1,
                "seat": choice.seat,
                "action": choice.action,
                "round": choice.round or None,
                "value": choice.value,
                "exact": choice.exact,
                "best": choice.best_action,
                "best_value": choice.best,
                "lost": choice.lost,
                "grade": choice.grade,
                "forced": choice.forced,
                "nodes": choice.info.nodes,
            }
            for choice in choices
        ]
        seats = [
            {"seat": one.seat, "choices": one.choices, "best": one.best, "lost": one.lost, "mean": one.mean, "grades": dict(one.grades)}
            for one in numbers
        ]
        head = {"game": record.game.name, "ruleset": record.game.ruleset, "options": record.game.changes(), "unit": unit}
        return head | {"thresholds": list(LOSSES[unit]), "choices": told, "seats": seats}

    def _plot(self, record: Record, choices: list[Any], output: Path) -> None:
        from muang import rulebook
        from muang.lab import evalplot

        def title(lang: str) -> str:
            return f"{rulebook.load(record.game.name).title(lang)}: {' – '.join(self.name(seat) for seat in record.seats)}"

        evalplot.draw(choices, record.seats, self.name, output, output.suffix[1:].lower(), self.lang, title)


def _number(value: float, unit: str) -> str:
    if unit == "chance":
        return f"{100 * value:.1f} %"
    return f"{round(value):+d}" if abs(value - round(value)) < 1e-9 else f"{value:+.1f}"


def _loss(value: float, unit: str) -> str:
    if unit == "chance":
        return f"{100 * value:.1f} %"
    return f"{round(value)}" if abs(value - round(value)) < 1e-9 else f"{value:.1f}"


def _figure(line: Line, unit: str) -> str:
    """A value as it stands in a table: ``≥`` and ``≤`` for bounds, ``=`` where it is exact."""
    sign = {"lower": "≥ ", "upper": "≤ "}.get(line.bound, "")
    return f"{sign}{_number(line.value, unit)}{' =' if line.exact and not sign else ''}"
