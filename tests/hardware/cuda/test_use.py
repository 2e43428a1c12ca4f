"""What searches ask of a device, and a device of CuPy, is there to be asked: without a GPU."""

# mypy: enable-error-code="return-value"

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path

import pytest

import prunus
from prunus.hardware.cuda import CudaDevice
from prunus.hardware.device import Device
from tests.hardware.cuda.emulated import EmulatedDevice
from tests.hardware.cuda.late import LateDevice

PACKAGE = Path(prunus.__file__).parent
NAMES = {"device", "_device", "card"}
"""What variables and attributes that hold a ``CudaDevice`` are called."""

ELSEWHERE = {"id", "startswith"}
"""Asked of ``array.device``, which is CuPy's, and of devices' names."""


def attributes(kind: type) -> set[str]:
    """Return all that a device offers to others, what its constructor sets included."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(kind.__init__)))
    targets = (t for n in ast.walk(tree) if isinstance(n, ast.Assign) for t in n.targets)
    made = {t.attr for t in targets if isinstance(t, ast.Attribute)}
    inherited = {name for base in kind.__mro__[:-1] for name in vars(base)}
    return {name for name in made | inherited if not name.startswith("_")}


def parsed():
    """Return every module of the package."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE), ast.parse(path.read_text("utf-8"))


def is_device(node: ast.AST) -> bool:
    """Tell whether an expression is called as devices are."""
    name = node.id if isinstance(node, ast.Name) else getattr(node, "attr", None)
    return isinstance(node, ast.Name | ast.Attribute) and name in NAMES


def conform(real: CudaDevice, emulated: EmulatedDevice, late: LateDevice) -> tuple[Device, ...]:
    """Let mypy say whether devices are what the Protocol asks for, with all types."""
    return real, emulated, late


@pytest.mark.parametrize("kind", [CudaDevice, EmulatedDevice])
def test_devices_offer_what_the_protocol_says(kind):
    """Types are mypy's to check; that nothing is missing is checked here."""
    members = {name for name in vars(Device) if not name.startswith("_")}
    for name in ("warp", "shared_limit", "shared_total", *members):
        assert name in attributes(kind), name


def test_the_emulated_device_has_nothing_that_a_real_one_lacks():
    """Numbers and texts as well as methods: what is read of one can be read of the other."""
    assert attributes(EmulatedDevice) <= attributes(CudaDevice)


def test_searches_ask_a_device_for_what_it_has():
    """Whatever any module reads of a device exists, and is called with arguments that fit."""
    offered = attributes(CudaDevice)
    asked = 0
    for path, tree in parsed():
        if path.parts[:2] == ("hardware", "cuda"):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and is_device(node.value):
                assert node.attr in offered | ELSEWHERE, (path, node.lineno, node.attr)
                asked += 1
            call = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if call and is_device(node.func.value) and node.func.attr in offered:  # type: ignore[attr-defined]
                if any(isinstance(a, ast.Starred) for a in node.args):  # type: ignore[attr-defined]
                    continue
                method = getattr(CudaDevice, node.func.attr)  # type: ignore[attr-defined]
                named = {keyword.arg: None for keyword in node.keywords}  # type: ignore[attr-defined]
                inspect.signature(method).bind(None, *node.args, **named)  # type: ignore[attr-defined]
    assert asked > 150


def chains(tree: ast.AST):
    """Return what is read of CuPy, as dotted names, and where."""
    roots = {"cupy": "", "self._cupy": "", "runtime": "cuda.runtime."}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            root, dot, rest = ast.unparse(node).partition(".")
            if root == "self":
                more, dot, rest = rest.partition(".")
                root = f"self.{more}"
            if dot and root in roots and "(" not in rest and "[" not in rest:
                yield roots[root] + rest, node.lineno


@pytest.mark.extras
def test_cupy_has_what_a_device_asks_it_for():
    """No name of CuPy's is misspelt or gone: nothing but a GPU would tell."""
    cupy = pytest.importorskip("cupy")
    found = set()
    for path, tree in parsed():
        if path.parts[:2] != ("hardware", "cuda"):
            continue
        for name, line in chains(tree):
            place = cupy
            for part in name.split("."):
                assert hasattr(place, part), (path, line, name)
                place = getattr(place, part)
            found.add(name)
    assert {"cuda.runtime.memcpyPeerAsync", "cuda.alloc_pinned_memory", "RawModule"} <= found
