"""Who gets how much of the cores, until the tree gets all devices."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from prunus.runtime.incumbent import NO_INCUMBENT
from prunus.runtime.outcome import Outcome
from prunus.runtime.trace import Recorder, Trace
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.driver.resume_state import ResumeState
from prunus.treesearch.driver.target_searches import TargetSearches
from prunus.treesearch.portfolio.activity import SLICE_NS, Account, Activity
from prunus.treesearch.portfolio.beams import BeamRuns
from prunus.treesearch.portfolio.beside import HeuristicsBeside
from prunus.treesearch.portfolio.gpu_beams import GpuBeamRuns
from prunus.treesearch.portfolio.gpu_runs import GpuRuns
from prunus.treesearch.portfolio.raised_bound import RaisedBound
from prunus.treesearch.portfolio.sharing import CoreSharing
from prunus.treesearch.portfolio.tree import TreeShare
from prunus.treesearch.portfolio.tries import TreeTries
from prunus.treesearch.portfolio.tuning import DEFAULT_TUNING, PortfolioTuning


class Portfolio:
    """The activities of one solve on some cores, and on GPUs.

    ``tries`` says what is known of the tree's search by all devices.

    Parameters
    ----------
    tree
        The search of the tree beside heuristics, if there is one. Without it, a limit and a proof
        to come, the portfolio ends with the widest beam.
    cores
        Those for what does not run on GPUs.
    monitor
        Its incumbent has a solution already.
    lower
        No solution is below this.
    chain
        Makes a heuristic on one core that improves solutions, given its number and how long a slice
        is, nominally.
    beams
        Makes beams, given how many cores they use together, which is half of them: chains have the
        others. None to go without.
    usual_ns
        The usual time of heuristics before the tree has all devices.
    proof_first
        Whether the proof has priority over better solutions, as without a time limit, or where the
        search is to be resumed.
    chain_share
        Where beams have one core, all chains together have so much of one.
    beams_rest
        Whether beams have little of the time where they find less than chains, so that there is a
        chain for each core nevertheless.
    gpus
        The number of GPUs that will search the tree.
    gpu_heuristics
        What runs on them before that.
    """

    def __init__(
        self,
        tree: TreeShare | None,
        cores: int,
        monitor: AnyMonitor,
        *,
        lower: int,
        chain: Callable[[int, float], Activity],
        beams: Callable[[int], BeamRuns] | None,
        usual_ns: float,
        proof_first: bool,
        chain_share: float = 1.0,
        beams_rest: bool = False,
        gpus: int = 0,
        gpu_heuristics: Sequence[GpuRuns] = (),
        tuning: PortfolioTuning = DEFAULT_TUNING,
    ) -> None:
        incumbent = monitor.incumbent
        self.tree, self._monitor, self._tuning = tree, monitor, tuning
        self._began: float | None = None
        self.tries = TreeTries(tree, cores, gpus, monitor, tuning)
        self._recorder = Recorder((f"cpu:{cores}",))
        self._lower, self._proof_first, self._gpus = lower, proof_first, gpus
        together = max(1, cores // 2) if beams and not gpus else 1
        on_cores = [beams(together)] if beams else []
        self._on_cores, self._on_gpus = on_cores, gpu_heuristics
        self._beams: list[BeamRuns | GpuRuns] = [*on_cores, *gpu_heuristics]
        workers = cores if beams_rest else cores - together + 1
        # Beams on several cores would leave them idle whenever one more chain takes their turn.
        chains = workers - 1 if together > 1 and not beams_rest else workers
        # Short slices keep the interpreter from the GPU's thread.
        soon = gpus and tree is not None and tree.trusted
        slice_ns = tuning.gpu_slice_ns if soon else SLICE_NS
        self._chains = [chain(stream, slice_ns) for stream in range(chains)]
        for each in self._chains:
            each.share = 1.0 if together > 1 or gpus else chain_share / chains
        # On one core every run is to be the same.
        self._raised = None
        if tree is not None:
            timed = cores > 1 or tree.timed
            self._raised = RaisedBound(tree, incumbent, lower, timed=timed)
        self._side_share = min(1.0, tuning.side_share * cores)
        self._usual_ns = usual_ns
        # Of equal ones the first is first: where an iteration takes long, beams begin as well.
        some: list[Activity | None] = [*gpu_heuristics, tree, self._chains[0], self._raised]
        some += [each for each in [*on_cores, *self._chains[1:]] if each not in some]
        self._sharing = CoreSharing(
            [each for each in some if each is not None],
            workers + len(gpu_heuristics),
            self._decide,
        )
        accounts = self._sharing.accounts
        beside: list[Activity] = [*(self._chains if gpus else self._chains[:1]), *on_cores]
        self._accounts_beside = {each: accounts.get(each, Account()) for each in beside}

    def beside(self) -> HeuristicsBeside:
        """Return heuristics beside the tree: an eighth of a core, or all that GPUs leave."""
        return HeuristicsBeside(self._accounts_beside, len(self._chains) if self._gpus else None)

    @property
    def lower(self) -> int:
        """What is proven: the incumbent's cost if a beam has dropped nothing."""
        if any(beams.complete for beams in self._beams):
            return self._monitor.incumbent.cutoff
        return self._lower if self._raised is None else max(self._lower, self._raised.lower)

    @property
    def raised(self) -> TargetSearches | None:
        """What has raised the lower bound, and knows how fast the tree grows."""
        return None if self._raised is None else self._raised.searches

    @property
    def side_nodes(self) -> int:
        """Nodes branched for the lower bound."""
        return 0 if self._raised is None else self._raised.nodes

    @property
    def nodes(self) -> int:
        return self.side_nodes + (0 if self.tree is None else self.tree.nodes)

    @property
    def may_be_small(self) -> bool:
        """Whether the tree may take no longer than the first solutions did."""
        tree, gap = self.tree, self._tuning.small_gap
        if tree is None or not tree.may_estimate:
            return False
        if tree.trusted or gap is None:
            return True
        return self._monitor.incumbent.cutoff <= (1 + gap) * self.lower

    @property
    def elapsed(self) -> float:
        """Seconds since it began."""
        return 0.0 if self._began is None else self._monitor.elapsed - self._began

    def tried(self, seconds: float, factor: float, rest: float = 0.0, lower: int = 0) -> None:
        """Note that all devices have tried the tree, see ``TreeTries.note``, and what that proves.

        No solution is below ``lower``.
        """
        self.tries.note(seconds, factor, rest)
        self._lower = max(self._lower, lower)
        if self._raised is not None:
            self._raised.searches.raise_lower(lower)

    def trace(self) -> Trace:
        """Return what the cores branched until now, for the proof and for the lower bound."""
        self._note()
        return self._recorder.trace()

    def begun(self) -> ResumeState | None:
        """Return what is done of the tree, for a search on all devices to go on from."""
        return None if self.tree is None else self.tree.state()

    def outcome(self) -> Outcome | None:
        """Return what it has ended with; None if the tree is to be searched after it."""
        cutoff, reason = self._monitor.incumbent.cutoff, self._monitor.stop_token.reason
        nodes, tree = self.nodes - self.side_nodes, self.tree
        if self.lower >= cutoff:
            return Outcome(
                complete=True,
                bound=self._monitor.incumbent.proven,
                nodes=nodes,
                explored=1.0,
                trace=self.trace(),
            )
        if reason is None or (tree is not None and tree.done):
            return None
        return Outcome(
            complete=False,
            bound=self.lower,
            stop_reason=reason,
            nodes=nodes,
            explored=0.0 if tree is None else tree.explored,
            trace=self.trace(),
        )

    def run(self, should_stop: Callable[[], bool]) -> None:
        """Work until something is proven, the tree shall have all cores, or a stop is wanted.

        It may be called again, where the tree was tried for a while.
        """
        if self._began is None:
            self._began = self._monitor.elapsed
            if self.tree is not None:
                with self._monitor.heuristics.timing(self.tree.name):
                    self.tree.begin(should_stop)
                if self.tree.done or should_stop():
                    return
        if not self._decide():
            try:
                monitor = self._monitor
                self._sharing.run(should_stop, time_left=lambda: monitor.time_left)
            finally:
                for heuristic in self._on_gpus:
                    heuristic.release()

    @property
    def failures(self) -> list[str]:
        """Why GPUs run heuristics no more, where they have failed."""
        return [each.failure for each in self._on_gpus if each.failure is not None]

    def note_times(self) -> None:
        """Tell the monitor how long each activity has worked, when nothing runs any more."""
        for activity, account in (self._sharing.accounts | self._accounts_beside).items():
            self._monitor.heuristics.add(activity.name, account.seconds, activity.source)

    def _note(self) -> None:
        self._recorder.note(self.elapsed, [(self.nodes, 0, self._sharing.active, 0.0)])

    def _spent_ns(self) -> float:
        """Return what heuristics have cost in cores that could have searched the tree."""
        if self._gpus:
            return self.tries.cores * 1e9 * (self.elapsed - self.tries.tried_s)
        return self._sharing.spent_ns([*self._chains, *self._beams])

    def _decide(self) -> bool:
        """Say whether to end, and share the cores anew if not; see ``CoreSharing``."""
        tuning, tree = self._tuning, self.tree
        self._note()
        if self._on_gpus:
            # Beams on a core are of use only where there are no wide ones any more.
            failed = any(each.failure is not None for each in self._on_gpus)
            for beams in self._on_cores:
                beams.share = 1.0 if failed else 0.0
        if self.lower >= self._monitor.incumbent.cutoff or (tree is not None and tree.done):
            return True
        if tree is None and not self._proof_first:
            return not (self._monitor.limited or self._beams_left)  # nothing else would end it
        # What the tree could have had meanwhile.
        spent = self._spent_ns()
        tree_share, bound_share = self._side_share, 0.0
        usual_ns = self.tries.cores * self._usual_ns
        at_once_ns = tuning.at_once_ns * (self.tries.cores if self._gpus else 1.0)
        usual = spent >= usual_ns
        if tree is not None:
            tree.others_ns = spent
        left = math.inf if tree is None or tree.left_ns is None else tree.left_ns
        small = left <= max(at_once_ns, tuning.tree_factor * spent)
        if self._proof_first:
            # Where the tree keeps GPUs until its end, beams on them have their usual time before.
            may_wait = self._gpus and tree is not None and not tree.trusted
            most_ns = min(tuning.longer_factor * usual_ns, tuning.longer_share * left)
            longer = may_wait and spent < most_ns
            if (small and not may_wait) or (usual and (self.tries.unknown or not longer)):
                return True
        elif (small or usual) and self.tries.are_worth(small):
            return True
        elif self.tries.hopeless:
            # After a better solution it is estimated again.
            tree_share, bound_share = 0.0, self._side_share
            if self._raised is not None and self._raised.slow:
                bound_share *= tuning.slow_share
        elif tree is not None and not tree.trusted and tree.growth.largest < tuning.growth_nodes:
            bound_share = self._side_share
        if self._monitor.incumbent.cutoff >= NO_INCUMBENT:
            bound_share = 0.0
        if tree is not None and self._raised is not None:
            tree.share = tree_share if tree.may_estimate else 0.0
            self._raised.share = bound_share
        return False

    @property
    def _beams_left(self) -> bool:
        """Whether beams are still at work: on GPUs, or on cores where all GPUs have failed."""
        on_gpus = [each for each in self._on_gpus if isinstance(each, GpuBeamRuns)]
        wide = [each for each in on_gpus if each.failure is None]
        return not all(each.done for each in wide or self._on_cores)
