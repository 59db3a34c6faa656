"""Owns what the server counts and measures about itself, and how it is told to Prometheus. Nothing in it names a person or a match."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

__all__ = ["Metrics"]

QUICK = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0)
"""Bounds in seconds: what people feel lies between 10 ms and a second."""


disable_created_metrics()  # type: ignore[no-untyped-call]  # when a counter was made says nothing that the process' own start does not


class _Frames(Collector):
    """Tells the numbers of frames when they are asked for."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics

    def collect(self) -> Iterator[CounterMetricFamily]:
        family = CounterMetricFamily("muang_frames", "Frames of the live protocol.", labels=["direction"])
        family.add_metric(["in"], self._metrics.frames_in)
        family.add_metric(["out"], self._metrics.frames_out)
        yield family


class Times(Collector):
    """How long something takes that happens thousands of times a second, in buckets; counted by one thread without locks."""

    def __init__(self, name: str, text: str) -> None:
        self._name, self._text = name, text
        self._counts = [0] * (len(QUICK) + 1)
        self._sum = 0.0

    def observe(self, seconds: float) -> None:
        """It took so long once more."""
        self._counts[bisect_left(QUICK, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        bounds = [*(str(bound) for bound in QUICK), "+Inf"]
        buckets = list(zip(bounds, itertools.accumulate(self._counts), strict=True))
        yield HistogramMetricFamily(self._name, self._text, buckets=buckets, sum_value=self._sum)


class Metrics:
    """The figures of one server, in a registry of its own."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.matches = self._gauge("muang_matches", "Matches in memory.")
        self.sockets = self._gauge("muang_sockets", "Screens connected by WebSocket.")
        self.streams = self._gauge("muang_streams", "Screens connected by HTTP stream.")
        self.thinking = self._gauge("muang_thinking", "Thoughts of computer players under way or in line.")
        self.made = Counter("muang_matches_made", "Matches made.", registry=self.registry)
        self.frames_in = self.frames_out = 0
        """Frames of the live protocol. Thousands a second: plain numbers, which cost nothing."""
        self.registry.register(_Frames(self))
        self.refusals = Counter("muang_refusals", "Inputs and requests refused, by code.", ["code"], registry=self.registry)
        self.resyncs = Counter("muang_resyncs", "Whole states sent because a screen had fallen behind or asked.", registry=self.registry)
        self.broken = Counter("muang_broken", "Matches stopped by a mistake of the server.", registry=self.registry)
        self.append = Times("muang_append_seconds", "Time to get entries on disk.")
        self.move = Times("muang_move_seconds", "From the arrival of an input to its telling, the disk included.")
        self.registry.register(self.append)
        self.registry.register(self.move)

    def _gauge(self, name: str, text: str) -> Gauge:
        return Gauge(name, text, registry=self.registry)

    def watch(self, gauge: Gauge, count: Callable[[], float]) -> None:
        """Let a gauge ask for its value when it is read."""
        gauge.set_function(count)

    def text(self) -> bytes:
        """Everything in Prometheus' text form."""
        return generate_latest(self.registry)
