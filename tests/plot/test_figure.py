"""Pictures are written, refused early, and need Matplotlib only when drawn."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prunus.errors import InputError, MissingExtraError
from prunus.flowshop.problem import FlowShop
from prunus.plot import check_schedule_target, check_target, gantt, save, save_schedule
from prunus.plot.figure import _FORMATS
from prunus.solve import solve

SHOP = FlowShop([[3, 2], [1, 4]])


@pytest.mark.parametrize(("suffix", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_save(tmp_path: Path, suffix: str, start: bytes) -> None:
    """The suffix names the format."""
    pytest.importorskip("matplotlib")
    path = tmp_path / f"x.{suffix}"
    save(gantt(SHOP, [0, 1]), path)
    assert path.read_bytes().startswith(start)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_is_a_sentence_and_costs_no_old_picture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sentence names the file; what was there before still is."""
    pytest.importorskip("matplotlib")
    link = tmp_path / "x.png"
    link.symlink_to("/dev/full")
    with pytest.raises(InputError, match=r"x\.png cannot be written: no space left"):
        save(gantt(SHOP, [0, 1]), link)
    old = tmp_path / "old.png"
    old.write_bytes(b"old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError(28, "No space")))
    with pytest.raises(InputError, match="no space"):
        save(gantt(SHOP, [0, 1]), old)
    assert old.read_bytes() == b"old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["old.png", "x.png"]


def test_targets_are_checked(tmp_path: Path) -> None:
    """An unknown suffix and a missing folder are refused, whether Matplotlib is there or not."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "matplotlib.figure", None)
        with pytest.raises(InputError, match="suffix"):
            check_target(tmp_path / "x.docx")
        with pytest.raises(InputError, match="folder"):
            check_target(tmp_path / "no" / "x.png")
        with pytest.raises(MissingExtraError):
            check_target(tmp_path / "x.png")
    pytest.importorskip("matplotlib")
    check_target(tmp_path / "x.PNG")


def test_whatever_suffix_is_let_in_can_be_written() -> None:
    """Those that are known without Matplotlib are among its own."""
    pytest.importorskip("matplotlib")
    from matplotlib.figure import Figure

    assert set(_FORMATS) <= set(Figure().canvas.get_supported_filetypes())


def test_what_are_no_axes_and_no_path_is_told(tmp_path: Path) -> None:
    """A result in place of its picture, a figure in place of axes, a stream in place of a file."""
    pytest.importorskip("matplotlib")
    axes = gantt(SHOP, [0, 1])
    result: Any = solve(SHOP, devices="cpu:1")
    with pytest.raises(InputError, match=r"expected axes, such as .* returns, not Result"):
        save(result, tmp_path / "x.png")
    figure: Any = axes.figure
    with pytest.raises(InputError, match=r"expected axes, .* not Figure"):
        gantt(result, ax=figure)
    stream: Any = io.BytesIO()
    for write in (
        lambda: save(axes, stream),
        lambda: save_schedule(result, stream),
        lambda: check_schedule_target(stream),
    ):
        with pytest.raises(InputError, match="the path of a picture is text, got BytesIO"):
            write()
    assert not list(tmp_path.iterdir())


def test_a_missing_matplotlib_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the extra the sentence says how to get it."""
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'prunus\[plot\]'"):
        gantt(SHOP, [0, 1])


def test_importing_plot_does_not_import_matplotlib() -> None:
    """The module is there with the library, and needs no Matplotlib by itself."""
    code = "import sys, prunus; prunus.plot.gantt; sys.exit('matplotlib' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
