"""Write the typed stubs of the extension into the folder beside it: ``python stubs.py FOLDER``."""

import re
import sys
from pathlib import Path

from nanobind import stubgen

folder = Path(sys.argv[1])
options = ["--quiet", "--recursive", "--module", "_native"]
stubgen.main([*options, "--import", str(folder), "--output-dir", str(folder)])

# The extension was imported without the package in which it will stand.
for path in (folder / "_native").glob("*.pyi"):
    text = re.sub(r"\b_native\b", "prunus._native", path.read_text())
    path.write_text(text.replace("instruction_sets: list", "instruction_sets: list[str]"))
