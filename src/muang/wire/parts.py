"""Owns what the frames of both directions are made of: the base of every frame, and the kinds of values in them."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

__all__ = ["WIRE_VERSION", "Frame", "Millis", "Number", "Part", "Word"]

WIRE_VERSION: Literal[1] = 1

# pydantic's patterns are Rust's: `$` is the end of the text and nothing else
Word: TypeAlias = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$")]
Number: TypeAlias = Annotated[int, Field(ge=0, le=2**53)]
Millis: TypeAlias = Annotated[float, Field(ge=0, le=2**53, allow_inf_nan=False)]


class Part(BaseModel):
    """Something inside a frame."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Frame(Part):
    """One JSON object in one text message."""

    v: Literal[1] = WIRE_VERSION
