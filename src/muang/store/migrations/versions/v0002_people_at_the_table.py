"""People come to a match after it was made: their names and tokens; when entries came; what the lobby shows."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add the columns; matches of before keep 0 as the time they were touched until the next entry."""
    op.add_column("matches", sa.Column("public", sa.SmallInteger, nullable=False, server_default="0"))
    op.add_column("matches", sa.Column("stage", sa.String(8), nullable=False, server_default="playing"))
    op.add_column("matches", sa.Column("touched", sa.BigInteger, nullable=False, server_default="0"))
    op.create_index("matches_public", "matches", ["public", "stage", "touched"])
    op.add_column("entries", sa.Column("t", sa.BigInteger, nullable=False, server_default="0"))
    op.add_column("entries", sa.Column("spent", sa.BigInteger))
    op.add_column("entries", sa.Column("name", sa.String(64)))
    op.add_column("entries", sa.Column("token", sa.String(64)))
    op.drop_column("entries", "commitment")
    op.execute("UPDATE matches SET touched = created")


def downgrade() -> None:
    """Take them away again, with what stands in them."""
    op.add_column("entries", sa.Column("commitment", sa.String(128)))
    for name in ("token", "name", "spent", "t"):
        op.drop_column("entries", name)
    op.drop_index("matches_public", "matches")
    for name in ("touched", "stage", "public"):
        op.drop_column("matches", name)
