"""A small learner on ``muang.batch``: learns to play by itself in less than a minute on one core, and shows how far it has come.

    python examples/learn.py
    python examples/learn.py ca-ngua --steps 2000 -o learning.svg
    python examples/learn.py mak-khum --ruleset trang --seed 3

It knows nothing but the numbers of an observation: a state is worth ``tanh(weights · numbers)`` to the seat that chooses there. To choose,
it tries every legal action on a copy of the game (``Batch.take``) and takes the one whose next state is worth most; what that is worth is
also what the state before it should have been worth: temporal differences, TD(0), in self-play. Now and then it tries something else.

Prints how many games it has learned from and its share of the points against random play, half of the games from each seat; ``-o`` plots
it. Two players. Needs NumPy and Matplotlib, which come with Muang.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import muang
from muang.games.table import Batch

GAMES = 256
"""Games that are learned from side by side."""
EXPLORE, RATE = 0.1, 0.5
TRIAL = 1000
"""Games of each trial against random play."""


@dataclass
class Learner:
    """A weight for each number of an observation. Numbers are brought to about -1 … 1 first: seeds by all seeds, squares by the track."""

    scale: NDArray[np.float64]
    weights: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self.weights = np.zeros(len(self.scale) + 1)

    def numbers(self, batch: Batch) -> NDArray[np.float64]:
        """What the learner sees of each game: float64[n, weights], with a 1 at the end."""
        return np.column_stack([batch.observation / self.scale, np.ones(batch.n)])

    def worth(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """-1 lost … 1 won, for the seat that chooses."""
        return np.tanh(numbers @ self.weights)

    def choose(self, batch: Batch, lots: np.random.Generator, seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """The best action of every game and what it is worth: int64[n], float64[n]."""
        games, actions = np.nonzero(batch.legal_action_mask)
        after = batch.take(games, seed)  # other dice than those that will be rolled
        mover = batch.current_player[games]
        paid = after.step(actions)[np.arange(len(games)), mover]
        worth = np.where(after.current_player == mover, 1, -1) * self.worth(self.numbers(after))
        worth = np.where(after.terminated, paid, worth)
        best = np.zeros(batch.n, np.int64)
        most = np.full(batch.n, -np.inf)
        order = np.lexsort((lots.random(len(games)), worth))  # the best comes last and stays; of equals any
        best[games[order]], most[games[order]] = actions[order], worth[order]
        return best, most

    def learn(self, numbers: NDArray[np.float64], target: NDArray[np.float64]) -> None:
        """One step down the gradient of the squared error."""
        worth = self.worth(numbers)
        self.weights += RATE * ((target - worth) * (1 - worth**2)) @ numbers / len(numbers)


def scale_of(batch: Batch) -> NDArray[np.float64]:
    """What each number of an observation is divided by."""
    sample = batch.take(np.arange(batch.n))
    most = np.ones(len(batch.columns))
    for _ in range(100):
        sample.step(sample.sample())
        sample.reset()
        most = np.maximum(most, np.abs(sample.observation).max(axis=0))
    return most


def trial(learner: Learner, game: muang.Game, seed: int, games: int = TRIAL) -> tuple[float, float]:
    """The learner's share of the points against random play, and the half width of its 95 % interval."""
    batch = muang.batch(game, games, seed=seed, threads=1)
    lots = np.random.default_rng(seed)
    seat = np.arange(games) % 2
    while not batch.terminated.all():
        actions = batch.sample(seed)
        mine = np.flatnonzero(batch.current_player == seat)
        if len(mine):
            actions[mine] = learner.choose(batch.take(mine), lots, int(lots.integers(1 << 62)))[0]
        batch.step(actions)
    points = np.where(batch.winner < 0, 0.5, batch.winner == seat)
    return float(points.mean()), float(1.96 * points.std() / games**0.5)


def train(game: muang.Game, steps: int, seed: int, trials: int) -> list[tuple[int, float, float]]:
    """Learn for so many choices in every game. Gives (games learned from, share, half width) of each trial, the first before learning."""
    batch = muang.batch(game, GAMES, seed=seed, threads=1)
    learner, lots = Learner(scale_of(batch)), np.random.default_rng(seed)
    curve: list[tuple[int, float, float]] = []
    begun = time.process_time()
    for step in range(steps + 1):
        if step % max(1, steps // trials) == 0 or step == steps:
            learned = int(batch.episodes.sum())
            share, width = trial(learner, game, seed + 1)
            curve.append((learned, share, width))
            seconds = time.process_time() - begun
            print(f"{learned:7} games  {100 * share:5.1f} % ± {100 * width:.1f} against random play  {seconds:5.1f} s", flush=True)
        best, worth = learner.choose(batch, lots, int(lots.integers(1 << 62)))
        learner.learn(learner.numbers(batch), worth)
        other = lots.random(GAMES) < EXPLORE
        batch.step(np.where(other, batch.sample(seed), best))
        batch.reset()
    largest = np.argsort(-np.abs(learner.weights[:-1]))[:8]
    print("largest weights:", ", ".join(f"{batch.columns[k]} {learner.weights[k]:+.2f}" for k in largest))
    return curve


def plot(curve: list[tuple[int, float, float]], title: str, path: str) -> None:
    """The share of the points by games learned from, with 95 % intervals."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4))
    games, share, width = (np.array(column) for column in zip(*curve, strict=True))
    axes.errorbar(games, 100 * share, 100 * width, marker="o", capsize=3)
    axes.axhline(50, color="grey", linestyle=":")
    axes.set(xlabel="games learned from", ylabel="points against random play, %", title=title, ylim=(0, 102))
    figure.tight_layout()
    figure.savefig(path)


def main(arguments: list[str] | None = None) -> int:
    """The command. 0 if the learner beats random play by more than chance, else 1."""
    parser = argparse.ArgumentParser(description="Learn to play one of the games, two players, on one core.")
    parser.add_argument("game", nargs="?", default="mak-khum", choices=muang.GAMES)
    parser.add_argument("--ruleset", help="a named ruleset; turns for the sowing games if left out")
    parser.add_argument("--steps", type=int, default=2000, help="choices to learn from in every game")
    parser.add_argument("--trials", type=int, default=8, help="how often to play against random play on the way")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("-o", "--output", metavar="FILE", help="plot the progress: .svg, .png or .pdf")
    asked: Any = parser.parse_args(arguments)
    try:
        game = muang.game(asked.game, asked.ruleset or ("phone" if asked.game == "ca-ngua" else "turns"))
        curve = train(game, max(1, asked.steps), asked.seed, max(1, asked.trials))
        if asked.output:
            plot(curve, f"{game.name}, {game.ruleset}: a linear learner in self-play", asked.output)
    except (muang.MuangError, OSError, ValueError) as error:
        print(f"learn.py: {error}", file=sys.stderr)
        return 2
    _, share, width = curve[-1]
    return 0 if share - width > 0.5 else 1


if __name__ == "__main__":
    sys.exit(main())
