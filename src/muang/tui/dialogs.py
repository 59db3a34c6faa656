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

__all__ = ["Choose", "Reading", "Write"]


class Choose(ModalScreen[str | None]):
    """A list of ``(name, text)``; gives the name that was chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "")]

    def __init__(self, title: str, choices: Sequence[tuple[str, str]]) -> None:
        super().__init__()
        self.heading, self.choices = title, choices

    def compose(self) -> ComposeResult:
        """A heading and the list."""
        with Vertical(classes="window"):
            yield Static(self.heading, classes="heading", markup=False)
            yield OptionList(*(Option(text, id=name) for name, text in self.choices), markup=False)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """One has been chosen."""
        self.dismiss(event.option.id)

    def on_key(self, event: events.Key) -> None:
        """A digit chooses too."""
        if event.character and event.character in "123456789" and int(event.character) <= len(self.choices):
            event.stop()
            self.dismiss(self.choices[int(event.character) - 1][0])


class Write(ModalScreen[str | None]):
    """A line to be written; None if it was not."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "")]

    def __init__(self, title: str, value: str = "", note: str = "") -> None:
        super().__init__()
        self.heading, self.value, self.note = title, value, note

    def compose(self) -> ComposeResult:
        """A heading, the line, what may be said of it."""
        with Vertical(classes="window"):
            yield Static(self.heading, classes="heading", markup=False)
            yield Input(self.value, compact=True)
            yield Static(self.note, markup=False)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """It is written."""
        self.dismiss(event.value)


class Reading(ModalScreen[None]):
    """A text that can be scrolled."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,q,question_mark,enter,space", "dismiss(None)", "")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self.heading, self.text = title, text

    def compose(self) -> ComposeResult:
        """A heading and the text."""
        with Vertical(classes="window tall"):
            yield Static(self.heading, classes="heading", markup=False)
            with VerticalScroll(can_focus=True):
                yield Static(self.text, markup=False)
