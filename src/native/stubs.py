"""Write the typed stubs of the extension into the folder beside it: ``python stubs.py FOLDER``."""

import re
import sys
from pathlib import Path

from nanobind import stubgen

folder = Path(sys.argv[1])
options = ["--quiet", "--recursive", "--module", "_native"]
stubgen.main([*options, "--import", str(folder), "--output-dir", str(folder)])

# The extension was imported without the package in which it will stand.
top = folder / "_native" / "__init__.pyi"
text = re.sub(r"from _native import", "from prunus._native import", top.read_text())
top.write_text(text.replace("instruction_sets: list", "instruction_sets: list[str]"))
