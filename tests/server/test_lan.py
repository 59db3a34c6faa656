"""``muang serve --lan``: what is printed, and two clients that meet at the printed address as two phones would."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import segno

from muang.cli import run
from muang.server import lan
from muang.server.serve import address_of, listen
from server.desk import Client, aask, free_port


@pytest.fixture
def reachable() -> str:
    """An address of this machine on a network."""
    found = lan.addresses()
    if not found:
        if os.environ.get("MUANG_REQUIRE") == "all":
            pytest.fail("this machine is on no network")
        pytest.skip("this machine is on no network")
    return found[0]


@pytest.fixture
def served(tmp_path: Path, reachable: str) -> Iterator[list[str]]:
    """What ``muang serve --lan`` prints, while it runs."""
    program = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from muang.cli import main; main()",
            "serve",
            "--lan",
            "--no-browser",
            "--data",
            str(tmp_path),
            "--port",
            str(free_port()),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MUANG_WARM": "0", "PYTHONIOENCODING": "utf-8"},
    )
    assert program.stdout is not None
    lines = [program.stdout.readline()]
    while lines[-1] and "private match" not in lines[-1]:
        lines.append(program.stdout.readline())
    try:
        yield lines
    finally:
        program.terminate()
        assert program.communicate(timeout=20)[1] == ""
        assert program.returncode == 0


async def test_two_phones_meet_at_the_printed_address(served: list[str], reachable: str) -> None:
    text = "".join(served)
    urls = re.findall(r"^    (http://\S+)/$", text, re.MULTILINE)
    base = urls[0].removeprefix("http://")
    assert base.rpartition(":")[0] == reachable
    port = base.rpartition(":")[2]
    assert f"{port}/tcp" in text
    wanted = {"game": "mak-khum", "ruleset": "turns", "seats": [{"seat": "S", "name": "An"}, {"seat": "N", "kind": "open"}]}
    status, _, body = await aask(base, "/api/matches", wanted, {"origin": f"http://{base}"})
    made = json.loads(body)
    assert status == 201, made
    for host in (base, f"127.0.0.1:{port}"):  # also where the host's own screen shows it: the others can only use the network's address
        status, _, code = await aask(host, f"/api/matches/{made['id']}/qr.svg")
        assert status == 200
        assert code == (await aask(base, f"/api/matches/{made['id']}/qr.svg"))[2]
    status, _, body = await aask(base, f"/api/matches/{made['id']}/sit", {"name": "ปลา"}, {"origin": f"http://{base}"})
    assert status == 200, body
    sat = json.loads(body)
    async with Client(base, made, "S") as one, Client(base, {**made, "tokens": {"N": sat["token"]}}, "N") as two:
        async with asyncio.timeout(30):
            while not two.match.get("to_act") or not (one.mine() or two.mine()):
                await two.hear()
                await one.hear()
        mover = one if one.mine() else two
        seat = mover.mine()[0]
        assert (await mover.play(seat, mover.match["legal"][seat][0]))["type"] == "ack"


# ── addresses ────────────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A laptop on a wifi, with Docker."""

    def at(address: str, family: int = socket.AF_INET) -> SimpleNamespace:
        return SimpleNamespace(family=family, address=address)

    bound = {
        "lo": [at("127.0.0.1"), at("::1", socket.AF_INET6)],
        "docker0": [at("172.17.0.1")],
        "br-1234": [at("172.18.0.1")],
        "tun0": [at("10.8.0.2")],
        "wlan0": [at("192.168.1.7"), at("169.254.3.4"), at("fe80::1%wlan0", socket.AF_INET6), at("02:00:00:00:00:01", 17)],
        "eth0": [at("192.168.9.9")],
    }
    monkeypatch.setattr(psutil, "net_if_addrs", lambda: bound)
    monkeypatch.setattr(psutil, "net_if_stats", lambda: {name: SimpleNamespace(isup=name != "eth0") for name in bound})


def test_addresses_are_those_that_a_phone_can_reach(network: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_outward", lambda family: "192.168.1.7")
    assert lan.addresses() == ["192.168.1.7", "10.8.0.2"]
    assert lan.addresses(socket.AF_INET6) == []


def test_what_is_printed(network: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lan, "_outward", lambda family: "10.8.0.2")
    monkeypatch.setattr(socket, "gethostname", lambda: "Laptop.lan")
    for platform, word in (("linux", "ufw allow 8642/tcp"), ("win32", "localport=8642"), ("darwin", "System Settings")):
        monkeypatch.setattr(sys, "platform", platform)
        text = lan.welcome(8642, lan.addresses())
        assert text.index("http://10.8.0.2:8642/") < text.index("http://192.168.1.7:8642/")
        assert "http://laptop.local:8642/  http://laptop.lan:8642/" in text
        assert word in text
        assert "█" in text
    assert "█" not in lan.welcome(8642, lan.addresses(), qr=False)
    assert "no address on a network" in lan.welcome(8642, [])


def test_the_code_is_that_of_the_address() -> None:
    """Read back module by module: a block is light, as on a dark terminal."""
    url = "http://192.168.1.7:8642/"
    light = {"█": (1, 1), "▀": (1, 0), "▄": (0, 1), " ": (0, 0)}
    rows: list[list[int]] = []
    for line in lan.qr_text(url).splitlines():
        pairs = [light[char] for char in line]
        rows += [[pair[0] for pair in pairs], [pair[1] for pair in pairs]]
    matrix = segno.make(url, error="m", micro=False).matrix
    size = len(matrix)
    assert [[1 - module for module in row[2 : size + 2]] for row in rows[2 : size + 2]] == [list(row) for row in matrix]
    assert all(all(row[:2]) and all(row[size + 2 :]) for row in rows[: size + 4]), "a light rim, without which no phone reads it"


def test_addresses_as_they_are_typed() -> None:
    assert lan.url_of("fd00::2", 80) == "http://[fd00::2]:80/"
    for host, shown in (("0.0.0.0", "127.0.0.1"), ("127.0.0.1", "127.0.0.1")):
        bound = listen(host, 0)
        assert address_of(bound) == f"http://{shown}:{bound.getsockname()[1]}/"
        bound.close()


def test_a_port_that_is_taken_says_what_to_do(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert run(["serve", "--port", str(port), "--data", str(tmp_path), "--no-browser"]) == 1
    err = capfd.readouterr().err
    assert "--port" in err
    assert str(port) in err
