"""Owns the texts around the board: bar, strips, the card before a race, moves, result, analysis, help.

Lines with columns hold no words of a language, or only at their end; everything else flows freely.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from muang import rulebook
from muang.games.core import Seat
from muang.i18n import N_, translate
from muang.records.lines import by_turn, said_first, value_phrase
from muang.records.words import render
from muang.search.limits import Line
from muang.tui import words
from muang.tui.analysis import Analysis
from muang.tui.fold import Board
from muang.tui.keys import NORTH_DROPS, NORTH_HOLES, keys_for
from muang.tui.paint import Style
from muang.tui.session import Said, Scene, Session, clock
from muang.tui.track import horse_of

__all__ = [
    "Wrap",
    "analysis_lines",
    "bar",
    "figure",
    "help_text",
    "move_text",
    "race_card",
    "result_lines",
    "strip",
    "worth_a_line",
    "worth_telling",
]

ONE_SEED = "{seat} drops a seed into {hole}."
"""Said of every single seed in turns by hand: worth a word when it happens, not a line afterwards."""


class Wrap:
    """Breaks texts into lines of a width."""

    def __init__(self) -> None:
        self.console = Console(width=80, file=None, no_color=True, legacy_windows=False)

    def lines(self, texts: Iterable[Text], width: int) -> list[Text]:
        """Every text as as many lines as it needs."""
        return [line for text in texts for line in text.wrap(self.console, max(10, width))]


def worth_a_line(scene: Scene) -> bool:
    """Whether a scene stands in the list of what happened."""
    return worth_telling(scene.say)


def worth_telling(say: Said) -> bool:
    """Whether sentences stand in it."""
    return any(msgid != ONE_SEED for msgid, _ in say)


def bar(session: Session, speed: int, paused: bool, lost: bool) -> str:
    """What is played, by which rules, how far it has come, how fast it is shown."""
    view, lang = session.view, session.lang
    book = rulebook.load(view["game"])
    parts = [book.title(lang), book.rulesets[view["ruleset"]].title(lang)]
    if not session.horses:
        if view["options"]["race"] != "none" or view["pace"] == "by_hand":
            parts.append(words.pace_name(view["pace"], lang))
        rounds = view["options"].get("rounds")
        if isinstance(rounds, int):
            parts.append(translate("Round {round} of {all}", lang, round=view["round"], all=rounds))
        else:
            parts.append(translate("Round {round}", lang, round=view["round"]))
        parts.append(translate({"race": "race", "turn": "turns"}.get(view["phase"], "over"), lang))
    if session.racing and (session.running or session.race_ms):
        parts.append(words.clock_text(session.race_time(), tenths=True))
    parts.append(translate("Pause", lang) if paused else translate("Speed: {speed}", lang, speed=translate(words.SPEEDS[speed][1], lang)))
    if lost:
        parts.insert(0, f"! {translate('Not connected', lang)}")
    return " · ".join(parts)


def strip(session: Session, seat: Seat, board: Board, style: Style, width: int) -> Text:
    """A player: the figures first, in columns, then who it is and what is to be done. If room is short, less about the computer."""
    whole = _strip(session, seat, board, style, session.aside(seat))
    if whole.cell_len <= width:
        return whole
    short = _strip(session, seat, board, style, session.aside(seat, short=True))
    return short if short.cell_len <= width else _strip(session, seat, board, style, "")


def _strip(session: Session, seat: Seat, board: Board, style: Style, aside: str) -> Text:
    text = Text(no_wrap=True, end="", overflow="ellipsis")
    if session.horses:
        home = sum(1 for place in board.horses.get(str(seat), ()) if place in ("slot3", "slot4"))
        text.append(f"{words.sign(seat, style.plain)} {words.LETTERS[str(seat)]} {home}/2 ", style.colour(str(seat), "bold"))
    else:
        seeds = board.counts.get(f"{seat}H") or 0
        text.append(f"{words.sign(seat, style.plain)} {seat}H {seeds:>3}  ", style.colour(str(seat), "bold"))
    standing = session.standing(seat)
    ours = session.name(seat)
    text.append(ours, "bold" if standing else "")
    parts = [standing, turn_clock(session, seat), away(session, seat), aside]
    if seat in session.exact:
        parts.append(translate("plays exactly", session.lang))
    for part in parts:
        if part:
            text.append(f" · {part}", "bold" if part == standing else "")
    return text


def turn_clock(session: Session, seat: Seat) -> str:
    """What is left to a seat: on its clock of turns, or for this choice (MK-26, CN-42)."""
    clocks, now = session.table.clocks, clock()
    if clocks is not None and str(seat) in clocks.left:
        left = float(clocks.left[str(seat)])
        if clocks.running == seat and clocks.since is not None:
            left -= max(0.0, session.table.now + (now - session.table_at) - clocks.since)
        return words.clock_text(left)
    if str(seat) in session.limits:
        left = max(0.0, session.limits[str(seat)] - now)
        return translate("{count} s", session.lang, count=round(left / 1000))
    return ""


def away(session: Session, seat: Seat) -> str:
    """For how long a seat without a screen is waited for."""
    left = session.table.away.get(str(seat))
    if left is None:
        return ""
    seconds = max(0, round((left - (clock() - session.table_at)) / 1000))
    return translate("away, {time}", session.lang, time=translate("{count} s", session.lang, count=seconds))


def race_card(session: Session) -> list[Text]:
    """What surrounds a race before it begins: how it goes, whose keys are which, who is ready."""
    view, lang = session.view, session.lang
    title = translate("Round {round}: the race", lang, round=view["round"]) if view["round"] > 1 else translate("The race", lang)
    choosing = view["game"] == "mak-khum"
    if choosing:
        how = translate("Both of you sow at the same time on the one board.", lang)
    else:
        how = translate("Both hands lift their leftmost hole at the signal and sow at the same time. Whoever dies first moves first.", lang)
    mine = session.mine()
    lines = [Text(title, "bold"), Text(how + (f" {words.pace_help(view['pace'], lang)}" if mine else "")), Text()]
    for seat in mine:
        north = seat == "N" and session.duel
        parts = []
        if choosing:
            holes = len(view["board"]["S"])
            parts.append(f"{translate('Holes', lang)} {' '.join(NORTH_HOLES[:holes].upper()) if north else f'1–{min(9, holes)}'}")
        if view["pace"] == "by_hand":
            enter = f"{translate('Space', lang)} {translate('Enter', lang)}"
            parts.append(f"{translate('Drop', lang)} {' '.join(NORTH_DROPS.upper()) if north else enter}")
            if choosing and view["round"] > 1:
                slips = f"{translate('Shift', lang)} + {' '.join(NORTH_DROPS.upper())}" if north else "0"
                parts.append(f"{translate('Slip', lang)} {slips}")
        if parts:
            lines.append(Text(f"{session.name(seat)}: {' · '.join(parts)}"))
    lines.append(Text())
    if any(seat in session.awaiting for seat in mine):
        lines.append(Text(translate(N_("Ready? Press Space."), lang), "bold reverse"))
    others = [session.name(seat) for seat in session.awaiting if seat not in mine]
    if others:
        lines.append(Text(translate("Waiting for {seat}", lang, seat=", ".join(others))))
    return lines


def move_text(move: dict[str, Any], seat: Seat, session: Session, board: Board, style: Style) -> str:
    """A horse's move: which horse, from where to where, whom it kicks (CN-40)."""
    lang = session.lang
    if move["action"] == "pass":
        return translate("Pass", lang)
    told = f"{horse_of(board, str(seat), move['from'])}: {_place(move['from'], lang)} {style.signs['arrow']} {_place(move['to'], lang)}"
    if move["kicks"] is not None:
        told += ", " + translate("kicks {other}", lang, other=session.name(move["kicks"]))
    return told


