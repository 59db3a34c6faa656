"""The inbox of a table and the outbox of a screen: order, limits, and nobody left waiting."""

from __future__ import annotations

import asyncio

from muang.server.inbox import Inbox
from muang.server.outbox import Outbox


async def test_things_come_out_in_their_order() -> None:
    inbox: Inbox[int] = Inbox(8)
    for number in range(5):
        await inbox.put(number)
    assert [await inbox.get(None) for _ in range(5)] == [0, 1, 2, 3, 4]


async def test_a_reader_waits_for_what_comes_and_no_longer_than_it_said() -> None:
    inbox: Inbox[str] = Inbox(8)
    assert await inbox.get(0) is None
    assert await inbox.get(0.01) is None
    reading = asyncio.create_task(inbox.get(30))
    await asyncio.sleep(0)
    await inbox.put("a")
    assert await reading == "a"


async def test_each_wait_ends_when_it_said_whatever_alarm_is_still_set() -> None:
    inbox: Inbox[str] = Inbox(8)
    clock = asyncio.get_running_loop().time
    for waits in (0.05, 30.0, 0.05, 0.12, 0.05):  # a later alarm gives way to an earlier one, an earlier one rings in vain
        began = clock()
        if waits > 1:
            asyncio.get_running_loop().call_later(0.02, inbox.take, "a")
            assert await inbox.get(waits) == "a"
        else:
            assert await inbox.get(waits) is None
            assert waits - 0.01 < clock() - began < waits + 5
    reading = asyncio.create_task(inbox.get(0.3))
    await asyncio.sleep(0.01)
    inbox.take("b")
    assert await reading == "b"
    began = clock()
    assert await inbox.get(0.6) is None  # the alarm of before rings in between
    assert clock() - began > 0.55


async def test_who_waits_for_room_is_not_left_waiting_when_nobody_reads_any_more() -> None:
    inbox: Inbox[int] = Inbox(1)
    writing = [asyncio.create_task(inbox.put(number)) for number in range(4)]
    await asyncio.sleep(0.01)
    assert inbox.full
    inbox.close()
    await asyncio.wait_for(asyncio.gather(*writing), 5)


async def test_writers_wait_while_it_is_full_and_go_on_in_their_order() -> None:
    inbox: Inbox[int] = Inbox(2)
    writing = [asyncio.create_task(inbox.put(number)) for number in range(6)]
    await asyncio.sleep(0.01)
    assert sum(task.done() for task in writing) == 2
    assert [await inbox.get(5) for _ in range(6)] == [0, 1, 2, 3, 4, 5]
    await asyncio.gather(*writing)


async def test_a_writer_that_gives_up_holds_up_nobody() -> None:
    inbox: Inbox[int] = Inbox(1)
    await inbox.put(0)
    writing = [asyncio.create_task(inbox.put(number)) for number in (1, 2)]
    await asyncio.sleep(0.01)
    assert await inbox.get(None) == 0  # the first writer is called …
    writing[0].cancel()  # … and is gone before it comes
    assert await inbox.get(5) == 2
    await asyncio.gather(*writing, return_exceptions=True)
    assert writing[0].cancelled()


async def test_a_reader_that_gives_up_leaves_what_comes_for_the_next() -> None:
    inbox: Inbox[int] = Inbox(1)
    reading = asyncio.create_task(inbox.get(None))
    await asyncio.sleep(0)
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    await inbox.put(7)
    assert await inbox.get(None) == 7


async def test_nothing_overtakes_a_text_that_has_been_taken_and_not_been_sent() -> None:
    sent: list[str] = []
    open_now = False

    def line(text: str) -> bool:
        if open_now:
            sent.append(text)
        return open_now

    outbox = Outbox(8, line)
    outbox.put("1")  # the way is blocked: it waits for the sender …
    taken = await outbox.get()  # … which has it in hand while the way becomes free
    open_now = True
    outbox.put("2")
    sent.append(str(taken))
    sent.append(str(await asyncio.wait_for(outbox.get(), 5)))
    reading = asyncio.create_task(outbox.get())
    await asyncio.sleep(0)
    outbox.put("3")  # the sender waits with empty hands
    assert sent == ["1", "2", "3"]
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
