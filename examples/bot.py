"""A player that is a program: takes a free seat of a match by its link and plays there, over plain HTTP, with the standard library only.

    python examples/bot.py http://127.0.0.1:8642/play/MATCH
    python examples/bot.py http://127.0.0.1:8642/play/MATCH --name "My bot" --seed 1 --wait 0.5

It plays all three games, races at every pace too, and chooses by lot: put your own choice into ``choose``. ``docs/http.md`` describes the
interface, ``docs/protocol.md`` the frames. Exit code: 0 when the match is over, 1 with a message if it could not be played.
"""

from __future__ import annotations

import argparse
import json
import queue
import random
import sys
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode, urlsplit


def choose(match: dict[str, Any], legal: Sequence[str], lots: random.Random) -> str:
    """What to play. ``match``: everything that is public of it; ``legal``: what may be played now."""
    return lots.choice(legal)


class Refused(Exception):
    """The server has said no; nothing has changed."""

    def __init__(self, status: int, body: dict[str, Any]) -> None:
        self.status, self.code = status, str(body.get("code", ""))
        super().__init__(f"{self.code}: {body.get('message', '')}")


class Bot:
    """One seat of one match."""

    def __init__(self, link: str, name: str = "Bot", seed: int | None = None, wait: float = 0.3) -> None:
        parts = urlsplit(link)
        self.base = f"{parts.scheme}://{parts.netloc}/api/matches/{parts.path.rstrip('/').rsplit('/', 1)[-1]}"
        self.lots, self.wait = random.Random(seed), wait
        self.n = 0
        self.version: int | None = None
        self.acked = -1
        """The version after our last input: before it has come in the stream we do not know what we have done."""
        self.match: dict[str, Any] = {}
        self.awaiting: list[Any] = []
        self.race_clock: dict[str, Any] | None = None
        self.frames: queue.Queue[dict[str, Any] | None] = queue.Queue()
        seated = self.post("sit", {"name": name})
        self.seat, self.token = seated["seat"], seated["token"]

    # ── talking to the server ────────────────────────────────────────────────────────────────────────────────────────────────

    def post(self, what: str, body: dict[str, Any]) -> dict[str, Any]:
        """One request. ``Refused`` if the server says no.

        A lost connection is tried again with the same number, so nothing is done twice.
        """
        request = urllib.request.Request(f"{self.base}/{what}", json.dumps(body).encode(), {"content-type": "application/json"})
        for tries in range(6):
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:
                    found: dict[str, Any] = json.load(answer)
                    return found
            except urllib.error.HTTPError as error:
                with error:
                    status, text = error.code, error.read()
                    later = float(error.headers.get("retry-after") or 0.5 * 2**tries)
                if status not in (429, 502, 503):
                    raise Refused(status, json.loads(text or b"{}")) from None
                time.sleep(later)
            except OSError:
                time.sleep(0.2 * 2**tries)
        raise SystemExit("the server cannot be reached")

    def send(self, what: str, body: dict[str, Any]) -> None:
        """One input under a number of its own."""
        self.n += 1
        ack = self.post(what, {"token": self.token, "n": self.n, "seat": self.seat, **body})
        self.acked = ack["version"]

    def listen(self) -> None:
        """Read the stream into the queue, and come back to it when the line is lost. Ends with the match."""
        version: int | None = None
        while True:
            asked = urlencode({} if version is None else {"version": version})
            request = urllib.request.Request(f"{self.base}/stream?{asked}", headers={"authorization": f"Bearer {self.token}"})
            try:
                with urllib.request.urlopen(request, timeout=30) as lines:  # a line comes every 10 s at least
                    for line in lines:
                        frame = json.loads(line)
                        version = frame.get("version", version)
                        self.frames.put(frame)
            except urllib.error.HTTPError as error:
                with error:
                    if error.code == 404:
                        break
            except (OSError, ValueError):
                pass
            if self.match.get("result") is not None:
                break
            time.sleep(0.5)
        self.frames.put(None)

    # ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self, frame: dict[str, Any]) -> None:
        """Learn what a frame tells."""
        if frame["type"] in ("state", "event"):
            self.version, self.match = frame["version"], frame["match"]
            self.awaiting, self.race_clock = frame["awaiting"], frame["race_clock"]

    def act(self) -> None:
        """Do what has to be done now, if anything has."""
        if self.version is None or self.version < self.acked or self.match["result"] is not None:
            return
        if self.seat in self.awaiting:
            self.send("command", {"name": "start"})
        elif self.seat in self.match["to_act"] and (self.race_clock is None or self.race_clock["running"]):
            legal = self.match["legal"][str(self.seat)]
            racing = self.race_clock is not None
            if self.wait and not (racing and legal == ["drop"]):
                time.sleep(self.wait)  # people like to see what was done
            action = choose(self.match, legal, self.lots)
            if racing and self.match["pace"] == "by_hand":
                time.sleep(self.match["min_gap"] / 1000)  # no hand sows faster
            self.send("play", {"action": action, "version": self.version})

    def play(self) -> dict[str, Any]:
        """Play until the match is over; gives its result."""
        threading.Thread(target=self.listen, daemon=True).start()
        while self.match.get("result") is None:
            try:
                frame = self.frames.get(timeout=0.2)
                while frame is not None:  # everything that has come, before something is done
                    self.take(frame)
                    frame = self.frames.get_nowait()
                raise SystemExit("the match is not there any more")
            except queue.Empty:
                pass
            try:
                self.act()
            except Refused as refused:
                # somebody was quicker, in a race, or the match has moved on: the stream tells how it stands now
                if refused.code not in ("illegal-action", "stale-version"):
                    raise
        result: dict[str, Any] = self.match["result"]
        return result


def main() -> int:
    """The command line."""
    parser = argparse.ArgumentParser(description="Take a free seat of a Muang match and play there.")
    parser.add_argument("link", help="the address of the match, http://…/play/MATCH")
    parser.add_argument("--name", default="Bot")
    parser.add_argument("--seed", type=int, help="choose the same way again")
    parser.add_argument("--wait", type=float, default=0.3, help="seconds before each choice")
    asked = parser.parse_args()
    try:
        bot = Bot(asked.link, asked.name, asked.seed, asked.wait)
        print(f"plays in seat {bot.seat}", flush=True)
        result = bot.play()
    except Refused as refused:
        print(f"cannot play: {refused}", file=sys.stderr)
        return 1
    print(f"over: {'nobody' if result['winner'] is None else result['winner']} has won ({result['reason']})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
