"""Print the answers of the modules named, one JSON object."""

import importlib
import json
import sys

print(
    json.dumps(
        {
            name: importlib.import_module(f"tests.native.answers.{name}").answers()
            for name in sys.argv[1:]
        }
    )
)
