"""Owns the tables, as SQLAlchemy sees them. They are made and changed by ``migrations`` only; a test holds the two together."""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, SmallInteger, String, Table, Text

__all__ = ["entries", "matches", "metadata"]

metadata = MetaData()

matches = Table(
    "matches",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("game", String(32), nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("created", BigInteger, nullable=False),  # ms since 1970
    Column("setup", Text, nullable=False),  # wire.Setup as JSON
    Column("public", SmallInteger, nullable=False, server_default="0"),  # 1: shown in the lobby
    Column("stage", String(8), nullable=False, server_default="playing"),  # meeting, playing or over, as last written
    Column("touched", BigInteger, nullable=False, server_default="0"),  # ms since 1970 of the last entry
    Index("matches_created", "created"),
    Index("matches_public", "public", "stage", "touched"),
)

entries = Table(
    "entries",
    metadata,
    Column("match_id", String(64), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # from 1, without gaps
    Column("kind", String(16), nullable=False),
    Column("seat", String(4)),
    Column("action", String(64)),
    Column("dice", SmallInteger),  # 10 * first + second
    Column("at", BigInteger),  # effective ms since the race began
    Column("by", String(16), nullable=False),
    Column("client", String(64)),
    Column("n", BigInteger),
    Column("client_at", BigInteger),
    Column("version", BigInteger, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("hash", String(32), nullable=False),
    Column("lag", Integer),
    Column("clock_offset", BigInteger),
    Column("entropy", String(128)),
    Column("t", BigInteger, nullable=False, server_default="0"),  # ms since 1970 when it came
    Column("spent", BigInteger),  # ms of the clock of turns
    Column("name", String(64)),
    Column("token", String(64)),  # a hash
    Index("entries_once", "match_id", "client", "n", unique=True),
)
