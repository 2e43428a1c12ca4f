"""How long the tree seems to take all devices, and whether they shall try it."""

from __future__ import annotations

from prunus.runtime.translated_monitor import AnyMonitor
from prunus.treesearch.portfolio.tree import TreeShare
from prunus.treesearch.portfolio.tuning import PortfolioTuning


class TreeTries:
    """What is known of the search of the tree by all devices, if there is a tree.

    Times of the tree are those of one core: all devices are like so many ``cores``, a GPU like
    many. They have tried it for ``tried_s`` seconds and not ended it.
    """

    def __init__(
        self,
        tree: TreeShare | None,
        cores: int,
        gpus: int,
        monitor: AnyMonitor,
        tuning: PortfolioTuning,
    ) -> None:
        self.cores = tuning.gpu_cores * gpus if gpus else float(cores)
        self.tried_s = self._rest_until = 0.0
        self._tree, self._gpus, self._monitor, self._tuning = tree, gpus, monitor, tuning

    @property
    def seconds(self) -> float | None:
        """Seconds that the tree seems to take all devices; None without an estimate."""
        if self._tree is None or self._tree.left_ns is None:
            return None
        return self._tree.left_ns / 1e9 / self.cores

    @property
    def sure_s(self) -> float | None:
        """For how long all devices may search the tree, of which lower trees say that it will end.

        None where they do not.
        """
        tuning, seconds = self._tuning, self.seconds
        known = None if self._tree is None else self._tree.foretold
        if known is None or seconds is None or known.error > tuning.sure_error:
            return None
        # One that has had as much already is larger than they say.
        most_s = tuning.sure_factor * seconds
        ends = seconds * known.factor <= self._monitor.time_left
        return most_s if ends and self.tried_s <= most_s else None

    @property
    def unknown(self) -> bool:
        """Whether GPUs must search lower trees first to know how large the tree is."""
        tree = self._tree
        return bool(self._gpus) and tree is not None and not (tree.trusted or tree.foretold)

    @property
    def hopeless(self) -> bool:
        """Whether even what the tree takes at least is much more than what is left of a limit."""
        known = None if self._tree is None else self._tree.foretold
        most_s = self._tuning.hopeless_factor * self._monitor.time_left
        seconds = self.seconds
        return seconds is None or seconds > (1.0 if known is None else known.factor) * most_s

    def are_worth(self, small: bool) -> bool:
        """Say whether all devices shall search the tree now, under a limit.

        One that is ``small`` takes no longer than the heuristics did.
        """
        tree, seconds = self._tree, self.seconds
        if tree is None or seconds is None:
            return False
        if self.sure_s is not None:
            return True
        if not tree.trusted and self._monitor.elapsed < self._rest_until:
            return False
        if tree.foretold is not None:
            return not self.hopeless
        return small or seconds <= self._tuning.reachable_share * self._monitor.time_left

    def note(self, seconds: float, factor: float, rest: float) -> None:
        """Note that all devices have searched the tree for some seconds and not ended it.

        From then on it is taken to need at least ``factor`` times as long. It is not given to them
        again before ``rest`` times as long has passed, unless lower trees say that it can be ended.
        """
        self.tried_s += seconds
        self._rest_until = self._monitor.elapsed + rest * seconds
        if self._tree is not None:
            at_least = factor * seconds * 1e9 * self.cores
            self._tree.at_least_ns = max(self._tree.at_least_ns, at_least)

    def note_rate(self, nodes_per_s: float) -> None:
        """Note how many nodes all devices have branched a second."""
        if self._tree is not None and nodes_per_s > 0:
            self.cores = nodes_per_s * self._tree.node_ns / 1e9
