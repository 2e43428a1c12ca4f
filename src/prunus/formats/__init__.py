"""File formats, one a module, and instances generated from their names.

A format has ``recognises(file)``, ``loads(file, …)`` and ``dumps(problem)``;
:func:`prunus.read` and :func:`prunus.write` choose among them.
"""
