"""Owns the one decorator that compiles kernels, and where compiled code is kept.

Numba's own cache does not notice an edit in a module that a kernel calls, so the cache folder's name is a digest of all sources that a
kernel's module may call, and of the Numba version. An edit in ``search`` does not compile the rules again.
Without Numba (``plain()`` called before a kernel module is imported, or ``MUANG_JIT=off``) the same functions run as ordinary Python:
slower, and the same result.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

__all__ = ["compiled", "inlined", "kernel", "kernel_digest", "lean", "plain"]

F = TypeVar("F", bound=Callable[..., Any])

_state = {"plain": os.environ.get("MUANG_JIT", "on") == "off", "settled": False}
"""``settled``: a kernel has been made, and all others are made the same way. Compiled and plain ones do not go together."""


def plain() -> None:
    """Run kernels as plain Python in this process. Only before the first kernel module is imported; later it changes nothing."""
    if not _state["settled"]:
        _state["plain"] = True


def compiled() -> bool:
    """Whether kernels are compiled in this process."""
    return not _state["plain"]


_IMPORT = re.compile(r"^\s*from muang\.((?:search|solver)[\w.]*) import ", re.MULTILINE)
_ROOT = Path(__file__).parent.parent


def _called(module: str) -> set[Path]:
    """The sources of a module of ``search`` or ``solver`` and of all that it imports from these two."""
    todo, found = [module], set[Path]()
    while todo:
        path = _ROOT.joinpath(*todo.pop().split(".")).with_suffix(".py")
        if path.is_file() and path not in found:
            found.add(path)
            todo += _IMPORT.findall(path.read_text(encoding="utf-8"))
    return found


@cache
def kernel_digest(module: str = "games") -> str:
    """Twelve hex digits that change with any source that a module's kernels may call: all of ``games``, and what it imports above.

    ``module`` is its name below ``muang``: ``search.turns``.
    """
    digest = hashlib.sha256(sys.version.encode())
    above = set[Path]() if module.startswith("games") else _called(module)
    for path in sorted({*(_ROOT / "games").rglob("*.py"), *above}):
        digest.update(path.relative_to(_ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _cache_home() -> Path:
    if "MUANG_CACHE" in os.environ:
        return Path(os.environ["MUANG_CACHE"])
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "muang" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "muang"


@cache
def _numba(module: str) -> Any:
    import numba

    folder = _cache_home() / f"kernels-{kernel_digest(module)}-{numba.__version__}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a read-only home: Numba then looks for a place of its own
        return numba, None
    return numba, str(folder)


def kernel(function: F) -> F:
    """Compile ``function`` on first call (nogil, cached on disk). Kernels trust their arguments: callers check."""
    return _compile(function)


def inlined(function: F) -> F:
    """The same body as a kernel, made one with whatever calls it: a call costs as much as a short walk."""
    return _compile(getattr(function, "py_func", function), inline="always")


def lean(function: F) -> F:
    """As ``kernel``, without counting references: it must make no array, and its calls of ``inlined`` bodies cost nothing."""
    return _compile(function, _nrt=False)


def _compile(function: F, **options: Any) -> F:
    _state["settled"] = True
    if not compiled():
        return function
    module = function.__module__.removeprefix("muang.")
    numba, folder = _numba(module if module.startswith(("search.", "solver.")) else "games")
    before = numba.config.CACHE_DIR
    if folder is not None:
        numba.config.CACHE_DIR = folder  # read once, while decorating
    try:
        return numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)  # type: ignore[no-any-return]
    finally:
        numba.config.CACHE_DIR = before
