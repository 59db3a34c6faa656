"""Owns how the screen of a match is laid out and drawn. Decides nothing: ``table`` takes frames, ``match`` takes keys."""

from __future__ import annotations

from typing import Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Static

from muang.i18n import N_, translate
from muang.tui import keys, panels, track
from muang.tui.analysis import Analysis
from muang.tui.boards import Look, draw_sowing, size_of
from muang.tui.driver import Advice, Driver
from muang.tui.paint import Sheet, Style
from muang.tui.replay import Replay
from muang.tui.session import STEPS, Scene, Session, clock
from muang.tui.theatre import Theatre

__all__ = ["LEAST", "BoardView", "StageScreen"]

LEAST = (80, 24)
"""The smallest terminal in which everything can be read."""
SIDE = 30
"""The narrowest panel beside a board, in columns."""
BELOW = 6
"""The lowest one below it, in lines."""
EDGES = 2
"""Lines above and below: the bar, the keys."""
WORDS = (2, 4)
"""Lines of words, at least and at most."""
RESULT_ROUNDS = 3
"""The last rounds of a match that are always told, and lines that are left for what happened."""
GO_MS = 700
PULSE = 0.1


class BoardView(Static):
    """The board; a click on a place is told to the screen."""

    def __init__(self) -> None:
        super().__init__(id="board")
        self.sheet = Sheet(1, 1)

    def on_click(self, event: events.Click) -> None:
        """A hole has been touched."""
        name = self.sheet.at(event.x, event.y)
        screen = self.screen
        if name is not None and isinstance(screen, StageScreen):
            screen.touched(name)


