"""The package against the independent oracle: random positions, walks, races at every pace, whole matches, the horse game.

Every case comes from a seed, so a failure names the seed, and with it the position, that shows it.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

import muang
from muang.games.core import Match
from muang.games.lots import draw
from muang.games.sowing.batch import perft, random_matches
from muang.games.sowing.game import SowingGame
from oracle import ca_ngua, matches, random_positions
from oracle.live import live_race
from oracle.sowing import OTHER, SEATS, Board, Rules, leaves, lockstep_race

STEPS = {"lift", "drop", "capture", "rest", "slip", "die", "pass", "void"}


def steps(events: Any) -> list[list[Any]]:
    """The events that say what hands did, as lists; what is told about rounds and results is compared as state."""
    return [list(event) for event in events if event[1] in STEPS]


def package_game(rules: Rules, options: dict[str, Any]) -> SowingGame:
    game = muang.game(rules.game, "trang" if rules.mak_khum else "pankhurst", **options)
    assert isinstance(game, SowingGame)
    assert {name: game.options[name] for name in rules.options} == rules.options
    return game


def fields(rules: Rules, board: Board, **more: str) -> dict[str, str]:
    """A position's fields as its line has them."""
    rows = rules.rows(board)
    texts = {seat: ",".join("-" if seeds is None else str(seeds) for seeds in rows[seat]) + f"/{rows['stores'][seat]}" for seat in SEATS}
    return {"round": "1", **texts, **more}


def summary_of_package(match: Match) -> dict[str, Any]:
    view = match.view()
    result = view["result"]
    hands = view["hands"]
    return {
        "phase": view["phase"],
        "round": view["round"],
        "first": view["first"],
        "board": view["board"],
        "hands": {seat: (hand["at"], hand["seeds"]) if hand else None for seat, hand in hands.items()},
        "turn": view["turn"],
        "legal": view["legal"],
        "quiet": view["quiet"] if view["phase"] == "turn" else 0,
        "rounds": [{key: past[key] for key in ("seeds", "opener", "deaths", "turns")} for past in view["rounds"]],
        "result": result and {key: result[key] for key in ("winner", "seeds", "widows")},
    }


def summary_of_oracle(match: matches.Match) -> dict[str, Any]:
    over = match.phase == "over"
    return {
        "phase": match.phase,
        "round": match.round,
        "first": match.first,
        "board": match.rules.rows(match.board),
        "hands": match.hands,
        "turn": match.turn if match.phase == "turn" else None,
        "legal": {seat: match.legal(seat) for seat in sorted(match.to_act, reverse=True)},
        "quiet": match.quiet if match.phase == "turn" and not match.rules.mak_khum else 0,
        "rounds": [{key: past[key] for key in ("seeds", "opener", "deaths", "turns")} for past in match.rounds],
        "result": {"winner": match.winner, "seeds": match.seeds, "widows": match.widows} if over else None,
    }


def agree(match: Match, ours: matches.Match, where: Any) -> None:
    theirs, mine = summary_of_package(match), summary_of_oracle(ours)
    for key, value in mine.items():
        assert theirs[key] == value, (key, where, str(match.position))


@pytest.mark.parametrize("part", range(3))
def test_walks_and_what_follows(part: int) -> None:
    """Random boards, a random choice and the state after it: legal holes, events, captures, the next chooser, the round's end."""
    for seed in range(part * 1000, part * 1000 + 600):
        lots = random.Random(f"walk {seed}")
        rules, options = random_positions.any_sowing(lots)
        board = random_positions.board(lots, rules)
        turn, first = lots.choice(SEATS), lots.choice(SEATS)
        quiet = 0 if rules.mak_khum else lots.randrange(rules["quiet_turns"])
        more = {"first": first, "opened": turn, "turn": turn} | ({"quiet": str(quiet)} if quiet else {})
        match = package_game(rules, options).read_position(fields(rules, board, **more)).start()
        ours = matches.Match(rules, first, board=board, turn=turn, quiet=quiet)
        agree(match, ours, seed)
        for _ in range(2):
            if ours.phase != "turn":
                break
            seat = ours.turn
            hole = lots.choice(ours.legal(seat))
            match = match.play(seat, hole)
            ours.play(seat, hole)
            assert steps(match.events) == ours.events, (seed, hole)
            agree(match, ours, (seed, hole))


