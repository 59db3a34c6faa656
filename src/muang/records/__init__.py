"""Owns positions, actions and whole matches as text, JSON and pictures, and the sentences that say what happened. Owns no rule.

``read`` takes a record in either form; ``write`` gives the readable one.
"""

from muang.records import json as _json
from muang.records import text as _text
from muang.records.record import Heading, Record, Transition
from muang.records.text import write

__all__ = ["Heading", "Record", "Transition", "read", "write"]


def read(text: str) -> Record:
    """The record of a text, JSON or tag pairs. ``BadRecord`` says what cannot be read."""
    return _json.read(text) if text.lstrip("\ufeff \t\r\n").startswith("{") else _text.read(text)
