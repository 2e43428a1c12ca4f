"""Several devices of one machine on one tree: speed-up, idle time, steals; GPUs and cores together.

Run: ``python benchmarks/devices.py [--gpus 1,2,4] [--json FILE] [--quick] [--hybrid RUNS]``.

Every search has its optimum given, so that all runs branch the same nodes; counts are checked.
Times are of the search alone, without compilation: each case runs once before it is timed.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import time

import prunus

OPTIMA = {
    "ta022": (2099, 45_955_964),
    "ta023": (2326, None),
    "ta028": (2200, 12_869_908),
    "ta056": (3679, None),
}
SOLUTIONS = {18: 666_090_624, 20: 39_029_188_884}


def one_run(name: str, devices: str, **options):
    """Search one instance; return its figures."""
    problem = prunus.read(name)
    if name.startswith("queens"):
        result = prunus.solve(problem, devices=devices, **options)
        assert result.objective == SOLUTIONS[problem.n], result.objective
    else:
        optimum, nodes = OPTIMA[name]
        result = prunus.solve(problem, devices=devices, upper_bound=optimum, **options)
        assert result.status == "infeasible", result.status
        assert nodes is None or result.nodes == nodes, result.nodes
    assert result.explored == 1.0
    explorers = result.statistics["explorers"]
    return {
        "seconds": result.statistics["search_time"],
        "nodes": result.nodes,
        "steals": sum(e["steals"] for e in explorers),
        "steals_inside": sum(e["steals_inside"] for e in explorers),
        "idle": sum(e["idle_time"] for e in explorers) / len(explorers),
        "shares": result.trace.share.round(4).tolist() if result.trace else None,
    }


def case(name: str, devices: str, runs: int, **options):
    """Return the median run and all times."""
    found = [one_run(name, devices, **options) for _ in range(runs)]
    counts = {f["nodes"] for f in found}
    assert len(counts) == 1 or name.startswith("queens"), counts
    middle = sorted(found, key=lambda f: f["seconds"])[len(found) // 2]
    return {**middle, "all": [f["seconds"] for f in found]}


def speedups(gpus: list[int], names: list[str], runs: int, **options) -> list[dict]:
    """Time every instance on 1, 2, 4 GPUs."""
    rows = []
    for name in names:
        alone = None
        for count in gpus:
            devices = ",".join(f"cuda:{i}" for i in range(count))
            one_run(name, devices, **options)
            row = {"instance": name, "gpus": count, **case(name, devices, runs, **options)}
            alone = alone or row["seconds"]
            row["speedup"] = alone / row["seconds"]
            rows.append(row)
            print(
                f"{name:10} {count} GPU  {row['seconds']:9.4f} s  "
                f"{row['nodes'] / row['seconds'] / 1e9:7.2f} G nodes/s  "
                f"x{row['speedup']:.2f}  idle {row['idle']:.4f} s  steals {row['steals']}  "
                f"inside {row['steals_inside']}",
                flush=True,
            )
    nodes = {(r["instance"], r["nodes"]) for r in rows if not r["instance"].startswith("queens")}
    assert len(nodes) == len({name for name, _ in nodes}), nodes
    return rows


def hybrid(names: list[str], cores: int, runs: int) -> list[dict]:
    """Compare one GPU with one GPU and cores, run by run in turn."""
    rows = []
    for name in names:
        for policy in ("power", "half"):
            times: dict[str, list[float]] = {"cuda:0": [], f"cuda:0,cpu:{cores}": []}
            for devices in times:
                one_run(name, devices, stealing=policy)
            for _ in range(runs):
                for devices, seen in times.items():
                    seen.append(one_run(name, devices, stealing=policy)["seconds"])
            alone, both = times.values()
            row = {
                "instance": name,
                "policy": policy,
                "alone": statistics.mean(alone),
                "both": statistics.mean(both),
                "deviation": statistics.stdev(both) / statistics.mean(both) if runs > 1 else 0.0,
                "worst": max(both),
                "runs": runs,
            }
            rows.append(row)
            print(
                f"{name:6} policy {policy:5}  GPU {row['alone']:.4f} s  "
                f"GPU + {cores} cores {row['both']:.4f} s ({row['both'] / row['alone'] - 1:+.1%}, "
                f"deviation {row['deviation']:.1%}, worst {row['worst']:.4f} s)",
                flush=True,
            )
    return rows


def main() -> None:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpus", default="1,2,4")
    parser.add_argument("--instances", default="ta022,ta023,queens:18,queens:20,ta056")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--hybrid", type=int, default=0, metavar="RUNS")
    parser.add_argument("--cores", type=int, default=15)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    start = time.time()
    rows: dict[str, list] = {}
    gpus = [int(g) for g in arguments.gpus.split(",") if g]
    names = [name for name in arguments.instances.split(",") if name]
    if gpus and names:
        rows["speedups"] = speedups(gpus, names, arguments.runs)
    if arguments.hybrid:
        rows["hybrid"] = hybrid(["ta022", "ta028"], arguments.cores, arguments.hybrid)
    if arguments.json:
        with open(arguments.json, "w", encoding="utf-8") as stream:
            json.dump(
                {"machine": platform.processor(), "date": time.strftime("%F"), **rows}, stream
            )
    print(f"{time.time() - start:.0f} s in all")


if __name__ == "__main__":
    main()