def race_of(lots: random.Random, pace: str, **fixed: Any) -> tuple[Match, matches.Match]:
    """A race from a random board, in both programs."""
    while True:
        rules, options = random_positions.any_sowing(lots, **fixed)
        if rules["race"] != "none":
            break
    filled = () if rules.mak_khum else (rules.holes["S"][0], rules.holes["N"][0])
    board = random_positions.board(lots, rules, filled=filled)
    return both(rules, options, board, lots.choice(SEATS), pace, lots.choice((1, 7, 250)), lots.choice((1, 7, 80)))


def both(
    rules: Rules, options: dict[str, Any], board: Board, first: str, pace: str, tempo: int = 250, min_gap: int = 80
) -> tuple[Match, matches.Match]:
    if pace == "steady":
        min_gap = 80
    else:
        tempo = 250
    more = {"first": first, "race": ""}
    if pace != "lockstep":
        more["pace"] = f"steady:{tempo}" if pace == "steady" else f"by_hand:{min_gap}"
    match = package_game(rules, options).read_position(fields(rules, board, **more)).start()
    return match, matches.Match(rules, first, pace, tempo, min_gap, board=board)


def finish_lockstep(lots: random.Random, match: Match, ours: matches.Match, where: Any, choices: int = 10_000) -> tuple[Match, list[Any]]:
    """Random choices at ``lockstep`` while the race lasts; gives the package's events."""
    told = steps(match.events)
    agree(match, ours, where)
    while ours.phase == "race" and choices:
        choices -= 1
        seat = lots.choice(ours.to_act)
        hole = lots.choice(ours.legal(seat))
        match = match.play(seat, hole)
        ours.play(seat, hole)
        assert steps(match.events) == ours.events, (where, hole)
        told += ours.events
        agree(match, ours, where)
    return match, told


@pytest.mark.parametrize("part", range(2))
def test_lockstep_races(part: int) -> None:
    for seed in range(part * 1000, part * 1000 + 300):
        lots = random.Random(f"lockstep {seed}")
        match, ours = race_of(lots, "lockstep")
        finish_lockstep(lots, match, ours, seed)


ENDLESS = (
    ([7, 1, 0, 1, 2, 3, 4, 2, 0], [6, 0, 1, 0, 3, 2, 1, 0, 2], 19),
    ([9, 1, 2, 0, 0, 1, 0, 1, 0], [5, 1, 2, 1, 0, 1, 4, 1, 2], 23),
)


def run_out(match: Match, ours: matches.Match) -> tuple[Match, matches.Match]:
    """A race without choices to its end; at ``by_hand`` both hands drop as fast as they may, ``first`` a ms ahead."""
    if ours.pace == "steady":
        match = match.at(10**9)
        ours.until(10**9)
    ms = 0
    while ours.phase == "race":
        ms += ours.min_gap
        for delay, seat in enumerate((ours.first, OTHER[ours.first])):
            if ours.phase == "race" and seat in ours.to_act:
                match = match.play(seat, "drop", at=ms + delay)
                ours.play(seat, "drop", ms + delay)
    return match, ours


ENDLESS = (
    ([7, 1, 0, 1, 2, 3, 4, 2, 0], [6, 0, 1, 0, 3, 2, 1, 0, 2], 19),
    ([9, 1, 2, 0, 0, 1, 0, 1, 0], [5, 1, 2, 1, 0, 1, 4, 1, 2], 23),
)


@pytest.mark.parametrize("pace", ["lockstep", "steady", "by_hand"])
def test_endless_races_on_the_whole_board(pace: str) -> None:
    """AB-45: a lone hand whose walk comes back, after more than 2,700 steps."""
    for south, north, pile in ENDLESS:
        rules = Rules("abalalae")
        board = rules.board({"S": south, "N": north, "stores": {"S": pile, "N": 0}})
        match, ours = run_out(*both(rules, {}, board, "S", pace))
        agree(match, ours, pile)


