"""Owns what may come in from the terminal besides keys: bytes that are no text, its end, and the signals that tell of it or of a pause."""

from __future__ import annotations

import os
import signal
import sys

from textual.driver import Driver

__all__ = ["ENDS", "patient"]

ENDS: tuple[signal.Signals, ...] = () if sys.platform == "win32" else (signal.SIGTERM, signal.SIGHUP)
"""The signals that end the app as if it had been left: elsewhere there are none."""

if sys.platform == "win32":

    def patient(driver: type[Driver]) -> type[Driver]:
        """As it is: there the keys come as events, not as bytes."""
        return driver

else:
    from textual.drivers.linux_driver import LinuxDriver

    class PatientDriver(LinuxDriver):
        """Textual's own, whose thread of input ends at the first byte that is not UTF-8 and takes the app with it.

        Textual also begins a second time, threads and all, whenever the process is told to go on (SIGCONT), even if it has never
        stopped: as when a terminal is closed. Nobody ends the first threads then, and they outlive the app.
        """

        on = False
        """Whether the terminal is ours."""

        def start_application_mode(self) -> None:
            """Take the terminal."""
            self.on = True
            super().start_application_mode()  # type: ignore[no-untyped-call]

        def stop_application_mode(self) -> None:
            """Give it back."""
            self.on = False
            super().stop_application_mode()

        def _sigcont_application(self, *_: object) -> None:
            if self._must_signal_resume:  # it was Ctrl-Z, and all has been given back before
                super()._sigcont_application()
            elif self.on:
                self._loop.call_soon_threadsafe(self._taken_again)

        def _taken_again(self) -> None:
            """After a stop of which nobody has told us, and in which the shell may have set the terminal as it likes it."""
            if self.on:
                self.suspend_application_mode()
                self.resume_application_mode()

        def run_input_thread(self) -> None:
            """Begin anew after such a byte: what came with it is lost, what comes after it is read."""
            while not self.exit_event.is_set():
                try:
                    super().run_input_thread()
                except UnicodeDecodeError:
                    continue
                except OSError:
                    if not self.exit_event.is_set():
                        os.kill(os.getpid(), signal.SIGHUP)  # the terminal is gone, whoever has told of it
                    return

    def patient(driver: type[Driver]) -> type[Driver]:
        """The driver in place of Textual's for this system; any other, of a test say, stays as it is."""
        return PatientDriver if driver is LinuxDriver else driver
