"""The first tables: matches and the entries of their logs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make both tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("created", sa.BigInteger, nullable=False),
        sa.Column("setup", sa.Text, nullable=False),
    )
    op.create_index("matches_created", "matches", ["created"])
    op.create_table(
        "entries",
        sa.Column("match_id", sa.String(64), sa.ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("seq", sa.Integer, primary_key=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("seat", sa.String(4)),
        sa.Column("action", sa.String(64)),
        sa.Column("dice", sa.SmallInteger),
        sa.Column("at", sa.BigInteger),
        sa.Column("by", sa.String(16), nullable=False),
        sa.Column("client", sa.String(64)),
        sa.Column("n", sa.BigInteger),
        sa.Column("client_at", sa.BigInteger),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("rules_version", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(32), nullable=False),
        sa.Column("lag", sa.Integer),
        sa.Column("clock_offset", sa.BigInteger),
        sa.Column("commitment", sa.String(128)),
        sa.Column("entropy", sa.String(128)),
    )
    op.create_index("entries_once", "entries", ["match_id", "client", "n"], unique=True)


def downgrade() -> None:
    """Drop both tables, with everything in them."""
    op.drop_table("entries")
    op.drop_table("matches")