def _place(place: Any, lang: str) -> str:
    if place == "stable":
        return translate("stable", lang)
    return translate("slot {slot}", lang, slot=str(place)[4:]) if str(place).startswith("slot") else str(place)


def result_lines(session: Session, most: int) -> list[Text]:
    """How it ended, in words and figures: the last rounds, so many."""
    view, lang = session.view, session.lang
    result = view["result"]
    if result is None:
        return []
    reason = words.reason_name(result, lang)
    if result["winner"] is None:
        head = translate("Drawn: {reason}", lang, reason=reason)
    else:
        head = translate("{seat} has won: {reason}", lang, seat=session.name(result["winner"]), reason=reason)
    lines = [Text(head, "bold reverse")]
    rounds = list(view.get("rounds", ()))
    if len(rounds) > most:
        lines.append(Text("…"))
    for one in rounds[-most:]:
        seeds = one["seeds"]
        figures = " : ".join(f"{session.name(seat)} {seeds[seat]}" for seat in ("S", "N"))
        lines.append(Text(f"{translate('Round {round}', lang, round=one['round'])}  {figures}"))
    return lines


def help_text(where: str, lang: str, style: Style) -> str:
    """Every key of a screen: ``sowing``, ``horses`` or ``record``; the signs on the board."""
    rows = [f"{key.shown:<12} {translate(key.text, lang)}" for key in keys_for(where) if key.text]
    if where == "sowing":
        holes, drops = " ".join(NORTH_HOLES.upper()), " ".join(NORTH_DROPS.upper())
        two = N_("Two who race on one keyboard: South has the keys above, North these for holes, drops and slips:")
        notes = N_("In the holes: {lifted}7 seven seeds were lifted, {taken}5 five were captured, {end} the walk ended, {widow} a widow.")
        told = {name: style.signs[name] for name in ("lifted", "taken", "end", "widow")}
        rows += ["", translate(two, lang), f"{holes} · {drops} · Shift {drops}", "", translate(notes, lang, **told)]
    return "\n".join(rows)


