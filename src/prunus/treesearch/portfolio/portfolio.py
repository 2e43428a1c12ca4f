"""Who gets how much of the cores, and of GPUs, until the tree gets all devices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.runtime.outcome import Outcome
from prunus.runtime.trace import Recorder, Trace
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.activity import SLICE_NS, Activity
from prunus.treesearch.portfolio.beams import BeamRuns
from prunus.treesearch.portfolio.beside import HeuristicsBeside
from prunus.treesearch.portfolio.gpu_beams import GpuBeamRuns
from prunus.treesearch.portfolio.gpu_runs import GpuRuns
from prunus.treesearch.portfolio.raised_bound import RaisedBound
from prunus.treesearch.portfolio.schedule import TreeSchedule
from prunus.treesearch.portfolio.sharing import CoreSharing
from prunus.treesearch.portfolio.tree import TreeShare


@dataclass(frozen=True, slots=True)
class Activities:
    """What a problem puts into a portfolio."""

    chain: Callable[[int, float], Activity]
    """Makes a heuristic on one core that improves solutions, given its number and how long a slice
    is, nominally."""
    beams: Callable[[int], BeamRuns] | None
    """Makes beams, given how many cores they use together, which is half of them: chains have the
    others. None to go without."""
    usual_ns: float
    """The usual time of heuristics before the tree has all devices."""
    tree: TreeShare | None = None
    """The search of the tree beside heuristics, if there is one. Without it, a limit and a proof to
    come, the portfolio ends with the widest beam."""
    on_gpus: Sequence[GpuRuns] = ()
    """What runs on GPUs before they search the tree."""
    chain_share: float = 1.0
    """Where beams have one core, all chains together have so much of one."""
    beams_rest: bool = False
    """Whether beams have little of the time where they find less than chains, so that there is a
    chain for each core nevertheless."""
    small_gap: float | None = None
    """One of many items may be small only if the first solution exceeds the lower bound by no more
    than this part of it."""


class Portfolio:
    """The activities of one solve on some ``cores``, those for what does not run on GPUs.

    So many ``gpus`` will search the tree. The monitor's incumbent has a solution already; none is
    below ``lower``. ``proof`` is None where no proof is to come. ``schedule`` says when the tree
    gets all devices, if there is one.
    """

    def __init__(
        self,
        given: Activities,
        monitor: AnyMonitor,
        *,
        cores: int,
        gpus: int,
        lower: int,
        proof: Proof | None,
    ) -> None:
        self.tree = given.tree
        self.schedule: TreeSchedule | None = None
        self._raised: RaisedBound | None = None
        self._given, self._monitor, self._tuning = given, monitor, portfolio_tuning.TUNING
        self._cores, self._gpus, self._lower, self._proof = cores, gpus, lower, proof
        self._began: float | None = None
        self._handed_over = False
        self._recorder = Recorder((f"cpu:{cores}",))
        if self.tree is not None and proof is not None:
            self.schedule = TreeSchedule(
                self.tree, monitor, proof, cores=cores, gpus=gpus, small_gap=given.small_gap
            )
            # On one core every run is to be the same.
            timed = cores > 1 or self.tree.timed
            self._raised = RaisedBound(self.tree, monitor.incumbent, lower, timed=timed)
        together = max(1, cores // 2) if given.beams and not gpus else 1
        self._beams = [given.beams(together)] if given.beams else []
        workers = cores if given.beams_rest else cores - together + 1
        # Beams on several cores would leave them idle whenever one more chain takes their turn.
        chains = workers - 1 if together > 1 and not given.beams_rest else workers
        # Short slices keep the interpreter from the GPU's thread.
        soon = gpus and self.tree is not None and self.tree.trusted
        slice_ns = self._tuning.gpu_slice_ns if soon else SLICE_NS
        self._chains = [given.chain(stream, slice_ns) for stream in range(chains)]
        for each in self._chains:
            each.share = 1.0 if together > 1 or gpus else given.chain_share / chains
        # Of equal ones the first is first: where an iteration takes long, beams begin as well.
        first: list[Activity | None] = [*given.on_gpus, self.tree, *self._chains[:1], self._raised]
        activities = [each for each in first if each is not None]
        activities += [*self._beams, *self._chains[1:]]
        self._sharing = CoreSharing(activities, workers + len(given.on_gpus), self._decide)

    def beside(self) -> HeuristicsBeside:
        """Return heuristics beside the tree: an eighth of a core, or all that GPUs leave."""
        some = [*(self._chains if self._gpus else self._chains[:1]), *self._beams]
        accounts = {each: self._sharing.accounts[each] for each in some}
        return HeuristicsBeside(accounts, len(self._chains) if self._gpus else None)

    @property
    def lower(self) -> int:
        """What is proven: the incumbent's cost if a beam has dropped nothing."""
        runs: list[BeamRuns | GpuRuns] = [*self._beams, *self._given.on_gpus]
        if any(each.complete for each in runs):
            return self._monitor.incumbent.cutoff
        return self._lower if self._raised is None else max(self._lower, self._raised.lower)

    def note_try(self, seconds: float, outcome: Outcome, *, below_targets: bool) -> None:
        """Note that all devices have tried the tree, see ``TreeSchedule.note``, and the bound."""
        if self.schedule is not None:
            self.schedule.note(seconds, outcome, below_targets=below_targets)
        if self._raised is not None and below_targets and outcome.bound is not None:
            self._lower = max(self._lower, int(outcome.bound))
            self._raised.searches.raise_lower(self._lower)

    @property
    def raised(self) -> TargetSearches | None:
        """What has raised the lower bound, and knows how fast the tree grows."""
        return None if self._raised is None else self._raised.searches

    @property
    def nodes(self) -> int:
        """Nodes branched for the lower bound, and those of the tree that it has itself."""
        tree = None if self._handed_over else self.tree
        return sum(each.nodes for each in (tree, self._raised) if each is not None)

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return 0.0 if self._began is None else self._monitor.elapsed - self._began

    def trace(self) -> Trace:
        """Return what the cores branched until now, for the proof and for the lower bound."""
        self._note()
        return self._recorder.trace()

    def hand_over(self) -> ResumeState | None:
        """Return what is done of the tree, for a search on all devices to go on from."""
        self._handed_over = True
        return None if self.tree is None else self.tree.state()

    def outcome(self) -> Outcome | None:
        """Return what it has ended with, without nodes; None if the tree is to be searched."""
        incumbent, reason = self._monitor.incumbent, self._monitor.stop_token.reason
        if self.lower >= incumbent.cutoff:
            return Outcome(complete=True, bound=incumbent.proven, explored=1.0, trace=self.trace())
        if reason is None or (self.tree is not None and self.tree.done):
            return None
        return Outcome(
            complete=False,
            bound=self.lower,
            stop_reason=reason,
            explored=0.0 if self.tree is None else self.tree.explored,
            trace=self.trace(),
        )

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Work until something is proven, the tree shall have all devices, or a stop is wanted.

        It may be called again, where the tree was tried for a while.
        """
        monitor = self._monitor
        if self._began is None:
            self._began = monitor.elapsed
            if self.tree is not None:
                with monitor.heuristics.timing(self.tree.name):
                    self.tree.begin(should_stop)
                if self.tree.done or should_stop():
                    return
        if not self._decide():
            try:
                self._sharing.run(should_stop, time_left=lambda: monitor.time_left)
            finally:
                for heuristic in self._given.on_gpus:
                    heuristic.release()

    @property
    def failures(self) -> list[str]:
        """Why GPUs run heuristics no more, where they have failed."""
        return [each.failure for each in self._given.on_gpus if each.failure is not None]

    def note_times(self) -> None:
        """Tell the monitor how long each activity has worked, when nothing runs any more."""
        for activity, account in self._sharing.accounts.items():
            self._monitor.heuristics.add(activity.name, account.seconds, activity.source)

    def _note(self) -> None:
        self._recorder.note(self.elapsed, [(self.nodes, 0, self._sharing.active, 0.0)])

    @property
    def _spent_ns(self) -> float:
        """For how long each device that could have searched the tree has had heuristics."""
        if self._gpus:
            return 1e9 * (self.elapsed - (0.0 if self.schedule is None else self.schedule.tried_s))
        return self._sharing.spent_ns([*self._chains, *self._beams]) / self._cores

    def _decide(self) -> bool:
        """Say whether to end, and share the cores anew if not; see ``CoreSharing``."""
        self._note()
        if self._given.on_gpus:
            # Beams on a core are of use only where there are no wide ones any more.
            for beams in self._beams:
                beams.share = 1.0 if self.failures else 0.0
        tree, schedule, raised = self.tree, self.schedule, self._raised
        if self.lower >= self._monitor.incumbent.cutoff or (tree is not None and tree.done):
            return True
        if tree is None or schedule is None or raised is None:
            if self._proof is None:  # nothing else would end it
                return not (self._monitor.limited or self._beams_left)
            return self._spent_ns >= self._given.usual_ns
        if schedule.due(self._spent_ns, self._given.usual_ns):
            return True
        side_share = min(1.0, self._tuning.side_share * self._cores)
        tree.share, raised.share = side_share if tree.may_estimate else 0.0, 0.0
        if not schedule.proof_first:
            if schedule.hopeless:
                # After a better solution it is estimated again.
                tree.share = 0.0
                raised.share = side_share * (self._tuning.slow_share if raised.slow else 1.0)
            elif not tree.trusted and tree.growth.largest < self._tuning.growth_nodes:
                raised.share = side_share
        if self._monitor.incumbent.cutoff >= NO_INCUMBENT:
            raised.share = 0.0
        return False

    @property
    def _beams_left(self) -> bool:
        """Whether beams are still at work: on GPUs, or on cores where all GPUs have failed."""
        on_gpus = [each for each in self._given.on_gpus if isinstance(each, GpuBeamRuns)]
        wide = [each for each in on_gpus if each.failure is None]
        return not all(each.done for each in wide or self._beams)
