"""A slow line for the browser tests: a TCP proxy in a thread that delays both ways and may be held up, cut and mended. Owns no test."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

__all__ = ["Link"]


class Link:
    """A line to a server on this machine.

    ``trip``: ms there and back; ``jitter``: each piece takes up to so many ms more each way; what is sent first arrives first. ``address``
    is where browsers go.
    """

    def __init__(self, port: int, trip: float, jitter: float = 0, seed: int = 1) -> None:
        self.port, self.trip, self.jitter = port, trip, jitter
        self.lots = random.Random(seed)
        self.cut_off = False
        self.open = threading.Event()
        self.open.set()
        self.writers: set[asyncio.StreamWriter] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, name="link", daemon=True)
        self.thread.start()
        self.server: asyncio.Server = self._wait(asyncio.start_server(self._carry, "127.0.0.1", 0))
        self.own: int = self.server.sockets[0].getsockname()[1]

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.own}"

    def cut(self) -> None:
        """The network goes away: what is open breaks off, nothing new gets through."""
        self.cut_off = True
        self._wait(self._break())

    def mend(self) -> None:
        """The network is back."""
        self.cut_off = False

    def hold(self) -> None:
        """Nothing gets through either way, and nothing breaks off: what is sent waits."""
        self.open.clear()

    def let_go(self) -> None:
        """What has waited goes on."""
        self.open.set()

    def close(self) -> None:
        """End the proxy."""
        self._wait(self._end())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)
        self.loop.close()

    def _wait(self, work: Coroutine[Any, Any, Any]) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(10)

    async def _break(self) -> None:
        for writer in list(self.writers):
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _end(self) -> None:
        self.server.close()
        await self._break()
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        if self.cut_off:
            writer.transport.abort()
            return
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:  # the server is away
            writer.transport.abort()
            return
        self.writers |= {writer, back}
        try:
            with suppress(asyncio.CancelledError):  # the end of the proxy
                await asyncio.gather(self._delay(reader, back), self._delay(there, writer))
        finally:
            self.writers -= {writer, back}
            for end in (writer, back):
                end.transport.abort()

    async def _delay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Hand on what is read, each piece after its time on the way."""
        pieces: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()
        sender = asyncio.create_task(self._send(pieces, writer))
        last = 0.0
        try:
            while True:
                piece = await reader.read(65536)
                way = (self.trip / 2 + self.lots.uniform(0, self.jitter)) / 1000
                last = max(last, self.loop.time() + way)
                pieces.put_nowait((last, piece))
                if not piece:
                    break
            await sender
        except (ConnectionError, OSError):
            pass
        finally:
            sender.cancel()

    async def _send(self, pieces: asyncio.Queue[tuple[float, bytes]], writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, OSError):
            while True:
                due, piece = await pieces.get()
                await asyncio.sleep(max(0.0, due - self.loop.time()))
                while not self.open.is_set():
                    await asyncio.sleep(0.005)
                if not piece:
                    if writer.can_write_eof():
                        writer.write_eof()
                    return
                writer.write(piece)
                await writer.drain()
