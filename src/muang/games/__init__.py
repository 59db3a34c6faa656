"""Owns what may happen on the board: pure, without clock, input, output or lots of its own. The three games, and what they share."""