@pytest.mark.parametrize("pace", ["lockstep", "steady", "by_hand"])
def test_endless_races_on_small_boards(pace: str) -> None:
    """AB-45 on two columns, where a situation often comes back, with one hand walking or with both; then a turn, which ends the match."""
    lots = random.Random(f"endless {pace}")
    lone = pair = tried = 0
    while lone < 12 or (pair < 12 and pace != "by_hand"):
        tried += 1
        options = {"track": lots.choice(("pankhurst", "courlander")), "race_loser": lots.choice(("finish", "stop_lap"))}
        options |= {"quiet_turns": 1, "max_rounds": 1}
        size = {"columns": 2, "seeds": lots.randint(2, 3)}
        rules = Rules("abalalae", options, size["columns"], size["seeds"])
        board = random_positions.board(lots, rules, filled=("S1", "N1"))
        first = lots.choice(SEATS)
        race = lockstep_race(rules, board, first, []) if pace == "lockstep" else live_race(rules, board, first, "steady", [])[0].race
        if not race.letting_go or (race.endless_pair and pace == "by_hand"):  # two people may walk in circles as long as they like
            continue
        lone, pair = lone + (not race.endless_pair), pair + race.endless_pair
        match, ours = run_out(*both(rules, options | size, board, first, pace))
        play_on(lots, match, ours, tried, 100)


def drive(lots: random.Random, match: Match, ours: matches.Match, where: Any, inputs: int = 100_000) -> tuple[Match, matches.Match]:
    """Random inputs of a live race at random times: early, late, impossible, and often at the same millisecond."""
    steady = ours.pace == "steady"
    gap = ours.tempo if steady else ours.min_gap
    agree(match, ours, where)
    while ours.phase == "race" and inputs:
        inputs -= 1
        assert ours.live
        now = ours.live.now
        seat = lots.choice(ours.to_act or SEATS)
        if lots.random() < 0.1:
            seat, action = lots.choice(SEATS), lots.choice(["drop", "slip", *ours.rules.owner])
        elif seat in ours.to_act:
            action = lots.choice(ours.legal(seat))
        else:  # only time has to pass
            ms = now + lots.choice((1, gap, 3 * gap + 1, 40 * gap))
            match = match.at(ms)
            ours.until(ms)
            assert steps(match.events) == ours.events, where
            agree(match, ours, (where, ms))
            continue
        usual, odd = (gap, gap, gap + 1, 2 * gap), (0, 0, 1, gap - 1, 5 * gap, -1, -gap)
        at = max(0, now + lots.choice(odd if lots.random() < 0.2 else usual))
        if seat in ours.to_act and action in ours.legal(seat) and lots.random() < 0.1:
            # no time given: the earliest moment that is not void
            at = now if steady else max(now, ours.live.stepped_at.get(seat, -gap) + gap)
            match = match.play(seat, action)
            assert match.log[-1].at == at, (where, seat, action)
        else:
            match = match.play(seat, action, at=at)
        fate = ours.play(seat, action, at)
        if fate != "again":
            assert steps(match.events) == ours.events, (where, at, seat, action)
        agree(match, ours, (where, at, seat, action))
    return match, ours


@pytest.mark.parametrize("pace", ["steady", "by_hand"])
def test_live_races(pace: str) -> None:
    for seed in range(60 if pace == "steady" else 18):
        lots = random.Random(f"{pace} {seed}")
        match, ours = race_of(lots, pace)
        drive(lots, match, ours, seed)


def play_on(lots: random.Random, match: Match, ours: matches.Match, where: Any, actions: int) -> None:
    """A match to its end, or for so many actions."""
    while ours.phase != "over" and actions > 0:
        if ours.phase == "race" and ours.pace != "lockstep":
            match, ours = drive(lots, match, ours, where)
            continue
        actions -= 1
        seat = lots.choice(ours.to_act)
        action = lots.choice(ours.legal(seat))
        match = match.play(seat, action)
        ours.play(seat, action)
        assert [event for event in steps(match.events) if event[1] != "void"] == ours.events, (where, seat, action)
        agree(match, ours, (where, seat, action))


