"""Several devices of one machine on one tree: speed-up, idle time, steals; GPUs and cores together.

    python -m benchmarks.treesearch.devices --gpus 1,2,4 --json out.json
    python -m benchmarks.treesearch.devices --gpus 4 --cards 2   # parts of two: shared_cards
    python -m benchmarks.treesearch.devices --hybrid 30

Every search has its optimum given, so that all runs branch the same nodes; counts are checked.
Times are of the search alone, without compilation: each case runs before it is timed, for a moment.
Idle seconds are a device's, on average.
"""

from __future__ import annotations

import argparse
import platform
import statistics
import time

import prunus
from benchmarks.save import save
from benchmarks.treesearch.shared_cards import share

OPTIMA = {
    "ta022": (2099, 45_955_964),
    "ta023": (2326, 2_862_864_770),
    "ta024": (2223, 193_113_674),
    "ta025": (2291, 84_319_335),
    "ta026": (2226, 278_929_561),
    "ta027": (2273, 362_418_582),
    "ta028": (2200, 12_869_908),
    "ta056": (3679, 173_314_864_804),
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
        assert result.nodes == nodes, result.nodes
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


def warm_up(name: str, devices: str, **options):
    """Compile and load everything that a search needs."""
    bound = {} if name.startswith("queens") else {"upper_bound": OPTIMA[name][0]}
    prunus.solve(prunus.read(name), devices=devices, time_limit=0.2, **bound, **options)


def case(name: str, devices: str, runs: int, **options):
    """Return the median run and all times."""
    found = [one_run(name, devices, **options) for _ in range(runs)]
    counts = {f["nodes"] for f in found}
    assert len(counts) == 1 or name.startswith("queens"), counts
    middle = sorted(found, key=lambda f: f["seconds"])[len(found) // 2]
    return {**middle, "all": [f["seconds"] for f in found]}


def speedups(gpus: list[int], names: list[str], runs: int, cards: int = 0) -> list[dict]:
    """Time every instance on 1, 2, 4 GPUs, which may have to share cards."""
    rows = []
    for name in names:
        alone = None
        for count in gpus:
            devices = ",".join(f"cuda:{i}" for i in range(count))
            share(count, cards or count)
            warm_up(name, devices)
            row = {"instance": name, "gpus": count, **case(name, devices, runs)}
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


def hybrid(names: list[str], cores: int, runs: int, policies: list[str]) -> list[dict]:
    """Compare one GPU with one GPU and cores, run by run in turn; the last row is all together."""
    rows = []
    for policy in policies:
        sums = [[0.0] * runs, [0.0] * runs]
        for name in [*names, "together"]:
            if name in OPTIMA:
                kinds = ("cuda:0", f"cuda:0,cpu:{cores}")
                for devices in kinds:
                    warm_up(name, devices, stealing=policy)
                times: list[list[float]] = [[], []]
                for run in range(runs):
                    for kind, devices in enumerate(kinds):
                        times[kind].append(one_run(name, devices, stealing=policy)["seconds"])
                        sums[kind][run] += times[kind][-1]
            alone, both = times if name in OPTIMA else sums
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
                f"{name:8} policy {policy:5}  GPU {row['alone']:.4f} s  "
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
    parser.add_argument("--cards", type=int, default=0, help="there are; as many by default")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--hybrid", type=int, default=0, metavar="RUNS")
    parser.add_argument("--cores", type=int, default=15)
    parser.add_argument("--policies", default="power", help="power,half")
    parser.add_argument("--json")
    arguments = parser.parse_args()
    start = time.time()
    rows: dict[str, list] = {}
    gpus = [int(g) for g in arguments.gpus.split(",") if g]
    names = [name for name in arguments.instances.split(",") if name]
    if gpus and names:
        rows["speedups"] = speedups(gpus, names, arguments.runs, arguments.cards)
    if arguments.hybrid:
        shops = [f"ta{number:03d}" for number in range(22, 29)]
        policies = arguments.policies.split(",")
        rows["hybrid"] = hybrid(shops, arguments.cores, arguments.hybrid, policies)
    save({"machine": platform.processor(), "date": time.strftime("%F"), **rows}, arguments.json)
    print(f"{time.time() - start:.0f} s in all")


if __name__ == "__main__":
    main()
