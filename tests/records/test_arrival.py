"""Arrivals of inputs in live races: kept whole in both forms, judged again from what is kept."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import muang
from muang import BadRecord
from muang.records import Record, json, read, text
from muang.records.arrival import Arrival, judged, misjudged, parse, word
from records.played import sowing

WHOLE = st.integers(0, 10**15)
ARRIVALS = st.one_of(
    st.builds(Arrival, WHOLE),
    st.builds(Arrival, WHOLE, st.integers(1, 99)),
    st.builds(Arrival, WHOLE, st.integers(1, 99), WHOLE),
    st.builds(Arrival, WHOLE, st.integers(1, 99), WHOLE, st.integers(-(10**15), 10**15)),
)


@given(ARRIVALS)
def test_words_come_back(arrival: Arrival) -> None:
    assert parse(word(arrival)) == arrival


def test_what_words_look_like() -> None:
    assert word(Arrival(35)) == "+35"
    assert word(Arrival(0, 2)) == "+0(2)"
    assert word(Arrival(35, 1, 120345)) == "+35(1:120345)"
    assert word(Arrival(35, 1, 120345, -120105)) == "+35(1:120345-120105)"
    assert word(Arrival(35, 1, 120345, 7)) == "+35(1:120345+7)"


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 30), st.data())
def test_records_with_arrivals_come_back(seed: int, data: st.DataObject) -> None:
    match = sowing("mak-khum", {"ruleset": "songkhla", "holes": 3, "seeds": 3}, "by_hand", seed, 25)
    timed = [index for index, entry in enumerate(match.log) if entry.at is not None]
    arrivals = {index: data.draw(ARRIVALS) for index in timed if data.draw(st.booleans())}
    record = Record.from_match(match, tags={"MaxLag": "250"}, arrivals=arrivals)
    assert dict(record.arrivals) == arrivals
    for form in (text, json):
        assert form.read(form.write(record)) == record
        assert form.write(form.read(form.write(record))) == form.write(record)
    assert read(text.write(record)).match().log == match.log


def test_only_timed_actions_have_arrivals() -> None:
    record = Record.from_match(muang.game("mak-khum", "turns").start(1, first="S").play("S", "S1"))
    with pytest.raises(BadRecord, match="action 1: only an action with a time"):
        replace(record, arrivals={0: Arrival(1)})
    with pytest.raises(BadRecord, match="only an action with a time"):
        replace(record, arrivals={9: Arrival(1)})


@pytest.mark.parametrize(
    "parts", [(-1,), (1, 0), (1, None, 5), (1, 1, None, 5), (10**16,), (1, 1, 1, 10**16), (True,), (1.0,), (1, "1"), (1, 1, 1, 0.5)]
)
def test_what_is_no_arrival(parts: tuple[object, ...]) -> None:
    with pytest.raises(BadRecord):
        Arrival(*parts)  # type: ignore[arg-type]


@pytest.mark.parametrize("bad", ["S1@5+", "S1@5+x", "S1@5+3()", "S1@5+3(0)", "S1@5+3(1:)", "S1@5+3(1:4-)", "S1+3", "S1@5+3(1", "S1@5-3"])
def test_texts_that_are_no_arrival(bad: str) -> None:
    with pytest.raises(BadRecord, match="cannot read"):
        read(f'[Game "mak-khum"]\n[Pace "by_hand"]\n[First "S"]\nrace 1: {bad}\n*\n')


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"lag": -1}, "lag"),
        ({"lag": "1"}, "lag"),
        ({"client": 1}, "needs a lag"),
        ({"lag": 1, "offset": 1}, "client's time"),
        ({"way": 1}, "way"),
    ],
)
def test_json_that_is_no_arrival(change: dict[str, object], what: str) -> None:
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S").play("S", "S1", at=5)
    data = json.dump(Record.from_match(match))
    data["entries"][0] |= change
    with pytest.raises(BadRecord, match=rf"entry 0.*{what}"):
        json.load(data)


# ── judging again ────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("client_at", "offset", "last", "moment"),
    [
        (1000, -100, None, 900),  # when its client says
        (1000, -900, None, 750),  # not more than max_lag before its arrival
        (1000, 50, None, 1000),  # not after its arrival
        (1000, -100, 950, 950),  # not before an input of the same client
        (1000, -100, 1200, 1000),  # and then not after its arrival either
        (None, None, None, 1000),  # no time: when it arrived
        (1000, None, None, 1000),
    ],
)
def test_the_moment_at_which_an_input_counts(client_at: int | None, offset: int | None, last: int | None, moment: int) -> None:
    """Arrived at 1000 ms, bound 250 ms."""
    arrival = Arrival(1000 - moment, 1, client_at, offset)
    assert judged(arrival, moment, 250, last) == moment


def test_nothing_counts_before_the_start_signal() -> None:
    assert judged(Arrival(20, 1, 500, -530), 0, 250, None) == 0


def raced() -> Record:
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S")
    arrivals = {0: Arrival(20, 1, 5000, -4900), 1: Arrival(120, 2, 700, -540), 2: Arrival(25, 1, 5195, -4900)}
    for seat, action, at in (("S", "S1", 100), ("N", "N2", 160), ("S", "drop", 295)):
        match = match.play(seat, action, at=at)
    return Record.from_match(match, arrivals=arrivals)


def found(record: Record) -> list[tuple[int, int]]:
    return [(index, moment) for index, moment, _ in misjudged(record.entries, record.arrivals, [0], 250)]


def test_an_honest_record_is_found_honest() -> None:
    assert found(raced()) == []


def test_a_moved_input_is_found() -> None:
    record = raced()
    for index in range(3):
        for shift in (-7, 7):
            entries = list(record.entries)
            entries[index] = replace(entries[index], at=(entries[index].at or 0) + shift)
            right = record.entries[index].at
            assert (index, right) in found(replace(record, entries=tuple(entries)))


def test_a_changed_arrival_is_found() -> None:
    record = raced()
    came = record.arrivals[1]
    for changed in (replace(came, offset=-500), replace(came, client_at=600)):
        assert [index for index, _ in found(replace(record, arrivals={**record.arrivals, 1: changed}))] == [1]


def test_inputs_of_one_client_that_change_places_are_found() -> None:
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S").play("S", "S1", at=100).play("S", "drop", at=100)
    record = Record.from_match(match, arrivals={0: Arrival(30, 1, 100, 0), 1: Arrival(20, 1, 90, 0)})
    assert [why.split(",")[0] for _, _, why in misjudged(record.entries, record.arrivals, [0], 250)] == ["it arrived at 120 ms"]


def test_seats_are_judged_each_by_its_own_inputs() -> None:
    """An input of another seat does not hold one back, one of another screen of the same seat does; after a new race begins nothing
    does."""
    match = muang.game("mak-khum").start(1, pace="by_hand", first="S").play("S", "S1", at=200).play("N", "N1", at=150)
    arrivals = {0: Arrival(0, 1, 200, 0), 1: Arrival(50, 2, 150, 0)}
    record = Record.from_match(match, arrivals=arrivals)
    assert found(record) == []
    entries = (record.entries[0], replace(record.entries[1], seat="S", action="S2"))
    assert [(index, moment) for index, moment, _ in misjudged(entries, arrivals, [0], 250)] == [(1, 200)]
    assert list(misjudged(entries, arrivals, [0, 1], 250)) == []