@pytest.mark.parametrize(("pace", "count"), [("lockstep", 32), ("steady", 25), ("by_hand", 6)])
def test_whole_matches(pace: str, count: int) -> None:
    for seed in range(count):
        lots = random.Random(f"match {pace} {seed}")
        rules, options = random_positions.any_sowing(lots)
        first = lots.choice(SEATS)
        match = package_game(rules, options).start(seed=seed, pace=pace, first=first)
        ours = matches.Match(rules, first, pace)
        play_on(lots, match, ours, seed, 1500 if pace == "by_hand" else 400)


def test_trees_of_choices() -> None:
    """Leaves at depth 1 and 2 from random boards."""
    for seed in range(150):
        lots = random.Random(f"tree {seed}")
        rules, options = random_positions.any_sowing(lots)
        board = random_positions.board(lots, rules)
        seat = lots.choice(SEATS)
        game = package_game(rules, options)
        cells = [board[place] or 0 for each in SEATS for place in (*rules.holes[each], f"{each}H")]
        widows = sum(1 << i for i, place in enumerate(game.layout.names) if board[place] is None)
        counts = [perft(game, cells, SEATS.index(seat), widows, depth) for depth in (1, 2)]
        assert counts == list(leaves(rules, board, seat, 2)), seed


class Xorshift:
    """The generator of a random match, as ``muang.games.sowing.batch`` describes it."""

    def __init__(self, start: int) -> None:
        self.state = start or 1

    def below(self, n: int) -> int:
        x = self.state
        x ^= x >> 12
        x ^= x << 25 & (1 << 64) - 1
        x ^= x >> 27
        self.state = x
        return ((x * 0x2545F4914F6CDD1D & (1 << 64) - 1) >> 32) * n >> 32


def random_match(rules: Rules, lots: Xorshift) -> tuple[int, ...] | None:
    """The row that the batch gives for a match; None if somebody had to pass, for a pass uses up lots that cannot be told afterwards."""
    first = SEATS[lots.below(2)]
    match = matches.Match(rules, first)
    choices = 0
    while match.phase != "over":
        seat = min(match.to_act, key=SEATS.index)
        race = match.race
        pool = race.choices(seat) if race else rules.filled(match.board, seat)
        allowed = match.legal(seat)
        hole = pool.pop(lots.below(len(pool)))
        while hole not in allowed:
            hole = pool.pop(lots.below(len(pool)))
        match.play(seat, hole)
        choices += 1
        if any(event[1] == "pass" for event in match.events):
            return None
    turns, drops = (sum(past[key] for past in match.rounds) for key in ("turns", "drops"))
    winner = 2 if match.winner is None else SEATS.index(match.winner)
    return winner, SEATS.index(first), match.round, choices, turns, drops, match.seeds["S"], match.seeds["N"]


def test_batches_of_random_matches() -> None:
    """The fast bodies, laps as vector adds, against matches that the oracle plays step by step with the same lots."""
    compared = 0
    for seed in range(18):
        lots = random.Random(f"batch {seed}")
        rules, options = random_positions.any_sowing(lots, max_rounds=lots.choice((1, 3)))
        count = 6
        rows = random_matches(package_game(rules, options), count, seed)
        for i in range(count):
            expected = random_match(rules, Xorshift(draw(seed, "sowing-batch", i)))
            if expected is not None:
                compared += 1
                assert tuple(rows[i].tolist()) == expected, (seed, i, options)
    assert compared > 80


def ca_ngua_summary(match: Match) -> dict[str, Any]:
    view = match.view()
    return {
        "phase": view["phase"],
        "turn": view["turn"],
        "dice": view["dice"] and tuple(view["dice"]),
        "extra": view["extra"],
        "horses": {int(seat): sorted(two, key=str) for seat, two in view["horses"].items()},
        "left": sorted(view["left"]),
        "legal": list(match.legal(match.to_act[0])) if match.to_act else [],
        "kicks": [move["kicks"] for move in view["moves"]],
        "result": view["result"] and (view["result"]["winner"], view["result"]["reason"]),
    }


