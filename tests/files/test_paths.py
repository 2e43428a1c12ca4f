"""Paths that begin in a current folder which is gone are refused; others are not."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import prunus


def test_without_a_current_folder_relative_paths_are_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was "there is no file", or a traceback; names and absolute paths need no folder."""
    queens = prunus.NQueens(6)
    prunus.solve(queens, devices="cpu:1", checkpoint=tmp_path / "compiled.ckpt")
    prunus.resume(tmp_path / "compiled.ckpt", devices="cpu:1")

    def gone() -> str:
        raise FileNotFoundError(2, "No such file or directory")

    with monkeypatch.context() as patch:
        patch.setattr(os, "getcwd", gone)
        shop = prunus.read("ta001")
        for use in (
            lambda: prunus.read("x.txt"),
            lambda: prunus.write(shop, "x.txt"),
            lambda: prunus.solve(queens, devices="cpu:1", checkpoint="run.ckpt"),
            lambda: prunus.resume("run.ckpt"),
        ):
            with pytest.raises(prunus.InputError, match="the current folder does not exist"):
                use()
        prunus.write(shop, tmp_path / "x.txt")
        assert repr(prunus.read(tmp_path / "x.txt")) == "FlowShop('x', 20 jobs × 5 machines)"
        path = tmp_path / "run.ckpt"
        assert prunus.solve(queens, devices="cpu:1", checkpoint=path).objective == 4
        assert prunus.resume(path, devices="cpu:1").objective == 4
