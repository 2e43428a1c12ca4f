"""The file: a version, a checksum, and a NumPy archive without pickles.

Line 1 is ``prunus checkpoint 2``, line 2 the SHA-256 of all that follows in hexadecimal, the rest
an ``.npz`` archive: the array ``meta`` holds JSON in UTF-8, the others are what their names say.
The file is replaced as a whole, so that a kill leaves the previous checkpoint or the new one.

A checksum tells accidents, not intentions: every size is checked before anything of that size is
made, and no array is larger than its part of the file can be unpacked to.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from prunus.errors import InputError
from prunus.files.atomic import write_bytes
from prunus.model.arrays import AnyArray

VERSION = 2
_TITLE = b"prunus checkpoint "

_MOST_UNPACKED = 64
"""How many times as large as the file its content may be: real ones stay below 20."""

_SMALL_BYTES = 2**26
"""Contents up to this size are read whatever they were packed to."""


def pack(path: str, meta: Mapping[str, Any], arrays: Mapping[str, AnyArray]) -> None:
    """Write a checkpoint file.

    Raises ``InputError`` if the file cannot be written; what was there before still is.
    """
    import zipfile

    text = np.frombuffer(json.dumps(meta, separators=(",", ":")).encode(), np.uint8)
    archive = io.BytesIO()
    # The fastest compression: there may be millions of intervals.
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as folder:
        for name, values in {"meta": text, **arrays}.items():
            with folder.open(f"{name}.npy", "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(values), allow_pickle=False)
    content = archive.getvalue()
    digest = hashlib.sha256(content).hexdigest().encode()
    write_bytes(path, b"%s%d\n%s\n%s" % (_TITLE, VERSION, digest, content))


def is_checkpoint(path: str) -> bool:
    """Tell whether a file says of itself that it is a checkpoint, of whatever version.

    A pipe is not asked: what is read from it is gone.
    """
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as stream:
            return stream.read(len(_TITLE)) == _TITLE
    except (OSError, ValueError):
        return False


def unpack(path: str) -> tuple[dict[str, Any], dict[str, AnyArray]]:
    """Read a checkpoint file; it is left as it is.

    Raises ``InputError`` if it cannot be read, is something else, is of another version, or is
    damaged.
    """
    damaged = InputError(
        f"{path} is a damaged checkpoint (its checksum does not match); restore it from a copy "
        f"or start the solve again"
    )
    try:
        if os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path):
            raise InputError(f"{path} is a device or a pipe; copy the checkpoint to a file")
        with open(path, "rb") as stream:
            title = stream.read(len(_TITLE))
            if title != _TITLE:
                raise InputError(f"{path} is not a checkpoint of prunus")
            number, digest = stream.readline(16).strip(), stream.readline(80).strip()
            _check_version(path, number, damaged)
            content = stream.read()
    except (OSError, ValueError) as error:
        if isinstance(error, InputError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(f"{path} cannot be read: {reason.lower()}") from None
    if digest != hashlib.sha256(content).hexdigest().encode():
        raise damaged
    import zipfile

    try:
        arrays = _arrays(content)
        meta = json.loads(arrays.pop("meta").tobytes())
        if not isinstance(meta, dict):
            raise ValueError("its fields are missing")
    except (OSError, ValueError, KeyError, EOFError, RecursionError, NotImplementedError) as error:
        raise InputError(f"{path} is not a complete checkpoint: {error}") from None
    except (zipfile.BadZipFile, zlib.error, RuntimeError) as error:
        raise InputError(f"{path} is not a complete checkpoint: {error}") from None
    return meta, arrays


def _check_version(path: str, number: bytes, damaged: InputError) -> None:
    if not number.isdigit() or number == b"0":
        raise damaged
    if int(number) > VERSION:
        raise InputError(
            f"{path} is a checkpoint of version {int(number)}, written by a newer prunus; "
            f"this one reads version {VERSION}: upgrade prunus to continue"
        )
    if int(number) < VERSION:
        raise InputError(
            f"{path} is a checkpoint of version {int(number)}, written by an older prunus; "
            f"this one reads version {VERSION}: continue with the older one"
        )


def _arrays(content: bytes) -> dict[str, AnyArray]:
    """Return the arrays of an archive by name."""
    import zipfile

    with zipfile.ZipFile(io.BytesIO(content)) as folder:
        members = folder.infolist()
        whole = sum(member.file_size for member in members)
        if whole > max(_SMALL_BYTES, _MOST_UNPACKED * len(content)):
            raise ValueError(f"its content would take {whole} bytes")
        found = {}
        for member in members:
            with folder.open(member) as stream:
                # One byte more than it says of itself shows that it is wrong.
                data = stream.read(member.file_size + 1)
            found[member.filename.removesuffix(".npy")] = _array(data)
    return found


def _array(data: bytes) -> AnyArray:
    """Return an array from its ``.npy`` file; its size is that of the file."""
    stream = io.BytesIO(data)
    if np.lib.format.read_magic(stream) != (1, 0):
        raise ValueError("an array has a header of another version")
    shape, fortran, kind = np.lib.format.read_array_header_1_0(stream)
    begin = stream.tell()
    if kind.kind not in "biuf" or len(shape) > 3 or any(length < 0 for length in shape):
        raise ValueError("an array is not of numbers")
    count = 1
    for length in shape:
        count *= length
    if count * kind.itemsize != len(data) - begin:
        raise ValueError("an array is shorter than it says")
    return (
        np.frombuffer(data, kind, count, begin).reshape(shape, order="F" if fortran else "C").copy()
    )