def ca_ngua_agree(match: Match, ours: ca_ngua.Match, where: Any) -> None:
    over = ours.phase == "over"
    moves = ca_ngua.ordered(ours.choices(), ours.opts["track"]) if ours.phase == "move" else []
    mine = {
        "phase": ours.phase,
        "turn": None if over else ours.turn,
        "dice": ours.dice if ours.phase == "move" else None,
        "extra": ours.extra if ours.phase == "move" else False,
        "horses": {seat: sorted(two, key=str) for seat, two in ours.table.horses.items()},
        "left": sorted(ours.left),
        "legal": [f"{before}-{after}" for before, after in moves] + (["pass"] if ours.extra and ours.phase == "move" else []),
        "kicks": [ours.table.kicked(ours.turn, after) for _, after in moves],
        "result": (ours.winner, ours.reason) if over else None,
    }
    theirs = ca_ngua_summary(match)
    for key, value in mine.items():
        assert theirs[key] == value, (key, where, str(match.position))


def choose(lots: random.Random, match: Match, ours: ca_ngua.Match) -> Match:
    """One random choice in both."""
    moves = ca_ngua.ordered(ours.choices(), ours.opts["track"])
    move = lots.choice([*moves, None] if ours.extra else moves)
    mover = ours.turn
    match = match.play(mover, "pass" if move is None else f"{move[0]}-{move[1]}")
    kicked = ours.play(move)
    assert [event[2] for event in match.events if event[1] == "kick"] == ([] if kicked is None else [kicked])
    return match


def test_ca_ngua_positions() -> None:
    """Random horses, every roll of the dice once over all cases: moves, their order, kicks, what follows."""
    for seed in range(1200):
        lots = random.Random(f"horses {seed}")
        options = random_positions.ca_ngua_options(lots)
        seats = random_positions.ca_ngua_seats(lots)
        turn = lots.choice(seats)
        ours = ca_ngua.Match(ca_ngua.options(options), seats, turn)
        ours.table.horses = random_positions.ca_ngua_horses(lots, options, seats)
        texts = {str(seat): ",".join(map(str, two)) for seat, two in ours.table.horses.items()}
        line = {"seats": ",".join(map(str, seats)), **texts, "turn": str(turn)}
        match = muang.game("ca-ngua", "phone", **options).read_position(line).start()
        dice = divmod(seed % 36, 6)
        match = match.roll((dice[0] + 1, dice[1] + 1))
        ours.roll((dice[0] + 1, dice[1] + 1))
        ca_ngua_agree(match, ours, seed)
        while ours.phase == "move":
            if not ours.extra:
                move = ca_ngua.farthest(ours.choices(), ours.opts["track"])
                assert match.farthest == f"{move[0]}-{move[1]}", (seed, str(match.position))  # type: ignore[attr-defined]
            match = choose(lots, match, ours)
            ca_ngua_agree(match, ours, seed)


def test_ca_ngua_matches() -> None:
    """Whole matches of two to four seats, with seats that leave."""
    for seed in range(40):
        lots = random.Random(f"match {seed}")
        options = random_positions.ca_ngua_options(lots)
        seats = random_positions.ca_ngua_seats(lots)
        first = lots.choice(seats)
        match: Match = muang.game("ca-ngua", **options).start(seed=seed, seats=seats, first=first)
        ours = ca_ngua.Match(ca_ngua.options(options), seats, first)
        for _ in range(400):
            if ours.phase == "over":
                break
            if lots.random() < 0.004:
                seat = lots.choice([seat for seat in seats if seat not in ours.left])
                match = match.leave(seat)
                ours.leave(seat)
            elif ours.phase == "roll":
                dice = (lots.randint(1, 6), lots.randint(1, 6))
                match = match.roll(dice)
                ours.roll(dice)
            else:
                match = choose(lots, match, ours)
            ca_ngua_agree(match, ours, seed)
