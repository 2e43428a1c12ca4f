"""The file: a version, a checksum, and a NumPy archive without pickles.

Line 1 is ``prunus checkpoint 1``, line 2 the SHA-256 of all that follows in hexadecimal, the rest
an ``.npz`` archive: the array ``meta`` holds JSON in UTF-8, the others are what their names say.
The file is replaced as a whole, so that a kill leaves the previous checkpoint or the new one.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import zipfile
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prunus.errors import InputError
from prunus.files.atomic import write_bytes

__all__ = ["VERSION", "is_checkpoint", "pack", "unpack"]

VERSION = 1
_TITLE = b"prunus checkpoint "


def pack(path: str, meta: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write a checkpoint file.

    Raises
    ------
    InputError
        If the file cannot be written; what was there before still is.
    """
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


def unpack(path: str) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Read a checkpoint file; it is left as it is.

    Raises
    ------
    InputError
        If it cannot be read, is something else, was written by a newer version, or is damaged.
    """
    try:
        with open(path, "rb") as stream:
            title, digest, content = stream.readline(64), stream.readline(80), stream.read()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {(error.strerror or '').lower()}") from None
    if not title.startswith(_TITLE):
        raise InputError(f"{path} is not a checkpoint of prunus")
    number = title[len(_TITLE) :].strip()
    if number.isdigit() and int(number) > VERSION:
        raise InputError(
            f"{path} is a checkpoint of version {int(number)}, written by a newer prunus; "
            f"this one reads version {VERSION}: upgrade prunus to go on"
        )
    damaged = InputError(
        f"{path} is a damaged checkpoint (its checksum does not match); restore it from a copy "
        f"or start the solve again"
    )
    if number != b"%d" % VERSION or digest.strip() != hashlib.sha256(content).hexdigest().encode():
        raise damaged
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        meta = json.loads(bytes(arrays.pop("meta")))
    except (OSError, ValueError, KeyError, zipfile.BadZipFile):
        raise damaged from None
    return meta, arrays
