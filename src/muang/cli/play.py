"""Owns ``muang play``: a match in the terminal, each seat a person or a computer, races at ``lockstep``. The words are ``records.words``'.

Where two people at one terminal have to choose at once, what they type is not shown (MK-24).
"""

from __future__ import annotations

import datetime
import secrets
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from muang.cli.board import draw, seat_name
from muang.cli.common import GameName, Lang, OptionPairs, Ruleset, WrongUse, build_game, choose_language
from muang.errors import RulesError
from muang.games.core import Match, Seat
from muang.games.core import position as read_position
from muang.i18n import N_, translate

__all__ = ["Table", "play"]

PERSON = "person"


def play(
    name: GameName,
    players: Annotated[str, typer.Option(metavar="KINDS", help="person, level-1 to level-8, random or greedy; with commas.")] = "",
    ruleset: Ruleset = None,
    option: OptionPairs = None,
    seats: Annotated[str, typer.Option(metavar="SEATS", help="Cờ cá ngựa: who sits where, for example 0,1,2.")] = "",
    names: Annotated[str, typer.Option(metavar="NAMES", help="The players' names, in the order of the seats, with commas.")] = "",
    first: Annotated[str, typer.Option(metavar="SEAT", help="Who is first; drawn by lot if left out.")] = "",
    seed: Annotated[int | None, typer.Option(min=0, max=(1 << 64) - 1, help="Decides every lot; a fresh one if left out.")] = None,
    position: Annotated[str, typer.Option(metavar="LINE", help="Begin from this position.")] = "",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the record there, also of a match that is broken off.")] = None,
    ascii_only: Annotated[bool, typer.Option("--ascii", help="Draw with plain letters only.")] = False,
    lang: Lang = None,
) -> None:
    """Play in the terminal. Type ? for what can be typed."""
    from muang.search.players import PLAYERS, use_tables
    from muang.solver.library import Library

    use_tables(Library())
    language = choose_language(lang)
    lot = secrets.randbits(64) if seed is None else seed
    if position:
        if ruleset or option or seats or first:
            raise WrongUse("a position brings its own rules and seats: leave out --ruleset, --option, --seats and --first")
        match = read_position(position).start(lot)
        if match.game.name != name:
            raise WrongUse(f"this is a position of {match.game.name}, not of {name}")
        if match.phase == "race" and match.pace != "lockstep":
            raise WrongUse("in the terminal races go at lockstep; this position is in a live race")
    else:
        table = tuple(_seat(seat, "--seats") for seat in seats.split(",")) if seats else None
        match = build_game(name, ruleset, option).start(lot, first=_seat(first, "--first") if first else None, seats=table)
    kinds = players.split(",") if players else [PERSON, *["level-2"] * (len(match.seats) - 1)]
    if len(kinds) != len(match.seats) or any(kind not in (PERSON, *PLAYERS) for kind in kinds):
        raise WrongUse(f"--players needs {len(match.seats)} of {PERSON}, {', '.join(PLAYERS)}, with commas, not {players!r}")
    called = [part.strip() for part in names.split(",")] if names else []
    if len(called) > len(match.seats):
        raise WrongUse(f"there are {len(match.seats)} seats and {len(called)} names")
    known = {seat: one for seat, one in zip(match.seats, called, strict=False) if one}
    at = Table(match, dict(zip(match.seats, kinds, strict=True)), known, language, ascii_only)
    if save is not None:
        save.open("a").close()  # what cannot be written is said now, not after a whole match
    try:
        at.run()
    finally:
        if save is not None:
            at.save(save, position or None)


def _seat(text: str, where: str) -> Seat:
    """A seat as it is typed: a number in Cờ cá ngựa, a letter elsewhere; whether it exists is the game's matter."""
    if not text or len(text) > 10:
        raise WrongUse(f"{where} needs a seat, not {text[:40]!r}")
    return int(text) if text.isascii() and text.isdigit() else text


class _Stopped(Exception):
    """Somebody has typed quit."""


