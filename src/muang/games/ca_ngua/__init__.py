"""Cờ cá ngựa with two horses and two dice: rules, kernel, position, match and batches of random games.

``rules`` imports neither NumPy nor Numba, so that lists and rule pages answer at once.
"""
