"""Owns what Alembic asks for when it runs the steps: the connection that ``muang.store.migrate`` hands it."""

from __future__ import annotations

from alembic import context

from muang.store.tables import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=True, transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
