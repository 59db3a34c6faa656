"""Owns what a network is told: under which addresses this machine can be reached, its names, a QR code, and what may stand in the way."""

from __future__ import annotations

import io
import ipaddress
import socket
import sys

import psutil
import segno

__all__ = ["addresses", "names", "qr_text", "url_of", "welcome"]

NOT_FOR_PHONES = (
    "docker",
    "br-",
    "veth",
    "virbr",
    "vmnet",
    "vboxnet",
    "cni",
    "flannel",
    "lxc",
    "lxd",
    "podman",
    "ifb",
    "awdl",
    "llw",
    "utun",
)
"""Beginnings of the names of networks inside this machine."""
NOT_ON_WINDOWS = ("vEthernet", "VirtualBox", "VMware", "Loopback")


def addresses(family: int = socket.AF_INET) -> list[str]:
    """Addresses under which others on the network reach this machine, the likeliest first. Link-local ones are left out."""
    found: list[str] = []
    up = {name for name, state in psutil.net_if_stats().items() if state.isup}
    for name, bound in psutil.net_if_addrs().items():
        if name not in up or name.startswith(NOT_FOR_PHONES) or any(word in name for word in NOT_ON_WINDOWS):
            continue
        for one in bound:
            if one.family == family:
                address = ipaddress.ip_address(one.address.partition("%")[0])
                if not (address.is_loopback or address.is_link_local or address.is_unspecified):
                    found.append(str(address))
    first = _outward(family)
    return sorted(dict.fromkeys(found), key=lambda one: (one != first, not ipaddress.ip_address(one).is_private))


def _outward(family: int) -> str | None:
    """The address of the way out of this network: the one that the others see. Nothing is sent."""
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1" if family == socket.AF_INET else "2001:db8::1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return None


def url_of(address: str, port: int) -> str:
    """What to type into a browser."""
    return f"http://{f'[{address}]' if ':' in address else address}:{port}/"


def names() -> list[str]:
    """Names under which others may reach this machine, where the network knows names."""
    own = socket.gethostname().lower().rstrip(".")
    if not own or own == "localhost":
        return []
    return list(dict.fromkeys([f"{own.partition('.')[0]}.local", own]))


def qr_text(url: str) -> str:
    """A QR code in block letters, two modules a letter."""
    out = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(out, border=2, compact=True)
    return out.getvalue().rstrip("\n")


def welcome(port: int, at: list[str], qr: bool = True) -> str:
    """What is printed for those on the same network: where, how, and what may keep them out."""
    urls = [url_of(one, port) for one in at]
    if not urls:
        return "This machine has no address on a network: join one, then start again. Until then only this machine can play."
    lines = ["On the same network, open this address, or point a phone's camera at the code:", ""]
    lines += [f"    {url}" for url in urls]
    known = [f"http://{name}:{port}/" for name in names()]
    if known:
        lines += ["", f"Where the network knows names, also: {'  '.join(known)}"]
    if qr:
        lines += ["", qr_text(urls[0])]
    lines += ["", *_firewall(port)]
    return "\n".join(lines)


def _firewall(port: int) -> list[str]:
    """What may keep others out, and how it is let in, on this system."""
    lines = [f"If a phone cannot open it, a firewall here may be closed to TCP port {port}:"]
    if sys.platform == "win32":
        lines += [
            "  Windows asks once: allow Python on private networks. If it did not ask, in a terminal of an administrator:",
            f'    netsh advfirewall firewall add rule name="Muang" dir=in action=allow protocol=TCP localport={port}',
        ]
    elif sys.platform == "darwin":
        lines += [
            "  System Settings, Network, Firewall, Options: allow incoming connections for Python (or switch the firewall off meanwhile)."
        ]
    else:
        lines += [
            f"  sudo ufw allow {port}/tcp                  (Ubuntu, Debian)",
            f"  sudo firewall-cmd --add-port={port}/tcp    (Fedora; until the next restart)",
        ]
    lines += [
        'Some networks keep their devices apart (guest networks, "client isolation", many in schools and cafés): then nothing helps but',
        "another network, for example the hotspot of a phone. Everybody on this network can open the page; a private match needs its link.",
    ]
    return lines