class StageScreen(Screen[None]):
    """The board and everything around it. Nothing on it takes the focus: every key comes to the screen."""

    def __init__(self, driver: Driver | None, replay: Replay | None = None, style: Style | None = None, **asked: Any) -> None:
        super().__init__()
        self.driver, self.record = driver, replay
        self.look_of: Style = style or Style(True, {})
        self.session = Session(asked.get("lang", "en"))
        self.theatre = Theatre(self.changed, self.seen, asked.get("speed", 1), asked.get("motion", True))
        self.analysis = Analysis(self.changed)
        self.analysing = False
        self.analysed = -1
        """Of a record: how many scenes lie before the position that is analysed."""
        self.focus_on: str | None = None
        self.move_at = 0
        self.hint: Advice | None = None
        self.path = self.flipped = False
        self.message = ""
        self.link, self.why = "opening", ""
        self.knows = False
        """Whether the whole match has been told."""
        self.lines: list[tuple[int, str, int]] = []
        """What happened: the number of scenes up to it, the sentence, the version of the match."""
        self.counted = 0
        self.listed = -1
        """The version up to which the driver has told what stands in the list."""
        """Scenes that have been seen, with those that are not kept any more."""
        self.go_until = 0.0
        self.wrap = panels.Wrap()
        self.held = keys.Held()
        self.dirty = self.small = False
        self.shown: dict[str, Text | str] = {}

    def compose(self) -> ComposeResult:
        """The bar, strips and board, the panel, two lines of words, the keys."""
        yield Static(id="bar", markup=False)
        with Container(id="main"):
            with Vertical(id="left"):
                yield Static(id="far", markup=False)
                yield BoardView()
                yield Static(id="near", markup=False)
            yield Static(id="panel", markup=False)
        yield Static(id="words", markup=False)
        yield Static(id="foot", markup=False)
        yield Static(id="small", markup=False)

    def touched(self, name: str) -> None:
        """A place on the board has been clicked."""

    def seen(self, scene: Scene) -> None:
        """A scene has been seen to its end."""

    # ── drawing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def changed(self) -> None:
        """Something is to be drawn anew, as soon as the loop has time."""
        if not self.dirty and self.is_mounted:
            self.dirty = True
            self.call_later(self.draw)

    def pulse(self) -> None:
        """Time goes on: the signal, clocks, countdowns."""
        session = self.session
        if session.view and session.go(clock()):
            self.go_until = clock() + GO_MS
        if session.begins is not None or session.running or session.table.clocks or session.limits or session.table.away or self.go_until:
            if clock() >= self.go_until:
                self.go_until = 0.0
            self.changed()

    def on_resize(self) -> None:
        """Another size."""
        self.changed()

    def draw(self) -> None:
        """Everything, as it stands."""
        self.dirty = False
        if not self.is_mounted or not self.query("#small"):
            return
        width, height = self.size
        small = width < LEAST[0] or height < LEAST[1]
        if small != self.small:
            self.small = small
            self.query_one("#small").display = small
            for name in ("bar", "main", "words", "foot"):
                self.query_one(f"#{name}").display = not small
        session = self.session
        if small:
            msgid = N_("The terminal has {width} × {height} cells; {least} are needed. Please make it larger.")
            self.put("small", translate(msgid, session.lang, width=width, height=height, least=f"{LEAST[0]} × {LEAST[1]}"))
            return
        words = self._words()
        self.put("words", Text("\n", no_wrap=True, end="").join(words))
        self.put("foot", self._foot())
        if not session.view:
            return
        told = max(WORDS[0], len(words))
        self.query_one("#words").styles.height = told
        self.put("bar", panels.bar(session, self.theatre.speed, self.theatre.paused, self.link == "lost"))
        room = self._board(width, height - EDGES - told)
        self._panel(*room)

    def put(self, name: str, content: Text | str) -> None:
        """Show something, if it is another thing than what is shown: in a race this is asked many times a second."""
        if self.shown.get(name) != content:
            self.shown[name] = content
            self.query_one(f"#{name}", Static).update(content, layout=False)

    def _board(self, width: int, high: int) -> tuple[int, int]:
        """Draw the board and its strips; gives the width and height of the panel that is left."""
        session, theatre = self.session, self.theatre
        view = session.view if self.record is not None else theatre.shown or session.view
        if session.horses:
            sheet = track.draw_horses(view, theatre.board, self._pointer(), self.look_of, width - SIDE - 1, high)
            beside = True
        else:
            beside = size_of(view, width - SIDE - 1, high - 2)[0] <= width - SIDE - 1 and view["game"] != "mak-khum"
            across, down = (width - SIDE - 1, high - 2) if beside else (width, high - 2 - BELOW)
            sheet = draw_sowing(view, theatre.board, self._look(), self.look_of, across, down)
        self._room(sheet, beside)
        if not session.horses:
            above, below = ("S", "N") if self.flipped else ("N", "S")
            room = (sheet.width if beside else width) - 1
            self.put("far", panels.strip(session, above, theatre.board, self.look_of, room))
            self.put("near", panels.strip(session, below, theatre.board, self.look_of, room))
        return (width - sheet.width - 1, high) if beside else (width, high - sheet.height - 2)

    def _room(self, sheet: Sheet, beside: bool) -> None:
        """Show the board; give it its room if that is another one than before."""
        board = self.query_one(BoardView)
        fits = (sheet.width, sheet.height) == (board.sheet.width, board.sheet.height)
        board.sheet = sheet
        text = sheet.text()
        if fits:
            self.put("board", text)
            return
        self.shown["board"] = text
        board.update(text)
        self.query_one("#main").set_class(beside, "beside")
        left = self.query_one("#left")
        left.styles.width = sheet.width if beside else "1fr"
        left.styles.height = "1fr" if beside else sheet.height + 2
        for name in ("far", "near"):
            self.query_one(f"#{name}").display = not self.session.horses

    def _look(self) -> Look:
        session = self.session
        acting = session.acting()
        playable = [name for seat in acting for name in session.legal(seat)] if not self.theatre.looking else []
        holes = any(action not in STEPS for action in playable)
        focus = self.focus_on if holes and not session.duel else None
        hint = self.hint.actions[0] if self.hint and not session.horses else None
        return Look(focus, playable, hint, self._path() if self.path else {}, self.flipped)

    def _path(self) -> dict[str, int]:
        """The places on which the seeds of the hole with the focus would fall, by number; nothing is said of what they do there."""
        session = self.session
        seat = next(iter(session.acting()), None) or session.view["turn"] or "S"
        way = session.layout.get("paths", {}).get(seat, [])
        counts = self.theatre.board.counts
        start = self.focus_on if self.focus_on in way and self.focus_on and self.focus_on[0] == seat else None
        if start is None:
            return {place: number for number, place in enumerate(way, 1)}
        at, seeds = way.index(start), counts.get(start) or 0
        open_places = [place for place in way[at + 1 :] + way[: at + 1] if counts.get(place, 0) is not None]
        return {place: number for number, place in enumerate(open_places[:seeds], 1)}

    def _pointer(self) -> track.Pointer | None:
        session = self.session
        if session.view["phase"] != "move" or self.theatre.busy or self.theatre.looking or not session.acting():
            return None
        moves = session.horse_moves()
        if not moves:
            return None
        move = moves[min(self.move_at, len(moves) - 1)]
        return track.Pointer(str(session.view["turn"]), move["from"], move["to"], move["kicks"])

    def _panel(self, width: int, height: int) -> None:
        session, theatre = self.session, self.theatre
        parts: list[Text] = []
        if session.horses:
            fresh = session.view["phase"] == "move"
            if theatre.board.dice is not None:
                parts += track.dice_text(theatre.board.dice, self.look_of, fresh).split("\n")
            parts += [panels.strip(session, info.seat, theatre.board, self.look_of, width - 1) for info in session.seats]
        lines = self.wrap.lines(parts, width - 1)
        if session.horses and self._pointer() is not None:
            seat = session.view["turn"]
            for at, move in enumerate(session.horse_moves()):
                text = panels.move_text(move, seat, session, theatre.board, self.look_of)
                here = self.look_of.signs["here"] if at == self.move_at else " "
                lines += self.wrap.lines([Text(f"{here} {at + 1} {text}", "bold" if at == self.move_at else "")], width - 1)
        if session.waits_to_race:
            lines += self.wrap.lines(panels.race_card(session), width - 1)
        if session.over and not theatre.busy and (self.record is not None or not theatre.looking):
            rounds = RESULT_ROUNDS if self.analysing else max(RESULT_ROUNDS, height - len(lines) - RESULT_ROUNDS)
            lines += self.wrap.lines(panels.result_lines(session, rounds), width - 1)
        if self.analysing:
            lines += panels.analysis_lines(self.analysis, session, self.look_of, self.wrap, width - 1)
        lines = lines[:height]
        lines += self._happened(width - 1, height - len(lines))
        self.put("panel", Text("\n", no_wrap=True, end="").join(lines))

    def _happened(self, width: int, height: int) -> list[Text]:
        """The end of the list of what happened, as much as there is room for; of the past what was known then."""
        if height < 1 or not self.lines:
            return []
        at = self.theatre.at + max(0, self.counted - len(self.theatre.scenes))
        told = [line for line in self.lines if not self.theatre.looking or line[0] <= at]
        found: list[Text] = []
        for index, (_, text, _) in enumerate(reversed(told[-height:])):
            found = self.wrap.lines([Text(text, "" if index == 0 else self.look_of.colour("dim"))], width) + found
            if len(found) >= height:
                break
        return found[-height:]

    def _words(self) -> list[Text]:
        """What is asked of the players now, then what was said last."""
        prompt = self._prompt()
        lines = [Text(prompt, "bold reverse" if self._urgent() else "bold")] if prompt else []
        lines += self.wrap.lines([Text(self.message)], self.size.width - 2)
        return lines[: WORDS[1]]

    def _urgent(self) -> bool:
        session = self.session
        return self.link == "lost" or bool(session.view and (session.offer is not None or session.begins is not None or self.go_until))

    def _prompt(self) -> str:
        session, lang, theatre = self.session, self.session.lang, self.theatre
        if self.link == "lost":
            return f"{translate('The server does not answer. Is it still running?', lang)} {translate('Reconnecting …', lang)}"
        if not session.view or self.link == "closed":
            return ""
        if self.record is not None:
            return translate("{count} of {all}", lang, count=theatre.at, all=len(theatre.scenes))
        if self.go_until:
            return translate("Go!", lang)
        if session.begins is not None and session.racing:
            return str(max(1, -int(-(session.begins - clock()) // 1000)))
        if session.offer is not None and not session.over:
            return self._offer(session.offer)
        if session.meeting:
            return translate("The match begins when everybody is here.", lang)
        if theatre.looking and not theatre.busy:
            back = translate("Looking back: {number} of {all}", lang, number=theatre.at, all=len(theatre.scenes))
            return f"{back}  (Esc: {translate('Back to now', lang)})"
        return "" if session.racing or theatre.busy else self._choice()

    def _offer(self, offer: dict[str, Any]) -> str:
        session, lang = self.session, self.session.lang
        asked = "{seat} offers a draw." if offer["about"] == "draw" else "{seat} asks to take back a turn."
        told = translate(asked, lang, seat=session.name(offer["seat"]))
        if not session.mine():
            return told
        if offer["seat"] in session.mine():
            return f"{told} N: {translate('Withdraw', lang)}"
        return f"{told} Y: {translate('Accept', lang)} · N: {translate('Decline', lang)}"

    def _choice(self) -> str:
        """What the player at this keyboard has to choose from."""
        session, lang = self.session, self.session.lang
        seat = next(iter(session.acting()), None)
        if seat is None or session.over:
            return ""
        name = session.name(seat)
        if session.horses:
            return translate("{seat}, choose a move (1 to {count}):", lang, seat=name, count=len(session.horse_moves()))
        holes = [action for action in session.legal(seat) if action not in STEPS]
        if holes:
            return translate("{seat}, choose: {holes}", lang, seat=name, holes=" ".join(holes))
        return f"{name}: {translate('Drop', lang)} ({translate('Space', lang)})"

    def _foot(self) -> Text:
        where = "record" if self.record is not None else "horses" if self.session.view and self.session.horses else "sowing"
        taken = keys.NORTH_HOLES + keys.NORTH_DROPS if self.session.view and self.session.duel and self.session.running else ""
        parts = []
        for key in keys.keys_for(where):
            if key.foot and not any(one in taken for one in key.keys if len(one) == 1):
                parts.append(f"{key.shown} {translate(key.foot, self.session.lang)}")
        if taken:
            parts.append(f"Ctrl-C {translate('Leave', self.session.lang)}")
        told = Text("  ".join(parts), no_wrap=True, overflow="ellipsis")
        room = self.size.width - 2
        return told if told.cell_len <= room else Text(" ".join(parts), no_wrap=True, overflow="ellipsis")
