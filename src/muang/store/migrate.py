"""Owns bringing a database up to this version's tables. Changes no row."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util.exc import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from muang.store.errors import OldStore, translate_error

__all__ = ["check", "migrate"]


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    return config


def newest() -> str:
    """The revision of this version."""
    revision = ScriptDirectory.from_config(_config()).get_current_head()
    assert revision is not None
    return revision


async def migrate(engine: AsyncEngine, where: str) -> None:
    """Run every step that is missing, in one transaction. ``OldStore`` if the database is of a later version."""

    def run(connection: Connection) -> None:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")

    try:
        async with engine.begin() as connection:
            await connection.run_sync(run)
    except CommandError as error:
        raise OldStore(f"{where} was written by a later version of Muang ({error}); use that one") from error
    except (SQLAlchemyError, OSError) as error:
        raise translate_error(error, where) from error


async def check(engine: AsyncEngine, where: str) -> None:
    """``OldStore`` unless the tables are those of this version."""
    try:
        async with engine.connect() as connection:
            found = await connection.run_sync(lambda sync: MigrationContext.configure(sync).get_current_revision())
    except (SQLAlchemyError, OSError) as error:
        raise translate_error(error, where) from error
    if found != newest():
        raise OldStore(f"{where} has the tables of version {found or 'none'}, not {newest()}; run: muang migrate")
