"""Owns compiling every kernel at once: ``python -m muang.lab.warm``. Kept in the cache folder, so later starts are quick."""

from __future__ import annotations

import time
from concurrent.futures import ProcessPoolExecutor

from muang.games.batch import batch
from muang.games.core import game

__all__ = ["warm"]


def _batches(name: str) -> None:
    of = game(name)
    games = batch(of, 2)
    games.step(games.sample())
    games.reset()
    assert games.observation.size
    assert games.legal_action_mask.any()
    if name == "ca-ngua":
        from muang.games.ca_ngua import batch as horses
        from muang.games.ca_ngua.rules import CaNgua

        assert isinstance(of, CaNgua)
        horses.simulate(of, 10)
        return
    from muang.games.sowing import batch as sowing
    from muang.games.sowing.game import SowingGame

    assert isinstance(of, SowingGame)
    sowing.simulate(of, 2)
    sowing.stream(of, 2, 1)
    sowing.perft(of, of.refill((of.layout.total // 2,) * 2)[0], 0, 0, 2)


def _play(_: str) -> None:
    from muang.search.warm import warm_up

    warm_up()


def warm() -> None:
    """Compile what play, simulation and the tests call, on two processes."""
    with ProcessPoolExecutor(2) as pool:
        list(pool.map(_task, ["play", "mak-khum", "ca-ngua"]))


def _task(what: str) -> None:
    _play(what) if what == "play" else _batches(what)


if __name__ == "__main__":
    begun = time.perf_counter()
    warm()
    print(f"kernels ready after {time.perf_counter() - begun:.1f} s")
