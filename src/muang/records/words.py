"""Owns the sentences that say what happened: one place for the page, the terminal and the screen reader. Owns no translation.

``tell`` gives phrases: an English text with placeholders, and what goes into them. The arguments named ``seat`` and ``other`` are
seats and are shown by their player's name, or as South, Red …; everything else (counts, dice, holes, squares) stands as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from muang.games.core import Event, Match, Result, Seat
from muang.i18n import N_, translate

__all__ = ["SEAT_ARGS", "SEAT_NAMES", "Phrase", "render", "result_phrase", "tell"]

SEAT_ARGS = ("seat", "other")
SEAT_NAMES: Mapping[Seat, str] = {
    "S": N_("South"),
    "N": N_("North"),
    0: N_("Red"),
    1: N_("Blue"),
    2: N_("Yellow"),
    3: N_("Green"),
}


@dataclass(frozen=True, slots=True)
class Phrase:
    """A sentence before translation: ``msgid`` is its English text with ``{named}`` placeholders, ``args`` fills them."""

    msgid: str
    args: Mapping[str, Any] = field(default_factory=dict)


def render(phrases: Iterable[Phrase], lang: str = "en", names: Mapping[Seat, str] | None = None) -> str:
    """The phrases as one text in ``lang``. ``names`` gives players' names by seat; others are shown as South, Red …"""
    known = names or {}
    texts = []
    for phrase in phrases:
        args = dict(phrase.args)
        for key in SEAT_ARGS:
            if key in args:
                args[key] = known.get(args[key]) or translate(SEAT_NAMES[args[key]], lang)
        texts.append(translate(phrase.msgid, lang, **args))
    return " ".join(texts)


def tell(before: Match, after: Match, views: tuple[dict[str, Any], dict[str, Any]] | None = None) -> list[Phrase]:
    """What the transition from ``before`` to ``after`` did (``after.events``), in a few plain sentences; empty if it is not worth one.

    ``views``: those of ``before`` and ``after``, from whoever has made them already.

    Single drops at the live paces are only told in turns: in a race they come too fast to be said.
    """
    phrases = _tell_horses(after) if after.game.name == "ca-ngua" else _Sowing(before, after, views or (before.view(), after.view())).tell()
    if after.result is not None and before.result is None:
        phrases.append(result_phrase(after))
    return phrases


def result_phrase(match: Match) -> Phrase:
    """How the match ended. ``ValueError`` while it goes on."""
    result = match.result
    if result is None:
        raise ValueError("the match is not over")
    if result.winner is None:
        return _drawn(match, result)
    seat = result.winner
    other = next(one for one in match.seats if one != seat)
    both = {"seat": seat, "other": other}
    match result.reason:
        case "seeds":
            return Phrase("{seat} wins with {count} seeds to {less}.", {**both, "count": result.seeds[seat], "less": result.seeds[other]})
        case "all-seeds":
            return Phrase("{seat} wins with all {count} seeds.", {**both, "count": result.seeds[seat]})
        case "widows":
            counts = {"count": result.widows[other], "less": result.widows[seat]}
            if counts["count"] == 1:
                return Phrase("{seat} wins: {other} has 1 widow to {less}.", {**both, **counts})
            return Phrase("{seat} wins: {other} has {count} widows to {less}.", {**both, **counts})
        case "broke":
            return Phrase("{seat} wins: {other} cannot fill a single hole.", both)
        case "horses":
            return Phrase("{seat} wins: both horses stand in slots 4 and 3.", both)
        case "last-left":
            return Phrase("{seat} wins: nobody else is left.", both)
        case "resigned":
            return Phrase("{other} resigns: {seat} wins.", both)
        case "flag":
            return Phrase("{other} has run out of time: {seat} wins.", both)
        case _:
            return Phrase("{other} has left: {seat} wins.", both)


def _drawn(match: Match, result: Result) -> Phrase:
    if result.reason == "agreed":
        return Phrase("The players agree on a draw.")
    if result.reason == "widows":
        count = max(result.widows.values())
        if count == 1:
            return Phrase("The match is drawn: 1 widow each.")
        return Phrase("The match is drawn: {count} widows each.", {"count": count})
    return Phrase("The match is drawn: {count} seeds each.", {"count": max(result.seeds.values())})


# ── sowing ───────────────────────────────────────────────────────────────────────────────────────────────────────────────────


class _Walk:
    """What one hand has done so far in this transition."""

    def __init__(self, seat: Seat, holding: bool) -> None:
        self.seat = seat
        self.holding = holding
        self.fresh()

    def fresh(self) -> None:
        self.lift: tuple[str, int] | None = None
        self.laps = 1
        self.relay: tuple[str, int] | None = None
        self.drop: str | None = None
        self.captured = 0
        self.taken_from: list[str] = []


