"""Owns the single steps. A step that has been released is never changed."""
