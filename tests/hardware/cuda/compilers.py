"""Compilers that need no GPU: NVRTC for NVIDIA's architectures, hipcc for AMD's."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from prunus.hardware.cuda.source import options, source, specialised

KIB = 1024
CARDS = {
    "sm_75": SimpleNamespace(warp=32, shared_limit=64 * KIB, shared_total=64 * KIB),
    "sm_90": SimpleNamespace(warp=32, shared_limit=227 * KIB, shared_total=228 * KIB),
    "sm_100": SimpleNamespace(warp=32, shared_limit=227 * KIB, shared_total=228 * KIB),
    "gfx90a": SimpleNamespace(warp=64, shared_limit=64 * KIB, shared_total=64 * KIB),
    "gfx1030": SimpleNamespace(warp=32, shared_limit=64 * KIB, shared_total=128 * KIB),
}
"""Every architecture, with what the shape of a launch follows from; the last two are AMD's."""

_RARE = ("sm_75", "sm_100")
"""The oldest that there is a compiler for, for which some functions of ``portable.cuh`` have other
lines, and the newest. From sm_80 on no source tells one from another (``test_compile`` checks
that): only the assembler differs."""
ARCHITECTURES = [
    pytest.param(name, marks=[pytest.mark.extras, *[pytest.mark.slow] * (name in _RARE)])
    for name in CARDS
]
HIPCC = shutil.which("hipcc")


def check_compiles(path, constants, architecture):
    """Compile a kernel file to machine code, or skip the test where the compiler is missing."""
    if architecture.startswith("gfx"):
        code = _compile_hip(path, constants, architecture)
    else:
        code = compile_only(path, constants, architecture)
    assert code[:4] == b"\x7fELF"


def compile_only(path, constants, architecture):
    """Compile a kernel file for a GPU of NVIDIA, which need not be there, or skip the test.

    Raises ``AssertionError`` with the compiler's words if that finds fault with the kernel.
    """
    cuda = pytest.importorskip("cupy.cuda", reason="needs CuPy: pip install 'prunus[cuda13]'")
    nvrtc = cuda.nvrtc
    program = nvrtc.createProgram(specialised(path, constants), path, (), ())
    try:
        nvrtc.compileProgram(program, (*options(nvrtc), f"-arch={architecture}"))
        return bytes(nvrtc.getCUBIN(program))
    except nvrtc.NVRTCError as error:
        log = nvrtc.getProgramLog(program)
        raise AssertionError(f"{path} does not compile for {architecture}: {log}") from error
    finally:
        nvrtc.destroyProgram(program)


def _compile_hip(path, constants, architecture):
    if HIPCC is None:
        pytest.skip("needs a HIP compiler (Debian: apt-get install hipcc)")
    with tempfile.TemporaryDirectory() as folder:
        made, kernel = Path(folder) / "made.o", Path(folder) / "kernel.hip"
        kernel.write_text(source(path), "utf-8")
        done = subprocess.run(
            [
                *(HIPCC, "-x", "hip", f"--offload-arch={architecture}", "--cuda-device-only"),
                *("--no-gpu-bundle-output", "-std=c++17", "-O1", "-w", "-c"),
                *(f"-D{name}={value}" for name, value in constants.items()),
                *(str(kernel), "-o", str(made)),
            ],
            env={**os.environ, "HIP_PLATFORM": "amd"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{path} does not compile for {architecture}: {done.stderr}"
        return made.read_bytes()