# ── analysis ─────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def figure(line: Line, unit: str) -> str:
    """A value as `muang analyse` shows it: ``≥`` and ``≤`` for bounds, ``=`` where it is exact."""
    sign = {"lower": ">=", "upper": "<="}.get(line.bound, "")
    if unit == "chance":
        value = f"{100 * line.value:.1f} %"
    else:
        value = f"{round(line.value):+d}" if abs(line.value - round(line.value)) < 1e-9 else f"{line.value:+.1f}"
    return f"{sign}{value}{' =' if line.exact and not sign else ''}"


def analysis_lines(analysis: Analysis, session: Session, style: Style, wrap: Wrap, width: int) -> list[Text]:
    """The value, the best lines, one row each, what the best one does; while the search runs what it knows so far."""
    lang, called = session.lang, session.called()
    info, match, running = analysis.info, analysis.match, analysis.running
    told = "" if info is None else translate(N_("depth {depth}, {nodes} positions"), lang, depth=info.depth, nodes=f"{info.nodes:,}")
    told += f", {info.table}" if info is not None and info.table else ""
    lines = [Text(f"{translate(N_('Analysis'), lang)}  {told} {'…' if running else ''}", "bold")]
    if analysis.problem:
        return [*lines, Text(analysis.problem)]
    if info is None or match is None or not info.lines:
        return lines
    best = info.lines[0]
    lines += wrap.lines([Text(render([value_phrase(info.seat, info.unit, best.value, best.exact, best.bound)], lang, called))], width)
    for number, line in enumerate(info.lines[:3], 1):
        if not line.action:
            lines.append(Text(translate("The roll is due: nothing is to be chosen before it.", lang)))
            continue
        turns = [", ".join(_arrow(action, style) for action in actions) for _, actions in by_turn(line.actions)]
        share = f" ({100 * info.mix.get(line.action, 0):.0f} %)" if info.mix else ""
        text = Text(f"{number} {figure(line, info.unit):>8}  {turns[0]}{share}{_then(line.actions, turns[1:], session)}")
        text.truncate(width, overflow="ellipsis")
        lines.append(text)
    if best.actions and not running:
        said = render(said_first(match, best.actions), lang, called)
        lines += wrap.lines([Text(translate("Best: {line}", lang, line=said))] if said else [], width)
    return lines


def _then(actions: Sequence[tuple[Seat, str]], turns: Sequence[str], session: Session) -> str:
    seats = [seat for seat, _ in by_turn(actions)][1:]
    return "".join(f" · {words.LETTERS[str(seat)]} {one}" for seat, one in zip(seats[:3], turns[:3], strict=False))


def _arrow(action: str, style: Style) -> str:
    return action.replace("-", style.signs["arrow"], 1)
