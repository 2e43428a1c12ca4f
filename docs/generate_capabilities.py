"""Write docs/capabilities.md from what the problems declare; a test tells when it is outdated."""

from __future__ import annotations

from pathlib import Path

import prunus  # noqa: F401
from prunus.model.registry import AnySpec, known_specs
from prunus.model.spec import FormatSpec, OptionSpec

PAGE = Path(__file__).parent / "capabilities.md"

HEAD = """# Options and capabilities

`python docs/generate_capabilities.py` generates this page from what each problem declares in its
`spec.py`.

## Methods

The first method of a problem is its default; for problems marked *chooses*, the library picks the
method that suits the instance. The last column is what remains when the time limit expires.

| problem | method | cores | GPU | several GPUs | executor | checkpoint | after a time limit |
|---|---|---|---|---|---|---|---|
"""


def page() -> str:
    """Return the text of the page."""
    specs = known_specs()
    rows = [row for spec in specs for row in _methods(spec)]
    parts = [HEAD + "\n".join(rows)]
    parts += [_section(spec) for spec in specs]
    return "\n\n".join(parts) + "\n"


def _methods(spec: AnySpec) -> list[str]:
    chooses = " *chooses*" if spec.chooses else ""
    return [
        f"| {_name(spec) + chooses if number == 0 else ''} | `{method.name}` | "
        + " | ".join(
            "yes" if can else ""
            for can in (
                method.cpu,
                method.gpu,
                method.several_gpus,
                method.executor,
                method.checkpoint,
            )
        )
        + f" | {method.deadline} |"
        for number, method in enumerate(spec.methods)
    ]


def _section(spec: AnySpec) -> str:
    lines = [f"## {_name(spec)}", ""]
    lines += [f"- `{method.name}`: {method.meaning}" for method in spec.methods]
    if spec.options:
        lines += ["", "| option | values | default | |", "|---|---|---|---|"]
        lines += [_option(option) for option in spec.options]
    if spec.questions:
        lines += ["", "Arguments of the class, and options of the command line:", ""]
        lines += ["| argument | values | default | |", "|---|---|---|---|"]
        lines += [_option(question) for question in spec.questions]
    readable = [form for form in spec.formats if form.reads or form.writes]
    if readable:
        lines += [
            "",
            "| format | | read | written | suffixes | names |",
            "|---|---|---|---|---|---|",
        ]
        lines += [_format(form) for form in readable]
    names = [found.form for found in spec.sets] + [kind.form for kind in spec.generators]
    if names:
        lines += ["", f"Instances by name: {', '.join(f'`{name}`' for name in names)}."]
    return "\n".join(lines)


def _option(option: OptionSpec) -> str:
    if option.choices:
        values = ", ".join(f"`{choice!s}`" for choice in option.choices)
    elif option.type is bool:
        values = "`True`, `False`"
    else:
        any_number = "a number" if option.type is float else "a whole number"
        values = (option.unit or any_number) + (
            "" if option.least is None else f", at least {option.least}"
        )
    default = "" if option.default is None else f"`{option.default!s}`"
    if option.default_below is not None:
        default += f"; with an upper bound `{option.default_below!s}`"
    only = (
        f" Only {' and '.join(f'`{name}`' for name in option.methods)}." if option.methods else ""
    )
    return f"| `{option.name}` | {values} | {default} | {option.meaning}{only} |"


def _format(form: FormatSpec) -> str:
    suffixes = ", ".join(f".{suffix}" for suffix in form.suffixes)
    able = ("yes" if can else "" for can in (form.reads, form.writes))
    return (
        f"| `{form.name}` | {form.meaning} | {' | '.join(able)} | {suffixes} | "
        f"{'yes' if form.names else ''} |"
    )


def _name(spec: AnySpec) -> str:
    return spec.words.plural[:1].upper() + spec.words.plural[1:]


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
