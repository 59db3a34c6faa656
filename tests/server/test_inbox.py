"""The inbox of a table: order, limits, and nobody left waiting."""

from __future__ import annotations

import asyncio

from muang.server.inbox import Inbox


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
