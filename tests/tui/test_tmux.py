"""The app in a real terminal: tmux holds it, keys go in as bytes, the screen is read back as people see it."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from muang.records import read


class Terminal:
    """A tmux server of its own with one window."""

    def __init__(self, folder: Path, program: str, width: int = 80, height: int = 24, **environment: str) -> None:
        self.socket = str(folder / "tmux")
        self.program = program
        settings = {"TERM": "screen-256color", "MUANG_TABLES": str(folder / "no-tables"), "LC_ALL": "C.UTF-8", **environment}
        told = " ".join(f"{name}={shlex.quote(value)}" for name, value in settings.items())
        python = f"{shlex.quote(sys.executable)} -c 'from muang.cli import main; main()'"
        command = f"env -u NO_COLOR {told} {python} {program}; echo ended $?; sleep 60"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-x", str(width), "-y", str(height), command)

    def tmux(self, *arguments: str) -> str:
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["tmux", "-S", self.socket, *arguments], capture_output=True, text=True, timeout=20, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def type(self, *keys: str) -> None:
        self.tmux("send-keys", *keys)

    def text(self, escapes: bool = False) -> str:
        return self.tmux("capture-pane", "-p", *(["-e"] if escapes else []))

    def until(self, true: Callable[[str], bool], seconds: float = 40) -> str:
        """Wait till the screen shows something; gives what it shows."""
        ends = time.monotonic() + seconds
        while not true(text := self.text()):
            assert time.monotonic() < ends, text
            time.sleep(0.05)
        return text

    def app(self) -> int:
        """The number of the process."""
        child = self.tmux("display-message", "-p", "#{pane_pid}").strip()
        told = subprocess.run(["ps", "-o", "pid=", "--ppid", child], capture_output=True, text=True, check=True).stdout
        return int(told.split()[0])

    def close(self) -> None:
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, timeout=20)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Callable[..., Terminal]]:
    """Opens terminals; they are closed afterwards."""
    if shutil.which("tmux") is None:
        if os.environ.get("MUANG_REQUIRE") == "all":
            pytest.fail("there is no tmux here, and MUANG_REQUIRE=all asks for it (apt-get install tmux)")
        pytest.skip("there is no tmux here (apt-get install tmux)")
    opened: list[Terminal] = []

    def open_one(program: str, **settings: object) -> Terminal:
        folder = tmp_path / str(len(opened))
        folder.mkdir()
        opened.append(Terminal(folder, program, **settings))  # type: ignore[arg-type]
        return opened[-1]

    yield open_one
    for one in opened:
        one.close()


def test_a_match_is_played_by_keys_and_its_record_kept(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    """Mak Khum with four holes of two seeds against the computer, to its end; what was seen agrees with the record."""
    record = tmp_path / "kept.txt"
    options = "--ruleset turns --option holes=3 --option seeds=2 --players person,person --first S --seed 4 --speed very-fast"
    shown = terminal(f"tui --game mak-khum {options} --save {record} --lang en")
    text = shown.until(lambda text: "South, choose: S1 S2 S3" in text)
    lines = text.splitlines()
    assert len(lines) == 24
    assert all(len(line) <= 80 for line in lines)
    assert "│N1" in text
    assert lines[-1].strip().startswith("< > =")
    choices = 0
    while "choose:" in text:
        choices += 1
        assert choices < 100
        asked = next(line for line in text.splitlines() if "choose:" in line)
        shown.type(asked.split()[-1][1:], "Escape")
        text = shown.until(lambda text, asked=asked: asked not in text and ("choose:" in text or "has won" in text or "Drawn" in text))  # type: ignore[misc]
    shown.type("q")
    shown.until(lambda text: "ended 0" in text)
    kept = read(record.read_text(encoding="utf-8"))
    match = kept.match()
    assert match.result is not None
    assert ("has won" in text) == (match.result.winner is not None)
    seeds = match.result.seeds
    assert f"South {seeds['S']} : North {seeds['N']}" in text


def test_both_hands_race_in_a_real_terminal_and_ctrl_c_leaves_it_clean(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("tui --game mak-khum --pace steady --players person,person --tempo 40 --lang en", width=120, height=40)
    shown.until(lambda text: "Ready? Press Space." in text)
    shown.type("Space")
    shown.until(lambda text: "Go!" in text or "choose a hole!" in text)
    shown.type("3", "w")
    shown.until(lambda text: "South lifts" in text and "North lifts" in text and "●●●" in text)  # the large board
    shown.type("C-c")
    shown.until(lambda text: "The match is not over." in text)
    shown.type("2")
    text = shown.until(lambda text: "ended 0" in text)
    assert "Traceback" not in text
    assert "│" not in text  # the terminal is given back as it was


def test_without_unicode_and_colours_everything_is_still_told(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("tui --game ca-ngua --players person,person --seed 1 --lang en", LC_ALL="C", PYTHONIOENCODING="ascii", NO_COLOR="1")
    shown.until(lambda text: "choose a move" in text)
    text = shown.text(escapes=True)
    assert text.isascii()
    assert "38;" not in text  # no colour of letters, in any of the ways to say it
    assert "48;" not in text
    assert "R1" in text
    assert "?" not in text.replace("? Help", "")
    shown.type("m")
    text = shown.until(lambda text: "Menu" in text.splitlines()[6] or "Red leaves" in text)
    assert "?" not in text.replace("? Help", "")
    shown.type("Escape")
    shown.until(lambda text: "Red leaves" not in text)
    shown.type("C-c")
    shown.until(lambda text: "The match is not over." in text)
    shown.type("2")
    shown.until(lambda text: "ended 0" in text)


def test_a_terminal_that_is_too_small_says_so(terminal: Callable[..., Terminal]) -> None:
    """The size is the terminal's, whatever the shell has exported of another one."""
    shown = terminal("tui --game mak-khum --ruleset turns --lang en", width=60, height=20, COLUMNS="80", LINES="24")
    assert "Please make it larger." in " ".join(shown.until(lambda text: "60" in text and "larger" in text).split())
    shown.type("q")
    shown.until(lambda text: "ended 0" in text)


