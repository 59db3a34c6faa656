"""Owns the ASGI app: pages, the HTTP interface, sockets, one task per live match. Owns no rule: rooms decide, the store keeps.

``create_app(settings)`` for any ASGI server; ``muang.server.serve.serve`` runs it as ``muang serve`` does.
"""

from muang.server.settings import Settings

__all__ = ["Settings"]