class Table:
    """One match at one terminal."""

    def __init__(self, match: Match, kinds: dict[Seat, str], names: dict[Seat, str], lang: str, ascii_only: bool = False) -> None:
        self.match, self.kinds, self.names, self.lang, self.ascii_only = match, kinds, names, lang, ascii_only
        self.choices = dict.fromkeys(match.seats, 0)
        self.rolls = 0

    def text(self, msgid: str, seat: Seat | None = None, **args: object) -> str:
        """A text in the players' language."""
        if seat is not None:
            args["seat"] = self.name(seat)
        return translate(msgid, self.lang, **args)

    def name(self, seat: Seat) -> str:
        return seat_name(seat, self.lang, self.names)

    def run(self) -> None:
        """Play to the end, or till somebody quits."""
        self.show()
        try:
            while self.match.result is None:
                self.step()
        except (_Stopped, EOFError):
            print()
            print(self.text(N_("The match is broken off.")))

    def show(self) -> None:
        print(draw(self.match.view(), self.lang, self.names, self.ascii_only))

    def go(self, after: Match) -> None:
        """Move on, and say what happened."""
        from muang.records.words import render, tell

        before, self.match = self.match, after
        told = render(tell(before, after), self.lang, self.names)
        if told:
            print(told)

    def step(self) -> None:
        """The roll that is due, or the choice of everybody who has to choose now."""
        from muang.games.lots import dice

        if self.match.phase == "roll":
            roll, self.rolls = dice(self.match.seed, self.rolls), self.rolls + 1
            self.go(self.match.roll(roll))
            return
        waiting = self.match.to_act
        if not waiting:
            raise WrongUse("nobody can act in this position")
        hidden = len([seat for seat in waiting if self.kinds[seat] == PERSON]) > 1
        picks: list[tuple[Seat, str]] = []
        for seat in waiting:
            action = self.ask(seat, hidden) if self.kinds[seat] == PERSON else self.think(seat)
            if action is None:  # a command has changed the match
                return
            picks.append((seat, action))
        for seat, action in picks:
            self.go(self.match.play(seat, action))
        if any(self.kinds[seat] == PERSON for seat in self.kinds) and self.match.phase != "roll":
            self.show()

    def think(self, seat: Seat) -> str:
        from muang.search.players import player

        action = player(self.kinds[seat]).choose(self.match, seat, self.match.seed, self.choices[seat])
        self.choices[seat] += 1
        return action

    # people

    def ask(self, seat: Seat, hidden: bool) -> str | None:
        """What a person chooses; None if a command has moved the match on or back."""
        legal = self.match.legal(seat)
        horses = self.match.game.name == "ca-ngua"
        if horses:
            self.list_moves(seat)
        while True:
            if horses:
                prompt = self.text(N_("{seat}, choose a move (1 to {count}):"), seat, count=len(legal))
            else:
                prompt = self.text(N_("{seat}, choose: {holes}"), seat, holes=" ".join(legal))
            typed = self.read(prompt, hidden)
            action = self.understand(seat, typed, legal)
            if action is not None:
                return action
            command = self.commands().get(typed)
            if command is None:
                print(self.text(N_("{typed} is not possible here; ? for help."), typed=typed or "-"))
            elif command(seat):
                return None

    def read(self, prompt: str, hidden: bool) -> str:
        if hidden and sys.stdin.isatty():
            import getpass

            return getpass.getpass(f"{prompt} ").strip().lower()
        return input(f"{prompt} ").strip().lower()

    def understand(self, seat: Seat, typed: str, legal: Sequence[str]) -> str | None:
        """A hole by its number or name, a move by its number in the list or as it is written; None for anything else."""
        if self.match.game.name == "ca-ngua":
            if typed.isascii() and typed.isdigit() and 1 <= int(typed[:6]) <= len(legal):
                return legal[int(typed[:6]) - 1]
        elif typed.upper() in legal:
            return typed.upper()
        elif f"{seat}{typed}" in legal:
            return f"{seat}{typed}"
        return typed if typed in legal else None

    def list_moves(self, seat: Seat) -> None:
        view = self.match.view()
        kicks = {move["action"]: move["kicks"] for move in view["moves"]}
        for number, action in enumerate(self.match.legal(seat), 1):
            start, _, end = action.partition("-")
            text = f"{start} → {end}" if end and not self.ascii_only else action
            if kicks.get(action) is not None:
                text += ", " + translate("kicks {other}", self.lang, other=self.name(kicks[action]))
            print(f"    {number}  {text}")

    def commands(self) -> dict[str, Callable[[Seat], bool]]:
        """What can be typed besides a choice; each says whether the match has changed."""
        return {
            "?": self.help,
            "board": self.board,
            "resign": self.resign,
            "draw": self.offer_draw,
            "back": self.back,
            "quit": self.quit,
        }

    def help(self, seat: Seat) -> bool:
        print(translate("Type the number of a hole or move, or: board · resign · draw · back · quit", self.lang))
        return False

    def board(self, seat: Seat) -> bool:
        self.show()
        print(self.match.position)
        return False

    def resign(self, seat: Seat) -> bool:
        self.go(self.match.leave(seat, "resigned"))
        return True

    def offer_draw(self, seat: Seat) -> bool:
        others = [other for other in self.match.seats if other != seat]
        for other in others:
            if self.kinds[other] != PERSON:
                print(self.text(N_("{seat} plays on."), other))
                return False
        try:
            drawn = self.match.agree_draw()
        except RulesError as error:
            print(error)
            return False
        for other in others:
            if not self.yes(self.text(N_("{seat}, do you agree on a draw? (y/n)"), other)):
                return False
        self.go(drawn)
        return True

    def back(self, seat: Seat) -> bool:
        """MK-56: to the last turn of whoever asks; what a computer has played since is taken back with it."""
        try:
            match = self.match.take_back()
            while self.kinds[match.to_act[0]] != PERSON:
                match = match.take_back()
        except RulesError as error:
            print(error)
            return False
        self.match = match
        self.show()
        return True

    def yes(self, prompt: str) -> bool:
        return self.read(prompt, hidden=False)[:1] in ("y", "1")

    def quit(self, seat: Seat) -> bool:
        raise _Stopped

    def save(self, path: Path, position: str | None) -> None:
        """Write the record; JSON if the file's name ends so."""
        from muang.records import Record, json, text

        names = {seat: self.names.get(seat) or (kind if kind != PERSON else "") for seat, kind in self.kinds.items()}
        today = datetime.date.today().isoformat()
        record = Record.from_match(self.match, {seat: name for seat, name in names.items() if name}, today, position=position)
        path.write_text(json.write(record, indent=2) if path.suffix == ".json" else text.write(record), encoding="utf-8")
