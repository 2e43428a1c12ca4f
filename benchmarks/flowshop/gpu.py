"""Tree search on one GPU: Taillard's 20x20 instances and ta056.

Every figure is the median of several runs after a warm-up, with the optimum given, from the loading
of the whole tree to its proof. Node counts must equal the reference (independent implementations).

    python -m benchmarks.flowshop.gpu --json results.json
    python -m benchmarks.flowshop.gpu --ta056 5 --scratch --tours
    python -m benchmarks.flowshop.gpu --figures benchmarks/figures
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np

import prunus
from prunus.atsp.naive.program import atsp_program
from prunus.flowshop.gpu.program import flowshop_program
from prunus.hardware.cuda import CudaDevice
from prunus.runtime.incumbent import Incumbent
from prunus.treesearch.interval.gpu import GpuExplorer, VictimSelection
from prunus.treesearch.interval.interval import Intervals

OPTIMUM = dict(
    zip(range(21, 31), (2297, 2099, 2326, 2223, 2291, 2226, 2273, 2200, 2237, 2178), strict=True)
)
NODES = {
    21: 461634463,
    22: 45955964,
    23: 2862864770,
    24: 193113674,
    25: 84319335,
    26: 278929561,
    27: 362418582,
    28: 12869908,
    29: 12233430,
    30: 2415779,
    56: 173314864804,
}
TOURS = ("tsmat:15:1", "tsmat:16:1", "crane:16:1", "crane:17:1")


class Run:
    """One search of a whole tree on an explorer that may be used again."""

    def __init__(self, explorer: GpuExplorer, ub: int | None, limit: float) -> None:
        incumbent = Incumbent(ub)
        explorer.load(Intervals.whole(len(explorer.radix)))
        start = perf_counter()
        report = explorer.explore(incumbent, limit)
        self.seconds = perf_counter() - start
        self.nodes, self.steals = report.nodes, report.steals
        self.exhausted, self.best = report.exhausted, incumbent.cutoff


def measure(
    name: str, make: Callable[[], GpuExplorer], ub: int, repeats: int, warm_up: float = 60.0
) -> dict[str, Any]:
    """Time a search several times after a warm-up of at most so many seconds."""
    explorer = make()
    if not Run(explorer, ub, warm_up).exhausted:
        explorer = make()  # what the warm-up left open must not be searched again
    runs = [Run(explorer, ub, 3600) for _ in range(repeats)]
    seconds = median(run.seconds for run in runs)
    return {
        "name": name,
        "nodes": runs[0].nodes,
        "same_nodes": len({run.nodes for run in runs}) == 1,
        "seconds": seconds,
        "all_seconds": [run.seconds for run in runs],
        "nodes_per_second": runs[0].nodes / seconds,
        "steals": runs[0].steals,
        "explorers": explorer.explorers,
    }


def shop_explorer(name: str, device: CudaDevice, **options: Any) -> GpuExplorer:
    """Make an explorer of a named instance."""
    return GpuExplorer(flowshop_program(prunus.read(name)), device, **options)


def twenty_by_twenty(device: CudaDevice, repeats: int) -> list[dict[str, Any]]:
    """ta021 to ta030 with the optimum given."""
    rows = []
    for number, optimum in OPTIMUM.items():
        name = f"ta{number:03d}"
        row = measure(name, partial(shop_explorer, name, device), optimum, repeats)
        row["expected_nodes"] = NODES[number]
        rows.append(row)
        show(row)
    total = {"name": "total", "seconds": sum(row["seconds"] for row in rows)}
    show(total)
    return [*rows, total]


def fifty_by_twenty(device: CudaDevice, repeats: int) -> dict[str, Any]:
    """ta056 with the optimum given."""
    row = measure("ta056", partial(shop_explorer, "ta056", device), 3679, repeats, 0.3)
    row["expected_nodes"] = NODES[56]
    show(row)
    return row


def from_scratch() -> dict[str, Any]:
    """ta056 with nothing given, by the front door."""
    start = perf_counter()
    result = prunus.solve(prunus.read("ta056"), devices="cuda:0", time_limit=400)
    row = {
        "name": "ta056 from scratch",
        "seconds": perf_counter() - start,
        "nodes": result.nodes,
        "objective": result.objective,
        "status": str(result.status),
        "history": [(entry.time, entry.objective) for entry in result.history],
        "targets": list(result.statistics.get("targets", ())),
    }
    show(row)
    for target in row["targets"]:
        print(f"    below {target['below']}: {target['nodes']:,} nodes in {target['time']:.2f} s")
    return row


def tours(device: CudaDevice, repeats: int) -> list[dict[str, Any]]:
    """ATSP with the naive bound, the optimum given."""
    rows = []
    for name in TOURS:
        program = atsp_program(prunus.read(name))
        best = Run(GpuExplorer(program, device), None, 600).best
        rows.append(measure(name, partial(GpuExplorer, program, device), best, repeats))
        show(rows[-1])
    return rows


def show(row: dict[str, Any]) -> None:
    """Print one line of the table."""
    line = f"{row['name']:20} {row['seconds']:10.4f} s"
    if "nodes" in row:
        line += f" {row['nodes']:>16,} nodes {row['nodes'] / row['seconds'] / 1e9:7.2f} G/s"
    if row.get("expected_nodes", row.get("nodes")) != row.get("nodes"):
        line += f"  NOT {row['expected_nodes']:,}"
    for key in ("objective", "status"):
        line += f"  {row[key]}" if key in row else ""
    print(line, flush=True)


def sweep(device: CudaDevice, folder: Path | None, seconds: float) -> dict[str, Any]:
    """Rates over the number of explorers and over the trigger, for each victim selection."""
    name, optimum = "ta024", OPTIMUM[24]
    most = shop_explorer(name, device).explorers
    counts = [most * k // 32 for k in (2, 4, 8, 16, 32)]
    triggers = [1 / 64, 1 / 16, 1 / 8, 1 / 4, 1 / 2]
    result: dict[str, Any] = {"instance": name, "explorers": {}, "triggers": {}}

    def rate(**options: Any) -> float:
        explorer = shop_explorer(name, device, **options)
        Run(explorer, optimum, 0.02)
        explorer = shop_explorer(name, device, **options)
        run = Run(explorer, optimum, seconds)
        return run.nodes / run.seconds

    for victims in VictimSelection:
        label = victims.name.lower()
        result["explorers"][label] = [(t, rate(victims=victims, explorers=t)) for t in counts]
        print(label, "over T", [f"{t}: {r / 1e9:.2f}" for t, r in result["explorers"][label]])
        if victims != VictimSelection.DONATION:
            result["triggers"][label] = [
                (part, rate(victims=victims, trigger=max(1, int(part * most)))) for part in triggers
            ]
            shown = [f"{part:.3f}: {r / 1e9:.2f}" for part, r in result["triggers"][label]]
            print(label, "over trigger/T", shown, flush=True)
    if folder is not None:
        draw(result, folder)
    return result


def draw(result: dict[str, Any], folder: Path) -> None:
    """Draw the two figures of the 2017 paper for this card."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    folder.mkdir(parents=True, exist_ok=True)
    labels = {"explorers": "explorers T (warps)", "triggers": "trigger / T"}
    for key, label in labels.items():
        figure, ax = plt.subplots(figsize=(6, 4))
        for victims, points in result[key].items():
            x, y = zip(*points, strict=True)
            ax.plot(x, [value / 1e9 for value in y], marker="o", label=victims)
        ax.set(xlabel=label, ylabel="10^9 nodes/s", title=result["instance"], xscale="log")
        ax.set_ylim(bottom=0)
        ax.legend()
        figure.savefig(folder / f"flowshop_gpu_{key}.png", dpi=120, bbox_inches="tight")
        plt.close(figure)


