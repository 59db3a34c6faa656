"""Owns what keys and clicks mean on the screen of a match, live or out of a record. What is possible is read from the frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual import events

from muang import rulebook
from muang.games.core import Seat
from muang.i18n import N_, translate
from muang.records.rows import rows_of
from muang.tui import keys, menu, panels
from muang.tui.dialogs import Choose, Reading
from muang.tui.leaving import LeavingScreen
from muang.tui.session import clock
from muang.tui.theatre import USUAL
from muang.wire.log import seat_from_text

__all__ = ["MatchScreen"]

STILL_MS = 300
"""How long a hand has been still that does not race any more."""
ARROWS = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


class MatchScreen(LeavingScreen):
    """The screen of a match with its keys."""

    async def on_key(self, event: events.Key) -> None:
        """Every key: the hands first, then how things are shown."""
        key = event.key if event.character is None or not event.character.isprintable() or event.character == " " else event.character
        key = keys.latin(key, self.session.lang)
        now = clock()
        if self.small or self._hasty(key, now):
            event.stop()
            if self.small and self._action(key) == "quit":
                await self._do("quit", key)
            return  # what cannot be seen is not played
        at = event.time * 1000 if 0 <= now - event.time * 1000 < 1000 else now  # when it was pressed, where that is on the same clock
        if self.record is None and self.session.view and not self.theatre.looking and self._hands(key, at):
            event.stop()
            return
        action = self._action(key)
        if action is not None:
            event.stop()
            await self._do(action, key)

    def _action(self, key: str) -> str | None:
        where = "record" if self.record is not None else "horses" if self.session.view and self.session.horses else "sowing"
        shown = key.lower() if len(key) == 1 else key
        return next((one.action for one in keys.keys_for(where) if shown in one.keys), None)

    # ── hands ────────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def _hasty(self, key: str, now: float) -> bool:
        """Whether a key still belongs to a race that has just ended: hands do not stop at once, and would choose for either side."""
        session = self.session
        if now >= session.calm_until or key not in keys.HANDS or any("drop" in session.legal(seat) for seat in session.acting()):
            return False
        session.calm_until = max(session.calm_until, now + STILL_MS)
        return True

    def _hands(self, key: str, at: float) -> bool:
        """Choosing holes, dropping seeds, horses' moves. Whether the key has been used."""
        session = self.session
        if session.over or session.meeting:
            return False
        if session.horses:
            return self._ride(key)
        if session.racing and not session.running:
            if key in ("enter", "space"):
                self._ready()
                return True
            return False  # nothing is sown before the signal
        if session.by_hand and self.held.repeats(key, at):
            return True
        south = next(iter(session.acting()), None)
        if session.duel:
            if key in keys.NORTH_HOLES:
                self._hole("N", keys.NORTH_HOLES.index(key) + 1, at)
                return True
            if session.by_hand and key in keys.NORTH_DROPS + keys.NORTH_SLIPS:
                self._drop("N", "drop" if key in keys.NORTH_DROPS else "slip", at)
                return True
            south = "S"
        elif south is None and session.racing:
            south = next(iter(session.mine()), None)
        if south is None:
            return False
        if len(key) == 1 and key in "123456789":
            self._hole(south, int(key), at)
            return True
        if session.by_hand and key in keys.SOUTH_SLIPS:
            self._drop(south, "slip", at)
            return True
        if key in ("enter", "space"):
            self._act(south, at)
            return True
        return False

    def _ready(self) -> None:
        seat = next((one for one in self.session.mine() if one in self.session.awaiting), None)
        if seat is not None and self.driver is not None:
            self.driver.command(seat, "start")

    def _hole(self, seat: Seat, number: int, at: float) -> None:
        name = f"{seat}{number}"
        if self._sends(seat, name):
            self._play(seat, name, at)
        elif not self.session.racing and number <= len(self.session.view["board"][seat]):
            self._refuse(name)

    def _drop(self, seat: Seat, action: str, at: float) -> None:
        if self._sends(seat, action):
            self._play(seat, action, at)

    def _sends(self, seat: Seat, action: str) -> bool:
        """Whether an act is possible, or may be once those that are on their way have been told (MK-24: else it is void)."""
        legal = self.session.legal(seat)
        unknown = self.session.racing and self.driver is not None and self.driver.waits(seat)
        return action in legal or unknown

    def _act(self, seat: Seat, at: float) -> None:
        """The centre key: a seed if the hand holds any, else the hole with the focus."""
        legal = self.session.legal(seat)
        if "drop" in legal or (self.session.by_hand and self.session.racing and self.session.view["hands"].get(str(seat))):
            self._drop(seat, "drop", at)
        elif self.session.duel:
            return
        elif self.focus_on in legal and self.focus_on is not None:
            self._play(seat, self.focus_on, at)
        else:
            self._refuse(self.focus_on)

    def _play(self, seat: Seat, action: str, at: float) -> None:
        session, driver = self.session, self.driver
        if driver is None or (not session.by_hand and not session.racing and driver.waits(seat)):
            return
        self.theatre.finish()
        self.message = translate(N_("This is sent as soon as the server answers."), session.lang) if self.link == "lost" else ""
        secret = len(session.mine()) > 1 and session.view["phase"] == "race" and not session.racing
        if not secret and action not in ("drop", "slip"):
            self.focus_on = action
        driver.play(seat, action, session.version, at if session.racing else None)

    def _refuse(self, hole: str | None) -> None:
        """Say why nothing can be done."""
        session, lang = self.session, self.session.lang
        if not session.mine():
            self.words(translate("You are watching this match.", lang))
        elif not session.acting():
            self.words(translate("It is not your turn.", lang))
        elif hole:
            self.words(translate("{hole} cannot be played now.", lang, hole=hole))

    def _ride(self, key: str) -> bool:
        session = self.session
        moves = session.horse_moves() if session.view["phase"] == "move" and session.acting() else []
        step = {"right": 1, "down": 1, "left": -1, "up": -1}.get(key)
        if not moves or (step is None and key not in ("enter", "space") and not (len(key) == 1 and key in "123456789")):
            return False
        if self.theatre.busy:
            self.theatre.finish()  # what has been rolled is seen before anything is moved
        elif step is not None:
            self.move_at = (self.move_at + step) % len(moves)
        elif key in ("enter", "space"):
            seat = session.view["turn"]
            if self.driver is not None and not self.driver.waits(seat):
                self.driver.play(seat, moves[min(self.move_at, len(moves) - 1)]["action"], session.version, None)
        elif int(key) <= len(moves):
            self.move_at = int(key) - 1
        self.changed()
        return True

    def touched(self, name: str) -> None:
        """A click on a hole chooses it; on one's own full hand it drops."""
        if self.record is not None or not self.session.view or self.theatre.looking or self.session.meeting or self.session.over:
            return
        seat, now = name[0], clock()
        if self.session.racing and not self.session.running:
            self._ready()
        elif seat in self.session.mine() and name in self.session.legal(seat):
            self._play(seat, name, now)
        else:
            hand = next((one for one in self.session.acting() if "drop" in self.session.legal(one)), None)
            if hand is not None:
                self._drop(hand, "drop", now)
            else:
                self._refuse(name)

    # ── how things are shown ─────────────────────────────────────────────────────────────────────────────────────────────────

    async def _do(self, action: str, key: str) -> None:
        theatre = self.theatre
        simple: dict[str, Callable[[], Any]] = {
            "slower": lambda: self.hasten(theatre.speed - 1),
            "faster": lambda: self.hasten(theatre.speed + 1),
            "usual": lambda: self.hasten(USUAL),
            "skip": self._skip,
            "pause": lambda: theatre.pause() if theatre.busy or theatre.paused else None,
            "replay": theatre.again,
            "earlier": lambda: self._earlier(1),
            "later": lambda: self._later(1),
            "earlier_turn": lambda: theatre.look(theatre.at - 10),
            "later_turn": lambda: theatre.look(theatre.at + 10),
            "first": lambda: theatre.look(0),
            "last": lambda: theatre.look(len(theatre.scenes)),
            "run": theatre.run_on,
            "path": lambda: setattr(self, "path", not self.path),
            "flip": lambda: setattr(self, "flipped", not self.flipped),
            "arrow": lambda: self._arrow(key),
            "hint": lambda: self.run_worker(self._hint(), name="hint", exclusive=True, group="hint"),
            "analysis": self._toggle_analysis,
            "yes": lambda: self._answer(True),
            "no": lambda: self._answer(False),
            "menu": lambda: self.app.run_worker(self._menu(), name="menu", exclusive=True, group="menu"),
            "help": self.help,
            "look": lambda: self.app.action_look(),  # type: ignore[attr-defined]
            "quit": lambda: self.app.run_worker(self.leave(), name="leave", exclusive=True, group="menu"),
        }
        if action in simple:
            simple[action]()
        self.changed()

    def _skip(self) -> None:
        if self.analysing and self.analysis.running:
            self.analysis.end()
        elif self.record is None:
            self.theatre.finish()
        elif self.theatre.busy:
            self.theatre.look(self.theatre.at + 1)

    def _earlier(self, steps: int) -> None:
        """One step back; while a match goes on, to before the last thing that was worth a sentence."""
        theatre = self.theatre
        if self.record is None and not theatre.looking:
            theatre.finish()  # what still moves has happened: one step back is to before it
        at = theatre.at - steps
        if self.record is None:
            while at > 0 and not panels.worth_a_line(theatre.scenes[at]):
                at -= 1
        theatre.look(at)

    def _later(self, steps: int) -> None:
        theatre = self.theatre
        if not theatre.looking:
            return
        if self.record is None:
            at = theatre.at + steps
            while at < len(theatre.scenes) and not panels.worth_a_line(theatre.scenes[at - 1]):
                at += 1
            if at >= len(theatre.scenes):
                theatre.to_now()
            else:
                theatre.look(at)
        elif theatre.busy:
            theatre.look(theatre.at + 1)
        else:
            theatre.look_on()

    def _arrow(self, key: str) -> None:
        """Go to the next hole in that direction, round the edges."""
        session = self.session
        if not session.view or session.horses:
            return
        rows = rows_of(session.view, self.flipped)
        spots = {name: (x, y) for y, row in enumerate(rows) for x, name in enumerate(row)}
        x, y = spots.get(self.focus_on or "", (0, len(rows) - 1))
        right, down = ARROWS[key]
        y = (y + down) % len(rows)
        self.focus_on = rows[y][(x + right) % len(rows[y])]

    async def _hint(self) -> None:
        if self.record is not None:
            if not self.analysing:
                self._toggle_analysis()
            return
        await self.advise()

    def _toggle_analysis(self) -> None:
        if self.analysing:
            self.analysis.end()
        self.analysing = not self.analysing
        if self.analysing:
            self.analyse()

    def _answer(self, accept: bool) -> None:
        """Say yes or no to an open offer."""
        offer, mine = self.session.offer, self.session.mine()
        if offer is None or self.driver is None or not mine:
            return
        own = offer["seat"] in mine
        if not accept:
            self.driver.command(mine[0], "decline")
        elif not own:
            self.driver.command(mine[0], f"{offer['about']}-accept")

    def help(self) -> None:
        """Every key, and whose they are in a race."""
        lang = self.session.lang
        where = "record" if self.record is not None else "horses" if self.session.view and self.session.horses else "sowing"
        self.app.push_screen(Reading(translate("Keys and help", lang), panels.help_text(where, lang, self.look_of)))

    # ── the table ────────────────────────────────────────────────────────────────────────────────────────────────────────────

    async def _menu(self) -> None:
        lang = self.session.lang
        local = self.driver is not None and self.driver.local
        choices = menu.entries(self.session, local, self.record is not None)
        chosen = await self.app.push_screen_wait(Choose(translate("Menu", lang), choices))
        if chosen is None:
            return
        name, _, about = chosen.partition(":")
        if name == "save":
            await self.save()
        elif name == "rules":
            game = str(self.session.view["game"])
            self.app.push_screen(Reading(rulebook.load(game).title(lang), rulebook.plain(game, lang, 66)))
        elif name == "new":
            await self.leave(to_start=True)
        elif name == "leave":
            await self.leave()
        elif name == "say":
            phrase = await self.app.push_screen_wait(Choose(translate("Say something", lang), menu.phrases(lang)))
            if phrase is not None and self.driver is not None and self.session.mine():
                self.driver.say(self.session.mine()[0], phrase)
        elif await self._sure(name):
            self._order(name, seat_from_text(about) if about else None)

    async def _sure(self, name: str) -> bool:
        """What cannot be taken back is asked twice."""
        lang, session = self.session.lang, self.session
        if name == "resign":
            title = translate("Leave the match?" if session.horses else "Resign the match?", lang)
            yes = translate("Yes, I do", lang)
        elif name == "draw" and len(session.mine()) > 1:
            title, yes = translate("Do both of you agree on a draw?", lang), translate("Yes, a draw", lang)
        else:
            return True
        no = translate("No, go on", lang)
        return await self.app.push_screen_wait(Choose(title, [("no", no), ("yes", yes)])) == "yes"

    def _order(self, name: str, about: Seat | None) -> None:
        session, driver = self.session, self.driver
        mine = session.mine()
        if driver is None:
            return
        self.theatre.finish()
        if name == "again":
            for seat in mine:
                driver.command(seat, "rematch")
        elif name in ("resign", "return") and about is not None:
            driver.command(about, name)
        elif mine and name in ("sit-in", "claim"):
            driver.command(mine[0], name, about)
        elif mine and name == "fill":
            driver.command(mine[0], name, about, menu.SITS_DOWN)
        elif mine:
            # of two at one keyboard, whoever has chosen last takes it back
            last = next((scene.seat for scene in reversed(self.theatre.scenes) if scene.seat in mine), None)
            driver.command(mine[0] if last is None else last, name)