class _Sowing:
    """Folds the events of one transition into phrases, in the order in which the things worth telling happened."""

    def __init__(self, before: Match, after: Match, views: tuple[dict[str, Any], dict[str, Any]]) -> None:
        self.before, self.after = before, after
        self.then, self.now = views
        hands = self.then["hands"]
        self.walks = {seat: _Walk(seat, bool(hands[seat] and hands[seat]["seeds"])) for seat in ("S", "N")}
        self.phrases: list[Phrase] = []
        self.rounds_told = len(self.then["rounds"])
        self.raced = self.then["round"] if self.then["phase"] == "race" else 0
        self.racing = self.then["phase"] == "race"

    def say(self, phrase: Phrase) -> None:
        self.phrases.append(phrase)

    def tell(self) -> list[Phrase]:
        for event in self.after.events:
            if event[1] == "drop":  # most of all
                self.walks[event[0]].drop = event[2]
                continue
            if event[0] in self.walks:
                self._step(self.walks[event[0]], event)
            if event[1] in ("race", "open", "round", "win"):
                self._rounds_over()
            match event:
                case ("-", "race", number):
                    self.raced, self.racing = number, True
                    self.say(Phrase("Round {round}: the race begins.", {"round": number}))
                case ("-", "round", number):
                    self.racing = False
                    self._widows(number)
                case (seat, "open", number):
                    self.racing = False
                    self.say(self._opening(seat, number))
        for walk in self.walks.values():
            self._unfinished(walk)
        for seat in self.now["chosen"]:
            if seat not in self.then["chosen"]:
                self.say(Phrase("{seat} has chosen.", {"seat": seat}))
        return self.phrases

    def _step(self, walk: _Walk, event: Event) -> None:
        seat, what, *rest = event
        match what:
            case "lift" if walk.holding:
                walk.laps += 1
                walk.relay, walk.drop = (rest[0], rest[1]), None
            case "lift":
                walk.fresh()
                walk.holding, walk.lift = True, (rest[0], rest[1])
            case "capture":
                walk.captured += rest[1]
                walk.taken_from.append(rest[0])
            case "rest":
                self._walked(walk)
                self._rested(walk)
                walk.fresh()
                walk.holding = False
            case "die":
                self._walked(walk)
                if walk.captured:
                    self._captured(walk, died=rest[0])
                else:
                    self.say(Phrase("{seat}'s walk dies in {hole}.", {"seat": seat, "hole": rest[0]}))
                walk.fresh()
                walk.holding = False
            case "slip":
                args = {"seat": seat, "hole": rest[0], "other": "N" if seat == "S" else "S"}
                self.say(Phrase("{seat} slips into the widow {hole}: the seed goes to {other}.", args))
                walk.drop = None
            case "pass":
                self.say(Phrase("{seat} passes: no walk would ever end.", {"seat": seat}))
            case "void":
                self.say(Phrase("{seat} was not able to do that just then: nothing changes.", {"seat": seat}))

    def _walked(self, walk: _Walk) -> None:
        """The walk from its lift to here, in one sentence; a walk that was lifted earlier has been told already."""
        if walk.lift is None:
            return
        hole, count = walk.lift
        args = {"seat": walk.seat, "hole": hole, "count": count, "laps": walk.laps}
        if walk.laps > 1 and count == 1:
            self.say(Phrase("{seat} lifts 1 seed from {hole} and sows {laps} laps.", args))
        elif walk.laps > 1:
            self.say(Phrase("{seat} lifts {count} seeds from {hole} and sows {laps} laps.", args))
        else:
            self._lifted(args)
        walk.lift = None

    def _lifted(self, args: Mapping[str, Any]) -> None:
        if args["count"] == 1:
            self.say(Phrase("{seat} lifts 1 seed from {hole}.", args))
        else:
            self.say(Phrase("{seat} lifts {count} seeds from {hole}.", args))

    def _captured(self, walk: _Walk, died: str | None = None) -> None:
        args = {"seat": walk.seat, "count": walk.captured, "holes": ", ".join(dict.fromkeys(walk.taken_from)), "hole": died}
        one = walk.captured == 1
        if died is None:
            text = N_("{seat} captures 1 seed from {holes}.") if one else N_("{seat} captures {count} seeds from {holes}.")
        elif one:
            text = N_("{seat} captures 1 seed from {holes}; the walk dies in {hole}.")
        else:
            text = N_("{seat} captures {count} seeds from {holes}; the walk dies in {hole}.")
        self.say(Phrase(text, args))
        walk.captured, walk.taken_from = 0, []

    def _rested(self, walk: _Walk) -> None:
        if walk.captured:
            self._captured(walk)
        args = {"seat": walk.seat}
        if self.after.game.options.get("store_landing") == "end":
            self.say(Phrase("The last seed falls into {seat}'s store: the walk is over.", args))
        elif walk.seat in self.after.to_act:
            self.say(Phrase("The last seed falls into {seat}'s store: {seat} chooses again.", args))
        else:
            self.say(Phrase("The last seed falls into {seat}'s store.", args))

    def _unfinished(self, walk: _Walk) -> None:
        """A hand that still holds seeds: it has just lifted, relayed or captured, or (in turns only) dropped."""
        args: dict[str, Any] = {"seat": walk.seat}
        if walk.lift is not None:
            hole, count = walk.lift
            self._lifted({**args, "hole": hole, "count": count})
        if walk.captured:
            self._captured(walk)
        if walk.relay is not None and self.after.pace != "lockstep":
            hole, count = walk.relay
            one = N_("{seat} lifts 1 seed from {hole} and goes on.")
            more = N_("{seat} lifts {count} seeds from {hole} and goes on.")
            self.say(Phrase(one if count == 1 else more, {**args, "hole": hole, "count": count}))
        elif walk.holding and walk.drop is not None and walk.lift is None and not self.racing:
            self.say(Phrase("{seat} drops a seed into {hole}.", {**args, "hole": walk.drop}))

    def _rounds_over(self) -> None:
        """The count of every round that has ended and has not been told; the last one is told by the result."""
        rounds = self.now["rounds"]
        for index in range(self.rounds_told, len(rounds)):
            seeds = rounds[index]["seeds"]
            more, less = sorted(("S", "N"), key=lambda seat: -seeds[seat])
            args = {"round": index + 1, "seat": more, "count": seeds[more], "other": less, "less": seeds[less]}
            if seeds[more] == seeds[less]:
                self.say(Phrase("Round {round} is over: {count} seeds each.", args))
            else:
                self.say(Phrase("Round {round} is over: {seat} has {count} seeds, {other} {less}.", args))
        self.rounds_told = len(rounds)

    def _widows(self, number: int) -> None:
        if self.now["round"] != number:
            return
        for seat in ("S", "N"):
            holes = [f"{seat}{index + 1}" for index, seeds in enumerate(self.now["board"][seat]) if seeds is None]
            args = {"seat": seat, "holes": ", ".join(holes), "count": len(holes)}
            if len(holes) == 1:
                self.say(Phrase("{seat} has a widow: {holes}.", args))
            elif holes:
                self.say(Phrase("{seat} has {count} widows: {holes}.", args))

    def _opening(self, seat: Seat, number: int) -> Phrase:
        args: dict[str, Any] = {"seat": seat, "round": number}
        if self.raced == number:
            if self.after.game.name == "mak-khum":
                return Phrase("{seat} died first in the race and opens the turns.", args)
            return Phrase("{seat} has won the race and opens the turns.", args)
        if number == 1:
            return Phrase("{seat} opens by lot.", args)
        seeds = self.now["rounds"][number - 2]["seeds"]
        other = "N" if seat == "S" else "S"
        if seeds[seat] > seeds[other]:
            return Phrase("{seat} has more seeds and opens round {round}.", args)
        if seeds[seat] < seeds[other]:
            return Phrase("{seat} has fewer seeds and opens round {round}.", args)
        return Phrase("Both have the same number of seeds; it is {seat}'s turn to open round {round}.", args)


