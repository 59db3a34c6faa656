"""Owns the terminal app: which screen is on, how one leads to another, what is said of what cannot be opened. Knows no rule."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver as Keyboard
from textual.filter import LineFilter

from muang.errors import MuangError
from muang.i18n import translate
from muang.tui import line, remote, seats, words
from muang.tui.dialogs import Choose, Window, Write
from muang.tui.driver import Driver
from muang.tui.keeping import fresh, why, write_record
from muang.tui.local import Local
from muang.tui.match import MatchScreen
from muang.tui.paint import Style, style_of
from muang.tui.plain import PlainFilter
from muang.tui.plan import Plan
from muang.tui.remote import Link, Remote
from muang.tui.replay import Replay, read_file
from muang.tui.start import StartScreen
from muang.wire.refusals import refusal

__all__ = ["Asked", "MuangApp"]


@dataclass(frozen=True)
class Asked:
    """What the command line says.

    ``plain``: no sign that is not ASCII; ``bare``: no letter either, for the terminal has none. ``begin``: a match to play, a link or a
    record's file; None: the start screen. ``name`` and ``watch``: for a link; ``save``: where the record of a match of one's own is
    kept; ``speed``: a name of ``words.SPEEDS``.
    """

    lang: str = "en"
    plain: bool = False
    bare: bool = False
    colour: bool = True
    light: bool = False
    begin: Plan | Link | Path | None = None
    name: str | None = None
    watch: bool = False
    save: Path | None = None
    speed: str = "normal"


class MuangApp(App[str]):
    """The app. Its result is what went wrong, if it could not begin."""

    CSS_PATH = "styles.tcss"
    TITLE = "Muang"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "stop", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(self, asked: Asked | None = None, make: Callable[[Plan], Driver] | None = None) -> None:
        self.asked = asked or Asked()
        if not self.asked.colour:
            os.environ["NO_COLOR"] = "1"  # Textual reads it when an app is made
        self.filter = PlainFilter(self.asked.plain, self.asked.bare)
        super().__init__(ansi_color=None if self.asked.colour else True)
        self.make = make or made
        self.speed = next(at for at, (name, _, _) in enumerate(words.SPEEDS) if name == self.asked.speed)
        self.stopping = False
        self.kept = 0
        """Records that have been kept in this run."""
        self.code = 0
        """The exit code, where a signal ends the app."""
        self.problem = ""
        """What went wrong on the way out."""

    @property
    def keeps(self) -> bool:
        """Whether the record is kept without a question."""
        return self.asked.save is not None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """And a last one that lets nothing through that the terminal cannot show, or that would command it."""
        return [*super().get_line_filters(), self.filter]

    def style(self) -> Style:
        """How boards are drawn."""
        return style_of(self.asked.plain, self.asked.colour, self.current_theme.dark)

    def on_mount(self) -> None:
        """Begin where the command line says."""
        self.theme = "textual-light" if self.asked.light else "textual-dark"
        begin = self.asked.begin
        if not self.is_headless:
            for number in line.ENDS:
                asyncio.get_running_loop().add_signal_handler(number, self.end_by, number)
        if isinstance(begin, Plan):
            self.play(begin)
        elif isinstance(begin, Link):
            self.join(begin)
        elif isinstance(begin, Path):
            self.open(begin)
        else:
            self.push_screen(StartScreen(self.asked.lang))

    def action_look(self) -> None:
        """Dark or light."""
        self.theme = "textual-dark" if not self.current_theme.dark else "textual-light"
        if isinstance(self.screen, MatchScreen):
            self.screen.look_of = self.style()
            self.screen.changed()

    # ── ways in ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def play(self, plan: Plan) -> None:
        """A match at this terminal."""
        try:
            driver = self.make(plan)
        except MuangError as error:
            self.tell(error)
            return
        self.show(driver)

    def join(self, link: str | Link) -> None:
        """A match on a server."""
        self.run_worker(self._join(link), name="join", exclusive=True, group="way", exit_on_error=False)

    async def _join(self, text: str | Link) -> None:
        lang = self.asked.lang
        link: Link | None = None
        try:
            link = Link.read(text) if isinstance(text, str) else text
            free = await remote.look(link)
            tokens = () if self.asked.watch else seats.remembered(link)
            name = self.asked.name
            while free and not tokens and not self.asked.watch:
                sits = [(str(seat), f"{translate('Sit down', lang)}: {words.seat_name(seat, lang)}") for seat in free]
                title = translate("Take a seat", lang)
                chosen = await self.push_screen_wait(Choose(title, [*sits, ("watch", translate("Just watch", lang))]))
                if chosen is None:
                    self.tell(None)
                    return
                if chosen == "watch":
                    break
                if name is None:
                    asked = Write(translate("Your name", lang), note=translate("Name, if you like", lang))
                    name = await self.push_screen_wait(asked) or ""
                seat = next(one for one in free if str(one) == chosen)
                try:
                    tokens = (await remote.sit(link, seat, name.strip()[:40]),)
                    seats.remember(link, tokens[0])
                except remote.Unreachable:
                    raise
                except MuangError:
                    free = await remote.look(link)
                    if seat in free:
                        raise
                    # somebody was quicker: what is still free is offered instead, and with nothing free this screen watches
            self.show(Remote(link, tokens))
        except MuangError as error:
            if link is not None and error.code == "no-such-match":
                seats.forget(link)
            self.tell(error)

    def open(self, path: Path) -> None:
        """A record."""
        self.run_worker(self._open(path), name="open", exclusive=True, group="way", exit_on_error=False)

    async def _open(self, path: Path) -> None:
        try:
            replay = await asyncio.to_thread(lambda: Replay(read_file(path)))
        except (MuangError, OSError) as error:
            self.tell(error)
            return
        self.show(None, replay)

    def tell(self, error: Exception | None) -> None:
        """What could not be opened: on the start screen, or as the result of the app that was to open it."""
        told = "" if error is None else why(error, getattr(error, "filename", None))
        told = refusal(error.code, told, self.asked.lang) if isinstance(error, MuangError) else told
        start = next((screen for screen in self.screen_stack if isinstance(screen, StartScreen)), None)
        if start is None:
            self.exit(told)
        else:
            start.tell(told)

    # ── the match screen ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def show(self, driver: Driver | None, replay: Replay | None = None) -> None:
        """A screen for a match."""
        self.push_screen(self.screen_for(driver, replay))

    def screen_for(self, driver: Driver | None, replay: Replay | None = None) -> MatchScreen:
        """Such a screen. Whoever wants no motion in terminals (``TEXTUAL_ANIMATIONS=none``) sees none."""
        motion = self.animation_level != "none"
        return MatchScreen(driver, replay, self.style(), lang=self.asked.lang, speed=self.speed, motion=motion)

    async def go_on(self, driver: Driver, match_id: str) -> None:
        """To the next match of the same people."""
        following = driver.again(match_id)
        if isinstance(following, Remote) and following.tokens:
            seats.remember(following.link, following.tokens[0])
        await self._keep(driver)
        await driver.close()
        while not isinstance(self.screen, (MatchScreen, StartScreen)) and len(self.screen_stack) > 1:
            await self.pop_screen()  # a window over the match that is over
        if isinstance(self.screen, MatchScreen):
            self.speed = self.screen.theatre.speed
            await self.screen.close()
            await self.switch_screen(self.screen_for(following))

    async def _keep(self, driver: Driver | None) -> None:
        if driver is not None and driver.local and self.asked.save is not None:
            path = fresh(self.asked.save, self.kept)
            self.kept += 1
            try:
                write_record(await driver.record(), path)
            except (MuangError, OSError) as error:
                self.problem = why(error, path)

    async def end_match(self, screen: MatchScreen, to_start: bool) -> None:
        """The screen of a match is left."""
        await self._keep(screen.driver)
        await screen.close()
        start = any(isinstance(one, StartScreen) for one in self.screen_stack)
        self.speed = screen.theatre.speed
        if not (start or to_start):
            self.exit(self.problem)
            return
        await self.pop_screen()
        if not start:
            await self.push_screen(StartScreen(self.asked.lang))

    def end_by(self, number: int) -> None:
        """A signal: the terminal is closed, or somebody ends the program. The record is kept, nothing is asked."""
        self.code = 128 + number
        screen = next((one for one in reversed(self.screen_stack) if isinstance(one, MatchScreen)), None)
        self.run_worker(self._stop(screen), name="stop", exit_on_error=False)

    def get_driver_class(self) -> type[Keyboard]:
        """One that goes on after whatever a keyboard sends."""
        return line.patient(super().get_driver_class())

    def action_stop(self) -> None:
        """Ctrl-C: leave, with the question about the record first; a second one asks nothing."""
        screen = next((one for one in reversed(self.screen_stack) if isinstance(one, MatchScreen)), None)
        if screen is None or self.stopping:
            self.run_worker(self._stop(screen), name="stop", exit_on_error=False)
            return
        self.stopping = True
        self.run_worker(self._ask_and_stop(screen), name="leave", exit_on_error=False)

    async def _ask_and_stop(self, screen: MatchScreen) -> None:
        while isinstance(self.screen, Window):  # what is open over the match is given up
            self.screen.give(None)
            await asyncio.sleep(0)
        if screen is self.screen:
            await screen.leave()
        self.stopping = False

    async def _stop(self, screen: MatchScreen | None) -> None:
        if screen is not None:
            await self._keep(screen.driver)
            await screen.close()
        self.exit(self.problem, self.code)

    async def action_quit(self) -> None:
        """Ctrl-Q as Ctrl-C."""
        self.action_stop()


def made(plan: Plan) -> Driver:
    """The driver of a match at this terminal."""
    setup, tokens = plan.setup()
    return Local(setup, tokens)
