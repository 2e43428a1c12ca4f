"""Compiling and launching kernels: the only place that knows CuPy."""

from prunus.hardware.cuda.device import CudaDevice, available, devices, names
from prunus.hardware.cuda.source import source

__all__ = ["CudaDevice", "available", "devices", "names", "source"]
