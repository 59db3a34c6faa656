"""Owns exact results: tables of solved positions, how they are worked out, kept and checked. Knows the rules only through ``games``."""
