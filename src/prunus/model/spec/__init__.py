"""What a problem declares of itself, once: the records that everything else is made from.

A problem's folder has a ``spec.py`` with one `ProblemSpec`; ``prunus/problems.py`` lists them. From
a spec come the checks of options and their error sentences, the command line, file formats, named
instances, the words of results and displays, checkpoints, and tables in the documentation.

Specs are light: importing one brings neither Numba nor anything else that takes long. What is heavy
is named by its import path and imported when it is wanted.
"""

from __future__ import annotations

from prunus.model.spec.files import (
    JSON_FORMAT,
    FormatSpec,
    JsonForm,
    Parts,
    Serializer,
    SolutionTable,
    table_formats,
)
from prunus.model.spec.instances import BenchCase, GeneratorSpec, InstanceSet, WarmUp
from prunus.model.spec.methods import AUTO, MethodSpec, OptionSpec, OptionValue
from prunus.model.spec.problem_spec import ProblemSpec
from prunus.model.spec.words import Fact, Words

__all__ = [
    "AUTO",
    "JSON_FORMAT",
    "BenchCase",
    "Fact",
    "FormatSpec",
    "GeneratorSpec",
    "InstanceSet",
    "JsonForm",
    "MethodSpec",
    "OptionSpec",
    "OptionValue",
    "Parts",
    "ProblemSpec",
    "Serializer",
    "SolutionTable",
    "WarmUp",
    "Words",
    "table_formats",
]
