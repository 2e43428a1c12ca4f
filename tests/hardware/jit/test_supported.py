"""Outside the versions of Numba that were tested, functions are compiled as Numba comes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import pytest

from prunus.hardware.jit import supported
from prunus.hardware.jit.supported import FIRST, LAST, unsupported

ROOT = Path(__file__).parents[3]


@pytest.fixture
def asked():
    """Ask anew, before and after."""
    unsupported.cache_clear()
    yield
    unsupported.cache_clear()


def test_the_range_is_what_the_package_asks_for():
    """No version outside it is installed with the package."""
    first, last = (f"{major}.{minor}" for major, minor in (FIRST, (LAST[0], LAST[1] + 1)))
    assert f'"numba>={first},<{last}"' in (ROOT / "pyproject.toml").read_text("utf-8")
    assert unsupported() is None


@pytest.mark.parametrize("version", ["0.61.2", "0.69.0", "1.0", "2.61", "dev"])
def test_other_versions_are_named(asked, monkeypatch, version):
    """Older and newer ones, and what has no number."""
    monkeypatch.setattr(numba, "__version__", version)
    assert unsupported() == f"Numba {version} is none of the versions 0.62 to 0.68"


@pytest.mark.parametrize("version", ["0.62.0", "0.62.0rc1", "0.68.1", "0.65.0.dev0+1.g12"])
def test_versions_within(asked, monkeypatch, version):
    """Whatever comes after the minor version."""
    monkeypatch.setattr(numba, "__version__", version)
    assert unsupported() is None


@pytest.mark.parametrize(
    ("part", "missing"),
    [
        (("numba.core.compiler.CompileResult", "_reduced"), "_reduced in numba.core.compiler"),
        (("numba.core.compiler.Nothing", "x"), "Nothing in numba.core.compiler"),
    ],
)
def test_what_is_missing_inside_is_named(asked, monkeypatch, part, missing):
    """A version within the range may have been changed by who packs it."""
    monkeypatch.setattr(supported, "_PARTS", {part[0]: (part[1],)})
    assert unsupported() == f"this Numba {numba.__version__} has no {missing}"


SCRIPT = """
import numba
numba.__version__ = "0.99.0"
import prunus
from numba.core.caching import NullCache
problem = prunus.NQueens(6)
result = prunus.solve(problem, devices="cpu:1")
from prunus.hardware.jit.compiled import inner, outer

@inner
def increased(x):
    return x + 1

@outer
def doubled(x):
    return 2 * increased(x)

assert (doubled(1), increased(2.5)) == (4, 3.5)
assert type(doubled.dispatcher._cache) is NullCache
print(result.status, result.objective)
"""


def test_a_search_with_numba_as_it_comes(tmp_path):
    """The answer is the same; that it is slower is said once."""
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, script], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split()[0] == "optimal"
    assert done.stderr.count("Numba 0.99.0 is none of the versions 0.62 to 0.68") == 1
