"""The kernels are written for what CUDA and HIP share: a HIP compiler takes them too."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

import prunus
from prunus.atsp.gpu import atsp_program
from prunus.flowshop.gpu import flowshop_program
from prunus.problems import ATSP, FlowShop

PACKAGE = Path(prunus.__file__).parent
HIPCC = shutil.which("hipcc")


@pytest.mark.skipif(HIPCC is None, reason="needs hipcc")
@pytest.mark.parametrize("name", ["flow shop", "flow shop 32 bits", "tour"])
def test_a_hip_compiler_takes_the_kernels(name, tmp_path):
    """Wavefronts of 64 lanes, no NVIDIA intrinsics."""
    shop = FlowShop(np.ones((20, 10), int))
    program = {
        "flow shop": lambda: flowshop_program(shop),
        "flow shop 32 bits": lambda: flowshop_program(shop, bound="mixed", arithmetic=32),
        "tour": lambda: atsp_program(ATSP(np.ones((15, 15), int))),
    }[name]()
    constants = {**program.constants, "NEAR": 128, "BLOCK": 128, "BLOCKS": 2}
    made = tmp_path / "made.o"
    assert HIPCC is not None
    done = subprocess.run(
        [
            *(HIPCC, "-x", "hip", "--offload-arch=gfx90a", "--cuda-device-only", "-c", "-w"),
            *(f"-I{PACKAGE}", *(f"-D{key}={value}" for key, value in constants.items())),
            *(str(PACKAGE / program.file), "-o", str(made)),
        ],
        env={**os.environ, "HIP_PLATFORM": "amd"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert made.stat().st_size > 0
