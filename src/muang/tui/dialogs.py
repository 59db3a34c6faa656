"""Owns the small windows over a screen: a list to choose from, a line to write, a text to read. Decides nothing.

They have no side walls: Thai texts would bend them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

__all__ = ["Choose", "Reading", "Window", "Write"]


class Window(ModalScreen[str | None]):
    """What all have in common: they give one answer, however many keys come before they are gone."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "give_up", "")]

    def __init__(self, title: str) -> None:
        super().__init__()
        self.heading = title
        self.given = False

    def give(self, answer: str | None) -> None:
        """Answer, and go."""
        if not self.given:
            self.given = True
            self.dismiss(answer)

    def action_give_up(self) -> None:
        """Go without an answer."""
        self.give(None)


class Choose(Window):
    """A list of ``(name, text)``; gives the name that was chosen, or None."""

    def __init__(self, title: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__(title)
        self.choices = choices

    def compose(self) -> ComposeResult:
        """A heading and the list."""
        with Vertical(classes="window"):
            yield Static(self.heading, classes="heading", markup=False)
            yield OptionList(*(Option(text, id=name) for name, text in self.choices), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """One has been chosen."""
        self.give(event.option.id)

    def on_key(self, event: events.Key) -> None:
        """A digit chooses too."""
        if event.character and event.character in "123456789" and int(event.character) <= len(self.choices):
            event.stop()
            self.give(self.choices[int(event.character) - 1][0])


class Write(Window):
    """A line to be written; None if it was not."""

    def __init__(self, title: str, value: str = "", note: str = "") -> None:
        super().__init__(title)
        self.value, self.note = value, note

    def compose(self) -> ComposeResult:
        """A heading, the line, what may be said of it."""
        with Vertical(classes="window"):
            yield Static(self.heading, classes="heading", markup=False)
            yield Input(self.value, compact=True)
            yield Static(self.note, markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """It is written."""
        self.give(event.value)


class Reading(Window):
    """A text that can be scrolled."""

    BINDINGS: ClassVar[list[BindingType]] = [("q,question_mark,enter,space", "give_up", "")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__(title)
        self.text = text

    def compose(self) -> ComposeResult:
        """A heading and the text."""
        with Vertical(classes="window tall"):
            yield Static(self.heading, classes="heading", markup=False)
            with VerticalScroll(can_focus=True):
                yield Static(self.text, markup=False)
