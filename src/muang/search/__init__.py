"""Owns computer players: an action for a seat, from the match and a lot. Knows the rules only through ``games``."""