def main() -> None:
    """Run what is asked for and write the figures as JSON."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--ta056", type=int, default=0, metavar="REPEATS")
    parser.add_argument("--scratch", action="store_true", help="ta056 with no optimum given")
    parser.add_argument("--tours", action="store_true", help="ATSP")
    parser.add_argument("--figures", type=Path, metavar="FOLDER", help="sweep T and the trigger")
    parser.add_argument("--sweep-seconds", type=float, default=0.3)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    device = CudaDevice(0)
    results: dict[str, Any] = {
        "date": datetime.now().astimezone().isoformat(timespec="seconds"),
        "device": device.model,
        "python": platform.python_version(),
        "numpy": np.__version__,
    }
    parts: dict[str, Callable[[], Any]] = {
        "20x20": lambda: twenty_by_twenty(device, arguments.repeats)
    }
    if arguments.ta056:
        parts["ta056"] = lambda: fifty_by_twenty(device, arguments.ta056)
    if arguments.scratch:
        parts["scratch"] = from_scratch
    if arguments.tours:
        parts["tours"] = lambda: tours(device, arguments.repeats)
    if arguments.figures:
        parts["sweep"] = lambda: sweep(device, arguments.figures, arguments.sweep_seconds)
    for name, part in parts.items():
        results[name] = part()
        if arguments.json:
            arguments.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
