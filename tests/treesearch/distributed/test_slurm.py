"""The job scripts of the documentation, run by Slurm: three nodes that are one machine.

It needs root, Linux and Debian's slurm-wlm, and is asked for: ``pytest -m slow -k slurm``.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

pytest.importorskip("distributed")

ROOT = Path(__file__).parents[3]
COUNT = "666,090,624"
"""Solutions of 18 queens."""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(
        sys.platform != "linux" or os.geteuid() != 0 or shutil.which("slurmctld") is None,
        reason="needs root and Slurm",
    ),
]

CONFIGURATION = """
ClusterName=one
SlurmctldHost={host}
SlurmUser=root
SlurmctldPort={port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.%n.log
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=10
GresTypes=gpu
NodeName=n1 NodeHostname={host} Port={port1} CPUs=2 Gres=gpu:1
NodeName=n2 NodeHostname={host} Port={port2} CPUs=2 Gres=gpu:1
NodeName=n3 NodeHostname={host} Port={port3} CPUs=2 Gres=gpu:1
PartitionName=all Nodes=ALL Default=YES State=UP
"""


def free_ports(count: int) -> list[int]:
    """Return ports that nobody listens on."""
    with_ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in with_ports]
    for one in with_ports:
        one.close()
    return ports


@pytest.fixture
def slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Run Slurm's daemons, with ``prunus`` where its jobs find it."""
    folder = tmp_path / "slurm"
    (folder / "state").mkdir(parents=True)
    port, port1, port2, port3 = free_ports(4)
    (folder / "slurm.conf").write_text(
        CONFIGURATION.format(
            host=socket.gethostname(),
            folder=folder,
            port=port,
            port1=port1,
            port2=port2,
            port3=port3,
        )
    )
    (folder / "gres.conf").write_text("NodeName=n[1-3] Name=gpu File=/dev/null\n")
    (folder / "key").write_bytes(os.urandom(128))
    (folder / "key").chmod(0o600)
    command = folder / "bin" / "prunus"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {sys.executable} -m prunus "$@"\n')
    command.chmod(0o755)
    path = [str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]]
    monkeypatch.setenv("PATH", os.pathsep.join(path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT / "src"))
    monkeypatch.setenv("SLURM_CONF", str(folder / "slurm.conf"))
    monkeypatch.chdir(tmp_path)
    files = {name: folder / f"munge.{name}" for name in ("socket", "pid-file", "log-file")}
    munge = [f"--{name}={file}" for name, file in files.items()]
    munge += [f"--key-file={folder / 'key'}", f"--seed-file={folder / 'seed'}", "--force"]
    daemons = [["munged", "-F", *munge], ["slurmctld", "-D", "-i"]]
    daemons += [["slurmd", "-D", "-N", f"n{i}"] for i in (1, 2, 3)]
    running = []
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        for daemon in daemons:
            running.append(subprocess.Popen(daemon, **quiet))
            time.sleep(0.5)
        wait_for(all_idle)
        yield
    finally:
        subprocess.run(["scancel", "--user=root"], check=False, **quiet)
        for one in reversed(running):
            one.terminate()
            one.wait(20)


def told(*words: str) -> str:
    """Return what a command says."""
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout.strip()


def wait_for(done: Callable[[], bool], seconds: float = 240.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, told("squeue")
        time.sleep(0.3)


def all_idle() -> bool:
    """Return whether all three nodes are there and have nothing to do."""
    return told("sinfo", "-h", "-o", "%T %D") == "idle 3"


def script_with(word: str) -> str:
    """Return the job script of the documentation that has a word, for this small cluster."""
    page = (ROOT / "docs" / "clusters.md").read_text("utf-8")
    blocks = re.findall(r"```bash\n(.*?)```", page, re.DOTALL)
    (script,) = [block for block in blocks if "#SBATCH" in block and word in block]
    for old, new in (
        ("--nodes=16", "--nodes=3"),
        ("--ntasks=17", "--ntasks=4"),
        ("--gpus-per-node=4", "--gpus-per-node=1"),
        ("--cpus-per-task=16", "--cpus-per-task=1"),
        ("--cpus-per-task=8", "--cpus-per-task=1"),
        ("examples/", f"{ROOT}/examples/"),
        ("ta056", "queens:18"),
    ):
        script = script.replace(old, new)
    return script


@pytest.mark.timeout(600)
@pytest.mark.usefixtures("slurm")
@pytest.mark.parametrize("word", ["dask worker", "mpi4py"])
def test_a_job_that_is_cancelled_goes_on_when_it_is_submitted_again(
    tmp_path: Path, word: str
) -> None:
    """Over Dask, it also goes on when a node is lost. The count is exact."""
    script = tmp_path / "job.sh"
    script.write_text(script_with(word))
    job = told("sbatch", "--parsable", str(script))
    wait_for(lambda: any(tmp_path.glob("*.ckpt")))
    if word == "dask worker":
        told("scontrol", "update", "nodename=n3", "state=down", "reason=test")
        time.sleep(3)
        assert told("squeue", "-h", "-o", "%T") == "RUNNING"
    told("scancel", job)
    wait_for(lambda: not told("squeue", "-h"))
    wait_for(all_idle)  # a node that answers comes back by itself
    assert COUNT not in Path(f"slurm-{job}.out").read_text("utf-8")
    assert any(tmp_path.glob("*.ckpt"))
    again = told("sbatch", "--parsable", str(script))
    wait_for(lambda: not told("squeue", "-h"))
    said = Path(f"slurm-{again}.out").read_text("utf-8")
    assert COUNT in said
    assert "earlier runs" in said
