"""Owns the start screen: which game by which rules, who sits where, a link to join, a record to open. Begins nothing itself.

One line for each thing, for texts in columns would not hold with every script.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Input, Static

from muang import rulebook
from muang.errors import MuangError
from muang.games.core import GAMES, PACES, Seat, game
from muang.i18n import N_, translate
from muang.search.players import PLAYERS
from muang.tui import words
from muang.tui.plan import PERSON, Plan, seat_sets

if TYPE_CHECKING:
    from muang.tui.app import MuangApp

__all__ = ["Choice", "Press", "StartScreen"]

OFFERED = (PERSON, *(name for name in PLAYERS if name.startswith("level-")), *(name for name in PLAYERS if not name.startswith("level-")))


class Choice(Static, can_focus=True):
    """One of several values on a line; left and right go through them."""

    def __init__(self, name: str, label: str, values: Sequence[tuple[Any, str]], value: Any, on: Callable[[str, Any], None]) -> None:
        super().__init__(id=f"choice-{name}", markup=False)
        self.about, self.label, self.values, self.on = name, label, list(values), on
        self.at = next((at for at, (one, _) in enumerate(self.values) if one == value), 0)

    @property
    def value(self) -> Any:
        return self.values[self.at][0]

    def on_mount(self) -> None:
        self.draw()

    def watch_has_focus(self, has_focus: bool) -> None:
        """Not when the event comes: it is still the old focus then, and the mark would stay."""
        super().watch_has_focus(has_focus)
        self.draw()

    def draw(self) -> None:
        """The label, and the value between two arrows."""
        self.update(Text(f"{'>' if self.has_focus else ' '} {self.label}: < {self.values[self.at][1]} >"))

    def on_key(self, event: events.Key) -> None:
        """Another value."""
        step = {"right": 1, "space": 1, "enter": 1, "left": -1}.get(event.key)
        if step is not None:
            event.stop()
            self.step(step)

    def on_click(self) -> None:
        self.step(1)

    def step(self, by: int) -> None:
        """So many values on."""
        self.at = (self.at + by) % len(self.values)
        self.draw()
        self.on(self.about, self.value)


class Press(Static, can_focus=True):
    """A line that does something."""

    def __init__(self, name: str, label: str, on: Callable[[], None]) -> None:
        super().__init__(f" [{label}] ", id=name, markup=False)
        self.on = on

    def on_key(self, event: events.Key) -> None:
        """Do it."""
        if event.key in ("enter", "space"):
            event.stop()
            self.on()

    def on_click(self) -> None:
        self.on()


class StartScreen(Screen[None]):
    """The form. What was chosen before stays while the app runs."""

    app: MuangApp

    def __init__(self, lang: str, plan: Plan | None = None) -> None:
        super().__init__()
        self.lang = lang
        self.plan = plan or Plan()
        self.problem = ""
        self.filling = asyncio.Lock()

    def text(self, msgid: str, **args: object) -> str:
        """A text in the language of this screen."""
        return translate(msgid, self.lang, **args)

    def compose(self) -> ComposeResult:
        """The form."""
        yield VerticalScroll(id="form", can_focus=False)

    async def on_mount(self) -> None:
        await self.fill()

    async def fill(self, focus: str = "choice-game") -> None:
        """Lay the form out for the plan as it stands; one after the other, however quickly things are chosen."""
        async with self.filling:
            form = self.query_one("#form")
            await form.remove_children()
            await form.mount(*self._rows())
            self.query_one(f"#{focus}").focus()

    def _rows(self) -> list[Static | Input]:
        plan, lang = self.plan, self.lang
        book = rulebook.load(plan.game.name)
        pick = self.pick
        games = [(name, rulebook.load(name).title(lang)) for name in GAMES]
        rulesets = [(name, book.rulesets[name].title(lang)) for name in plan.game.rulesets]
        rows: list[Static | Input] = [
            Static(self.text("Muang: three old games"), id="title", markup=False),
            Choice("game", self.text("Game"), games, plan.game.name, pick),
            Choice("ruleset", self.text("Rules"), rulesets, plan.game.ruleset, pick),
            Static(book.rulesets[plan.game.ruleset].describe(lang), classes="about", markup=False),
        ]
        if plan.game.name != "ca-ngua":
            paces = [(pace, words.pace_name(pace, lang)) for pace in ("steady", "by_hand", "lockstep")]
            assert {pace for pace, _ in paces} == set(PACES)
            rows.append(Choice("pace", self.text("Pace"), paces, plan.pace, pick))
            rows.append(Static(words.pace_help(plan.pace, lang), classes="about", id="about-pace", markup=False))
        else:
            counts = sorted({len(seats) for seats in seat_sets(plan.game)})
            rows.append(Choice("count", self.text("Players"), [(count, str(count)) for count in counts], len(plan.sitters), pick))
        kinds = [(kind, self._kind(kind)) for kind in OFFERED]
        for seat in plan.sitters:
            rows.append(Choice(f"seat-{seat}", words.seat_name(seat, lang), kinds, plan.sitters[seat], pick))
        firsts: list[tuple[Seat | None, str]] = [(None, self.text("Drawn by lot"))]
        firsts += [(seat, words.seat_name(seat, lang)) for seat in plan.sitters]
        rows.append(Choice("first", self.text("Who goes first"), firsts, plan.first, pick))
        rows.append(Press("play", self.text("Play"), self.begin))
        rows.append(Input(placeholder=self.text(N_("A link to a match on a server, and Enter")), id="link", compact=True))
        rows.append(Input(placeholder=self.text(N_("A record's file, and Enter")), id="file", compact=True))
        rows.append(Static(self.problem, id="problem", markup=False))
        rows.append(Static(self.text(N_("Arrow keys choose, Enter begins, Ctrl-C leaves.")), id="how", markup=False))
        return rows

    def _kind(self, kind: str) -> str:
        if kind == PERSON:
            return self.text(N_("somebody at this keyboard"))
        player = words.player_name(kind, self.lang)
        return f"{self.text('computer, {player}', player=player)} ({words.level_word(kind, self.lang)})"

    def pick(self, name: str, value: Any) -> None:
        """A value has been chosen."""
        plan = self.plan
        if name == "pace":
            plan.pace = value
            self.query_one("#about-pace", Static).update(words.pace_help(value, self.lang))
            return
        if name == "first":
            plan.first = value
            return
        if name.startswith("seat-"):
            plan.sitters[next(seat for seat in plan.sitters if f"seat-{seat}" == name)] = value
            return
        if name == "game":
            self.plan = Plan(game(value), pace="by_hand" if value == "abalalae" else "steady")
        elif name == "ruleset":
            plan.game = game(plan.game.name, value)
        else:
            seats = next(seats for seats in seat_sets(plan.game) if len(seats) == value)
            kinds = list(plan.sitters.values())
            plan.sitters = {seat: kinds[at] if at < len(kinds) else "level-2" for at, seat in enumerate(seats)}
            plan.first = None
        self.run_worker(self.fill(f"choice-{name}"), name="fill")

    def on_key(self, event: events.Key) -> None:
        """Up and down go from line to line."""
        if event.key in ("down", "up"):
            event.stop()
            self.focus_next() if event.key == "down" else self.focus_previous()
        elif event.key == "f2":
            self.app.action_look()

    def begin(self) -> None:
        """Play what has been chosen."""
        try:
            self.plan.check()
        except MuangError as error:
            self.tell(str(error))
            return
        self.tell("")
        self.app.play(self.plan)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """A link or a file."""
        if not event.value.strip():
            return
        self.tell("")
        if event.input.id == "link":
            self.app.join(event.value)
        else:
            self.app.open(Path(event.value.strip()).expanduser())

    def tell(self, problem: str) -> None:
        """Say what was wrong."""
        self.problem = problem
        self.query_one("#problem", Static).update(problem)
