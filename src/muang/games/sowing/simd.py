"""Owns whole laps as vector arithmetic: a board is 16 or 32 bytes, a lap is one add of a precomputed row.

``laps`` builds the tables; ``add_lap_*`` and ``filled_*`` are LLVM vector operations (any processor), with plain-Python twins where kernels
run uncompiled. Nothing here knows what a landing does.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from muang.games._jit import compiled
from muang.games.sowing.layout import PLACES, Layout

__all__ = ["add_lap_16", "add_lap_32", "copy_32", "filled_16", "filled_32", "laps", "select_table", "width"]


def width(layout: Layout) -> int:
    """Bytes of a packed board: 16 if all places fit, else 32."""
    return 16 if 2 * layout.holes + 2 <= 16 else PLACES


@lru_cache(maxsize=64)
def laps(layout: Layout, skip_origin: bool, widows: int, size: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """What a lap adds to the board, and where it ends, for every seat, place and number of seeds.

    ``size`` is the board's width in bytes. ``add`` is uint8[2 * 32 * (total + 1) * size], its row for a lap is number
    ``((seat * 32) + place) * (total + 1) + seeds``: added modulo 256, in it the lifted hole loses its seeds. ``last`` is
    uint8[2 * 32 * (total + 1)]: the place of the lap's last drop; ``gain``, alike, what the row adds there: the next hand is known
    before the whole lap has been added.
    """
    most = layout.total + 1
    add = np.zeros((2, PLACES, most, size), np.uint8)
    last = np.zeros((2, PLACES, most), np.uint8)
    gain = np.zeros((2, PLACES, most), np.uint8)
    for seat in (0, 1):
        open_path = [p for p in layout.paths[seat] if not widows >> p & 1]
        for place in layout.paths[seat]:
            if place not in open_path:
                continue
            start = open_path.index(place)
            order = open_path[start + 1 :] + open_path[:start]
            if not skip_origin:
                order.append(place)
            if not order:
                continue
            row = np.zeros(size, np.uint8)
            for seeds in range(1, most):
                at = order[(seeds - 1) % len(order)]
                row[at] += 1
                add[seat, place, seeds] = row
                add[seat, place, seeds, place] = (int(row[place]) - seeds) % 256
                last[seat, place, seeds] = at
                gain[seat, place, seeds] = add[seat, place, seeds, at]
    return add.reshape(-1), last.reshape(-1), gain.reshape(-1)


@lru_cache(maxsize=16)
def select_table(holes: int) -> NDArray[np.uint8]:
    """``[mask, k]``: the number of the k-th set bit of a mask; uint8[2**holes, 16], flattened."""
    table = np.zeros((1 << holes, 16), np.uint8)
    for mask in range(1 << holes):
        bits = [i for i in range(holes) if mask >> i & 1]
        table[mask, : len(bits)] = bits
    return table.reshape(-1)


add_lap_16: Any
add_lap_32: Any
copy_32: Any
filled_16: Any
filled_32: Any

if compiled():
    from llvmlite import ir
    from numba import types
    from numba.core import cgutils
    from numba.extending import intrinsic

    def _vector(context: Any, builder: Any, signature: Any, array: Any, index: int, row: Any, size: int) -> Any:
        """A pointer to the array, or to its ``row``-th ``size`` bytes, as an LLVM vector."""
        proxy: Any = cgutils.create_struct_proxy  # untyped in numba
        data = proxy(signature.args[index])(context, builder, array).data
        vectors = builder.bitcast(data, ir.VectorType(ir.IntType(8), size).as_pointer())
        return vectors if row is None else builder.gep(vectors, [row])

    def _make_add(size: int) -> Any:
        @intrinsic
        def add(typingctx: Any, board: Any, table: Any, row: Any) -> Any:
            """``board[:size] += table[row * size : (row + 1) * size]``, one vector add."""

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                target = _vector(context, builder, signature, args[0], 0, None, size)
                lap = _vector(context, builder, signature, args[1], 1, args[2], size)
                total = builder.add(builder.load(target, align=1), builder.load(lap, align=1))
                builder.store(total, target, align=1)
                return context.get_dummy_value()

            return types.void(board, table, types.uint64), codegen

        return add

    def _make_filled(size: int) -> Any:
        @intrinsic
        def mask(typingctx: Any, board: Any) -> Any:
            """Bit ``p`` for every non-zero byte ``p`` of ``board[:size]``."""

            def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
                vector = builder.load(_vector(context, builder, signature, args[0], 0, None, size), align=1)
                zero = ir.Constant(ir.VectorType(ir.IntType(8), size), None)
                bits = builder.bitcast(builder.icmp_unsigned("!=", vector, zero), ir.IntType(size))
                return builder.zext(bits, ir.IntType(64))

            return types.int64(board), codegen

        return mask

    @intrinsic
    def _copy(typingctx: Any, target: Any, source: Any) -> Any:
        """``target[:32] = source[:32]``, one vector move."""

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            row = builder.load(_vector(context, builder, signature, args[1], 1, None, 32), align=1)
            builder.store(row, _vector(context, builder, signature, args[0], 0, None, 32), align=1)
            return context.get_dummy_value()

        return types.void(target, source), codegen

    copy_32 = _copy
    add_lap_16, add_lap_32 = _make_add(16), _make_add(32)
    filled_16, filled_32 = _make_filled(16), _make_filled(32)
else:

    def _plain_add(size: int) -> Any:
        def add(board: Any, table: Any, row: int) -> None:
            board[:size] += table[row * size : (row + 1) * size]

        return add

    def _plain_filled(size: int) -> Any:
        def mask(board: Any) -> int:
            return sum(1 << i for i in range(size) if board[i])

        return mask

    def _plain_copy(target: Any, source: Any) -> None:
        target[:32] = source[:32]

    copy_32 = _plain_copy

    add_lap_16, add_lap_32 = _plain_add(16), _plain_add(32)
    filled_16, filled_32 = _plain_filled(16), _plain_filled(32)
