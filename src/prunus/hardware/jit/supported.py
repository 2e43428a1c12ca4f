"""Which versions of Numba have the inside that ``linked`` and ``cache`` build upon."""

from __future__ import annotations

import functools
import re

import numba

FIRST, LAST = (0, 62), (0, 68)
"""The oldest and the newest minor version that the tests have passed with."""

_PARTS = {
    "numba.core.codegen.JITCodeLibrary": (
        *("_optimize_final_module", "_finalize_final_module", "_finalize_dynamic_globals"),
        *("_verify_declare_only_symbols", "get_pointer_to_function"),
    ),
    "numba.core.typed_passes.NoPythonSupportedFeatureValidation": (),
    "numba.core.compiler.DefaultPassBuilder": ("define_nopython_pipeline",),
    "numba.core.compiler.CompileResult": ("_reduce", "_rebuild"),
    "numba.core.dispatcher.Dispatcher": ("get_call_template", "_compile_for_args"),
    "numba.core.caching._Cache": ("load_overload", "save_overload"),
    "numba.core.serialize.dumps": (),
}
"""What is subclassed or called though Numba does not promise it."""


@functools.cache
def unsupported() -> str | None:
    """Return what is wrong with the Numba that is installed, None if nothing is."""
    found = re.match(r"(\d+)\.(\d+)", numba.__version__)
    first, last = (".".join(map(str, version)) for version in (FIRST, LAST))
    if found is None or not FIRST <= (int(found[1]), int(found[2])) <= LAST:
        return f"Numba {numba.__version__} is none of the versions {first} to {last}"
    for path, names in _PARTS.items():
        module, _, name = path.rpartition(".")
        part = getattr(__import__(module, fromlist=[name]), name, None)
        for missing in [name] if part is None else [n for n in names if not hasattr(part, n)]:
            return f"this Numba {numba.__version__} has no {missing} in {module}"
    return None
