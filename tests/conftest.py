"""Settings of all tests, and the devices that kernels are tested on."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

from tests.hardware.cuda.emulated import COMPILER, EmulatedDevice

# Times say nothing on a machine that others load as well.
settings.register_profile(
    "prunus",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("prunus")

# What is started in the background, or by nohup, inherits ignored signals, and so would every
# process that a test starts: those tests would wait for ever, or see a solve that is not stopped.
for _name in ("SIGINT", "SIGTERM", "SIGHUP"):
    _number = getattr(signal, _name, None)
    if _number is not None and signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, signal.default_int_handler if _name == "SIGINT" else signal.SIG_DFL)

# Programs that tests start buffer what they print, as those of most users do.
os.environ.pop("PYTHONUNBUFFERED", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare how long fuzzers go on."""
    words = "how long each fuzzer of tests/fuzz goes on; by default a second or two"
    parser.addoption("--fuzz-seconds", type=float, default=0.0, metavar="S", help=words)


@pytest.fixture(
    params=[
        pytest.param(
            "emulated", marks=pytest.mark.skipif(COMPILER is None, reason="needs a C++ compiler")
        ),
        pytest.param("cuda", marks=pytest.mark.gpu),
    ]
)
def device(request):
    """Return the emulated device, or the first GPU where ``-m gpu`` asks for it."""
    if request.param == "emulated":
        return EmulatedDevice()
    from prunus.hardware.cuda import CudaDevice

    return CudaDevice(0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest test: at the end, other workers would wait for it."""
    items.sort(key=lambda item: item.name != "test_site")
