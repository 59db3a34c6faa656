"""Owns how the tables came to be, step by step; run by ``muang.store.migrate``."""
