"""Owns the terminal app: matches of all three games on one keyboard, against the computer, on a server by their link, and out of a record.

Screens know the frames of ``muang.wire`` only, never a rule: a room in this process, a server far away and a record tell them the same.
"""
