"""Owns how a match is left: what is asked about its record, and where that is kept. Knows no keys and draws nothing."""

from __future__ import annotations

import datetime
from pathlib import Path

from muang.errors import MuangError
from muang.i18n import N_, translate
from muang.tui.dialogs import Choose, Write
from muang.tui.keeping import why, write_record
from muang.tui.table import TableScreen

__all__ = ["LeavingScreen"]


class LeavingScreen(TableScreen):
    """A match that can be kept and left."""

    async def save(self) -> bool:
        """Ask for a file and keep the record there; False if it was not kept."""
        lang = self.session.lang
        today = datetime.date.today().isoformat()
        proposed = f"{self.session.view['game']}-{today}.txt"
        note = translate(N_("Enter keeps the record, Esc does not; a name that ends in .json keeps it as JSON."), lang)
        typed = await self.app.push_screen_wait(Write(translate("Save the record", lang), proposed, note))
        if typed is None or not typed.strip():
            return False
        path = Path(typed.strip()).expanduser()
        if path.exists() and not await self._over(path):
            return False
        try:
            record = self.record.record if self.record is not None else await self.driver.record() if self.driver is not None else None
            if record is None:
                return False
            write_record(record, path)
        except (MuangError, OSError) as error:
            self.words(translate("That is not possible: {reason}", lang, reason=why(error, path)))
            return False
        self.words(translate(N_("The record is kept in {file}."), lang, file=str(path)))
        return True

    async def _over(self, path: Path) -> bool:
        lang = self.session.lang
        title = translate(N_("{file} is there already. Write over it?"), lang, file=str(path))
        choices = [("no", translate("No, go on", lang)), ("yes", translate("Yes, I do", lang))]
        return await self.app.push_screen_wait(Choose(title, choices)) == "yes"

    async def leave(self, to_start: bool = False) -> None:
        """Go, and offer to keep the record of a match at this terminal that is not over."""
        session, lang = self.session, self.session.lang
        theatre = self.theatre
        begun = theatre.busy or bool(theatre.queue) or any(scene.seat is not None for scene in theatre.scenes)
        if self.driver is not None and self.driver.local and begun and not session.over and not self.app.keeps:  # type: ignore[attr-defined]
            choices = [
                ("save", translate("Save the record", lang)),
                ("go", translate(N_("Leave without it"), lang)),
                ("stay", translate("No, go on", lang)),
            ]
            chosen = await self.app.push_screen_wait(Choose(translate(N_("The match is not over."), lang), choices))
            if chosen in (None, "stay") or (chosen == "save" and not await self.save()):
                return
        await self.app.end_match(self, to_start)  # type: ignore[attr-defined]
