"""When all devices get the tree, and for how long."""

from __future__ import annotations

import math

from prunus.runtime.outcome import Outcome
from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.options import Proof
from prunus.treesearch.portfolio import tuning as portfolio_tuning
from prunus.treesearch.portfolio.tree import TreeShare


class TreeSchedule:
    """Says when all devices shall search the tree, and what is known of that.

    Times of the tree are those of one core: all devices are like so many ``cores``, a GPU like
    many. They have tried it for ``tried_s`` seconds and not ended it. How the ``proof`` is made has
    priority over better solutions where the user has chosen it, as without a time limit, or where
    the search is to be resumed (``proof_first``).
    """

    def __init__(
        self,
        tree: TreeShare,
        monitor: AnyMonitor,
        proof: Proof,
        *,
        cores: int,
        gpus: int,
        small_gap: float | None,
    ) -> None:
        self._tuning = portfolio_tuning.TUNING
        self.cores = self._tuning.gpu_cores * gpus if gpus else float(cores)
        self.tried_s = self._rest_until = 0.0
        self._tree, self._gpus, self._monitor, self._proof = tree, gpus, monitor, proof
        chosen = proof is not Proof.AUTO or monitor.checkpoint_writer is not None
        self.proof_first = chosen or math.isinf(monitor.time_left)
        self._targets_tried, self._small_gap = False, small_gap

    @property
    def seconds(self) -> float | None:
        """Seconds that the tree seems to take all devices; None without an estimate."""
        left_ns = self._tree.left_ns
        return None if left_ns is None else left_ns / 1e9 / self.cores

    @property
    def sure_s(self) -> float | None:
        """For how long all devices may search the tree, of which lower trees say that it will end.

        None where they do not.
        """
        tuning, seconds, known = self._tuning, self.seconds, self._tree.foretold
        if known is None or seconds is None or known.error > tuning.sure_error:
            return None
        # One that has had as much already is larger than they say.
        most_s = tuning.sure_factor * seconds
        ends = seconds * known.factor <= self._monitor.time_left
        return most_s if ends and self.tried_s <= most_s else None

    @property
    def unknown(self) -> bool:
        """Whether GPUs must search lower trees first to know how large the tree is."""
        return bool(self._gpus) and not (self._tree.trusted or self._tree.foretold)

    @property
    def hopeless(self) -> bool:
        """Whether even what the tree takes at least is much more than what is left of a limit."""
        known, seconds = self._tree.foretold, self.seconds
        most_s = self._tuning.hopeless_factor * self._monitor.time_left
        return seconds is None or seconds > (1.0 if known is None else known.factor) * most_s

    def first_try_s(self, lower: int) -> float | None:
        """Return for how long GPUs try the tree before anything else; None if it may be large."""
        tree, tuning, monitor, gap = self._tree, self._tuning, self._monitor, self._small_gap
        most = math.inf if tree.trusted or gap is None else (1 + gap) * lower
        if not (self._gpus and tree.may_estimate and monitor.incumbent.cutoff <= most):
            return None
        return min(tuning.gpu_first_s, tuning.gpu_first_share * monitor.time_left)

    def due(self, spent_ns: float, usual_ns: float) -> bool:
        """Say whether the tree shall have all devices now.

        Each of the ``cores`` has had heuristics for so long, which usually have so long.
        """
        tuning, tree = self._tuning, self._tree
        usual = spent_ns >= usual_ns
        spent_ns, usual_ns = self.cores * spent_ns, self.cores * usual_ns
        tree.others_ns = spent_ns  # what the tree could have had meanwhile
        left = math.inf if tree.left_ns is None else tree.left_ns
        at_once_ns = tuning.at_once_ns * (self.cores if self._gpus else 1.0)
        small = left <= max(at_once_ns, tuning.tree_factor * spent_ns)
        if not self.proof_first:
            return (small or usual) and self._worth_a_try(small)
        # Where the tree keeps GPUs until its end, beams on them have their usual time before.
        may_wait = self._gpus and not tree.trusted
        most_ns = min(tuning.longer_factor * usual_ns, tuning.longer_share * left)
        longer = may_wait and spent_ns < most_ns
        return bool((small and not may_wait) or (usual and (self.unknown or not longer)))

    def _worth_a_try(self, small: bool) -> bool:
        """Say whether all devices shall search the tree now, under a limit.

        One that is ``small`` takes no longer than the heuristics did.
        """
        tree, seconds = self._tree, self.seconds
        if seconds is None:
            return False
        if self.sure_s is not None:
            return True
        if not tree.trusted and self._monitor.elapsed < self._rest_until:
            return False
        if tree.foretold is not None:
            return not self.hopeless
        return small or seconds <= self._tuning.reachable_share * self._monitor.time_left

    def try_s(self, elapsed: float) -> float | None:
        """Return for how long all devices try the tree, so long after the beginning.

        None where they search it to the end: it is as large as it seems, or the proof is first.
        """
        tree, tuning = self._tree, self._tuning
        if tree.done or tree.trusted:
            return None
        to_be_known = self.unknown and self._proof is Proof.AUTO and not self._targets_tried
        if self.proof_first and not to_be_known:
            return None
        share = tuning.gpus_share if self._gpus else tuning.cores_share
        return max(tuning.least_s, share * elapsed, self.sure_s or 0.0)

    def note(self, seconds: float, outcome: Outcome, *, below_targets: bool) -> None:
        """Note what all devices have searched of the tree in some seconds, and not ended it.

        From then on it is taken to need so much at least, and more if that is all that is known. It
        is not given to them again for a while, unless lower trees say that it can be ended.
        """
        tree, tuning = self._tree, self._tuning
        trees = outcome.statistics.get("targets", ())
        large = [each for each in trees if each["nodes"] >= tuning.rate_nodes]
        if large:
            nodes_per_s = max(each["nodes"] / each["time"] for each in large)
            self.cores = nodes_per_s * tree.node_ns / 1e9
        rest = tuning.gpus_rest if self._gpus else tuning.cores_rest
        self.tried_s += seconds
        self._rest_until = self._monitor.elapsed + rest * seconds
        self._targets_tried = self._targets_tried or below_targets
        factor = 1.0 if tree.trusted or below_targets else tuning.again_factor
        tree.at_least_ns = max(tree.at_least_ns, factor * seconds * 1e9 * self.cores)

    @property
    def direct_s(self) -> float | None:
        """For how long GPUs search below the incumbent before targets; None where as usual."""
        tuning, seconds = self._tuning, self.seconds
        if not self._gpus or self._proof is not Proof.AUTO:
            return None
        if not self._tree.trusted:
            return 0.0
        if seconds is None or seconds > tuning.gpu_direct_s:
            return None
        return tuning.gpu_direct_factor * seconds