# ── Cờ cá ngựa ───────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _tell_horses(after: Match) -> list[Phrase]:
    phrases = []
    events = after.events
    roller = None
    for index, event in enumerate(events):
        seat, what, *rest = event
        args: dict[str, Any] = {"seat": seat}
        match what:
            case "roll":
                roller = seat
                args |= {"a": rest[0], "b": rest[1]}
                lost = any(later[:2] == (seat, "no-move") for later in events[index + 1 :])
                if lost and after.phase == "roll" and after.turn == seat:
                    phrases.append(Phrase("{seat} rolls {a} and {b}: no move, and rolls again.", args))
                elif lost:
                    phrases.append(Phrase("{seat} rolls {a} and {b}: no move.", args))
                else:
                    phrases.append(Phrase("{seat} rolls {a} and {b}.", args))
            case "enter":
                phrases.append(Phrase("{seat} brings a horse onto the track.", args))
            case "step":
                phrases.append(_horse_step(args, rest[0], rest[1]))
            case "kick":
                phrases.append(Phrase("{seat} kicks a horse of {other} back to its stable.", {**args, "other": rest[0]}))
            case "pass":
                phrases.append(Phrase("{seat} passes the extra move.", args))
            case "leave":
                phrases.append(Phrase("{seat} leaves the table; its horses are out of the game.", args))
    moved = next((event[0] for event in events if event[1] in ("enter", "step", "pass")), None)
    if moved is not None and roller is None and after.phase == "roll" and after.turn == moved:
        phrases.append(Phrase("{seat} rolls again.", {"seat": moved}))
    elif moved is not None and after.phase == "move" and after.turn == moved:
        phrases.append(Phrase("{seat} may move once more.", {"seat": moved}))
    return phrases


def _horse_step(args: dict[str, Any], start: Any, end: Any) -> Phrase:
    """Squares are counted from the seat's own start (CN-3): 0 is the start itself."""
    args = {**args, "square": start, "target": end, "slot": str(end).removeprefix("slot")}
    if str(start).startswith("slot"):
        return Phrase("{seat} climbs to slot {slot}.", args)
    if str(end).startswith("slot"):
        return Phrase("{seat} moves a horse from square {square} into the lane, slot {slot}.", args)
    return Phrase("{seat} moves a horse from square {square} to square {target}.", args)
