"""Owns what the screen of a match takes from its driver: frames, the state of the line, hints, analyses. Draws nothing itself."""

from __future__ import annotations

import asyncio

from muang.errors import MuangError
from muang.i18n import N_, translate
from muang.tui import panels
from muang.tui.driver import Advice
from muang.tui.session import Scene, clock
from muang.tui.stage import PULSE, StageScreen
from muang.tui.words import SPEEDS
from muang.wire.refusals import refusal
from muang.wire.told import CountdownFrame, ErrorFrame, EventFrame, NoticeFrame, PhraseFrame, ServerFrame, StateFrame, TableFrame

__all__ = ["TableScreen"]

LATE_SECONDS = 1.0
"""In a race, how long is waited for more that comes late before the list is asked for again."""


class TableScreen(StageScreen):
    """A match, live or out of a record."""

    async def on_mount(self) -> None:
        """Begin to listen."""
        self.set_interval(PULSE, self.pulse)
        if self.record is not None:
            self.session.take_state(self.record.state())
            self.theatre.reset(self.session.view)
            self.theatre.beginning = self.record.beginning
            self.theatre.scenes = list(self.record.scenes)
            for number, scene in enumerate(self.record.scenes, 1):
                self._list(number, scene)
            self.link = "open"
            self.theatre.look(0)
        elif self.driver is not None:
            self.words(translate(N_("One moment: everything is laid out …"), self.session.lang))
            asyncio.get_running_loop().call_soon(self._begin)

    def _begin(self) -> None:
        self.run_worker(self._start(), name="start", exit_on_error=False)

    async def _start(self) -> None:
        try:
            if self.driver is not None:
                self.hasten(self.theatre.speed)
                await self.driver.start(self)
        except MuangError as error:
            self.linked("closed", error.told)

    def hasten(self, speed: int) -> None:
        """Show everything at another of the speeds."""
        self.theatre.set_speed(speed)
        if self.driver is not None:
            self.driver.hasten(SPEEDS[self.theatre.speed][2])

    async def on_unmount(self) -> None:
        """However the screen goes, nothing of it stays."""
        await self.close()

    async def close(self) -> None:
        """Hang up and let nothing run on."""
        self.analysis.end()
        await self.theatre.close()
        if self.driver is not None:
            await self.driver.close()

    # ── what is told ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    def told(self, frame: ServerFrame) -> None:
        """A frame of the driver."""
        match frame:
            case StateFrame():
                if not self.knows:
                    self.knows, self.message = True, ""
                self.session.take_state(frame)
                self.theatre.reset(frame.match)
                self._fresh()
                self.run_worker(self.remember(0), name="told", exclusive=True, group="told")
            case EventFrame() if self.knows:  # before the first state it means nothing
                self._event(frame)
            case TableFrame():
                self.session.take_table(frame.table)
            case CountdownFrame():
                self.session.begins = clock() + frame.ms
            case NoticeFrame():
                self.words(self.session.tell(frame.say))
            case PhraseFrame():
                self.heard(frame)
            case ErrorFrame():
                self._refused(frame)
        self.changed()
        self.followed()

    def _event(self, frame: EventFrame) -> None:
        session, before = self.session, self.session.view
        live = session.racing or session.by_hand
        session.take_event(frame)
        entry = frame.entry
        kind = "" if entry is None else entry.kind
        say = list(frame.say)
        if kind == "takeback":
            say = [("A turn is taken back.", {})]
        if live and frame.events and all(event[1] == "void" for event in frame.events):
            say = []  # an act that turned out impossible changes nothing, and in a race nobody has time to hear of it
        if kind == "begin":
            self.theatre.reset(frame.match)
        elif frame.events or kind == "takeback" or frame.late:
            plain = kind == "takeback" or frame.late
            seat = None if entry is None else entry.seat
            self.theatre.push(Scene(before, frame.match, frame.events, say, seat, live, plain, frame.version))
            say = []
        elif not self.theatre.busy:
            self.theatre.shown = frame.match
        if say:
            self.words(session.tell(say))
        if frame.late:
            self.run_worker(self.remember(LATE_SECONDS), name="told", exclusive=True, group="told")
        self._fresh()

    async def remember(self, seconds: float) -> None:
        """Fill the list with what happened while this screen did not look, or what came late has made of it."""
        await asyncio.sleep(seconds)
        if self.driver is None:
            return
        try:
            version, told = await self.driver.told()
        except MuangError:
            return  # the list begins here, then
        later = [line for line in self.lines if line[2] > version]
        texts = [self.session.tell(say) for say in told if panels.worth_telling(say)]
        self.listed = max(self.listed, version)
        if texts or later:
            self.lines = [(0, text, version) for text in texts] + later
        self.changed()

    def _fresh(self) -> None:
        """The match has moved on: what was about the choice before is forgotten."""
        session = self.session
        hint = self.hint
        if hint is not None and (session.hint_seat() != hint.seat or hint.actions[0] not in session.legal(hint.seat)):
            self.hint = None
        self.move_at = 0
        if not session.horses:
            seat = next(iter(session.acting()), None)
            if seat is not None and (self.focus_on is None or self.focus_on[0] != seat):
                self.focus_on = next((name for name in session.legal(seat) if name[0] == seat), f"{seat}1")
        if self.analysing:
            self.analyse()

    def _refused(self, frame: ErrorFrame) -> None:
        raced = self.session.racing or clock() < self.session.calm_until
        if frame.code == "stale-version" or (raced and frame.code == "illegal-action"):
            return  # somebody was quicker, and everybody sees it
        lang = self.session.lang
        self.words(translate("That is not possible: {reason}", lang, reason=refusal(frame.code, frame.message, lang)))

    def heard(self, frame: PhraseFrame) -> None:
        """Somebody says something."""
        from muang.wire.phrases import PHRASES

        lang = self.session.lang
        phrase = translate(PHRASES.get(frame.phrase, frame.phrase), lang)
        self.words(translate("{seat} says: {phrase}", lang, seat=self.session.name(frame.seat), phrase=phrase))

    def linked(self, state: str, why: str) -> None:
        """The line is open, lost, or closed for good."""
        before, self.link, self.why = self.link, state, why
        lang = self.session.lang
        if state == "open" and before == "lost":
            self.words(translate("Connected", lang))
        elif state == "closed":
            gone = "This match has been deleted." if why == "deleted" else why or "This match is not on this server."
            self.words(translate(gone, lang))
        self.changed()

    def followed(self) -> None:
        """Go on to the match that was made for those who wanted to play again."""
        again = self.session.table.rematch
        if again is None or again.match is None or self.driver is None or not set(again.by) & set(self.session.mine()):
            return
        driver, self.driver = self.driver, None
        self.app.call_later(self.app.go_on, driver, again.match)  # type: ignore[attr-defined]  # ours, which imports this module

    def seen(self, scene: Scene) -> None:
        """A scene has been seen to its end: now it is told."""
        self.counted += 1
        self._list(self.counted, scene)
        if scene.say and self.record is None:
            self.message = ""  # the list tells it; what was said before is not new any more

    def _list(self, number: int, scene: Scene) -> None:
        if panels.worth_a_line(scene) and (self.record is not None or scene.version > self.listed):  # told already while it still moved
            self.lines.append((number, self.session.tell(scene.say), scene.version))
            del self.lines[:-3000]

    def words(self, text: str) -> None:
        """Say something below the board."""
        self.message = text
        self.changed()

    # ── analysis and hints ───────────────────────────────────────────────────────────────────────────────────────────────────

    def may_analyse(self) -> bool:
        """Whether an analysis would harm nobody: nobody plays from another screen, or this one only watches, or it is over."""
        return self.record is not None or self.session.over or not self.session.apart() or not self.session.mine()

    def analyse(self) -> None:
        """Look at the position that is shown."""
        if not self.may_analyse():
            self.analysing = False
            self.words(translate("There are no hints where people play from different screens.", self.session.lang))
            return
        record, driver, at = self.record, self.driver, self.theatre.at
        self.analysed = at
        if record is not None:
            self.analysis.start(lambda: asyncio.to_thread(record.match, at))
        elif driver is not None and not self.session.over:
            self.analysis.start(driver.match)
        else:
            self.analysis.end()

    def draw(self) -> None:
        """Everything; of a record what the view of that moment says. When another position is shown, that one is analysed."""
        if self.record is not None:
            at = self.theatre.at
            view = self.theatre.scenes[at - 1].after if at else self.record.first
            self.session.view, self.session.race_ms = dict(view), view.get("ms", 0)
        if self.record is not None and self.analysing and not self.theatre.busy and self.analysed != self.theatre.at:
            self.analyse()
        super().draw()

    async def advise(self) -> None:
        """Ask for a hint and show it."""
        lang, session, driver = self.session.lang, self.session, self.driver
        self.theatre.finish()
        if session.apart():
            self.words(translate("There are no hints where people play from different screens.", lang))
        elif driver is None or session.hint_seat() is None:
            self.words(translate("There is nothing to choose now.", lang))
        else:
            try:
                advice = await driver.advice()
            except MuangError:
                self.words(translate("There is no hint just now.", lang))
                return
            if session.hint_seat() == advice.seat and advice.actions[0] in session.legal(advice.seat):
                self.hint = advice
                self.words(self._advice(advice))

    def _advice(self, advice: Advice) -> str:
        session, lang = self.session, self.session.lang
        first, *rest = advice.actions
        if session.horses:
            moves = session.horse_moves()
            self.move_at = next((at for at, move in enumerate(moves) if move["action"] == first), self.move_at)
            told = panels.move_text(moves[self.move_at], advice.seat, session, self.theatre.board, self.look_of)
            text = translate("Hint: {move}.", lang, move=told)
        elif advice.share is not None:
            msgid = "Hint: {hole}, in {share} of 100 cases; where both choose at once, it is best not to be foreseen."
            text = translate(msgid, lang, hole=first, share=advice.share)
        elif rest:
            text = translate("Hint: {hole}, then {holes}.", lang, hole=first, holes=", ".join(rest[:4]))
        else:
            text = translate("Hint: {hole}.", lang, hole=first)
        return f"{text} {session.tell(advice.say)}"
