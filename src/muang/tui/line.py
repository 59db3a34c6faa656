"""Owns what may come in from the terminal besides keys: bytes that are no text, its end, and the signals that tell of it."""

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
        """Textual's own, whose thread of input ends at the first byte that is not UTF-8 and takes the app with it."""

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