def test_bytes_that_are_no_text_end_nothing_and_a_signal_keeps_the_record(terminal: Callable[..., Terminal], tmp_path: Path) -> None:
    record = tmp_path / "kept.txt"
    shown = terminal(
        f"tui --game mak-khum --ruleset turns --players person,person --first S --save {record} --lang vi --ascii; echo code $?"
    )
    shown.until(lambda text: "South, choose: S1" in text)  # Vietnamese cannot be read in ASCII
    shown.type("-H", "e9", "61")
    time.sleep(0.5)
    shown.type("3")
    shown.until(lambda text: "South lifts" in text)
    assert not record.exists()  # nothing is there before the end
    os.kill(shown.app(), signal.SIGTERM)
    text = shown.until(lambda text: "code 143" in text)
    assert "Traceback" not in text
    assert read(record.read_text(encoding="utf-8")).entries[0].action == "S3"


def test_it_goes_on_after_a_stop_and_ends_with_its_terminal(terminal: Callable[..., Terminal]) -> None:
    """Stopped from outside, told to go on without a stop, then without a terminal: nothing is begun twice, nothing outlives it."""
    shown = terminal("tui --game mak-khum --ruleset turns --players person,person --first S --speed very-fast --lang en")
    shown.until(lambda text: "South, choose: S1" in text)
    app = shown.app()
    before = _threads(app)
    os.kill(app, signal.SIGSTOP)
    for _ in range(3):
        os.kill(app, signal.SIGCONT)
        time.sleep(0.5)
    assert _threads(app) == before
    shown.type("3")
    shown.until(lambda text: "South lifts" in text)
    shown.close()
    ends = time.monotonic() + 30
    while _runs(app):
        assert time.monotonic() < ends, "it runs on without a terminal"
        time.sleep(0.1)


def _threads(process: int) -> int:
    told = subprocess.run(["ps", "-o", "nlwp=", "-p", str(process)], capture_output=True, text=True, check=True).stdout
    return int(told)


def _runs(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
