"""Problems as the parts of a checkpoint: a kind, numbers and names for JSON, arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from prunus.atsp.problem import ATSP
from prunus.custom.problem import OwnProblem
from prunus.errors import InputError
from prunus.flowshop.problem import FlowShop
from prunus.nqueens.problem import NQueens
from prunus.subsetsum.problem import SubsetSum

__all__ = ["from_parts", "to_parts"]


def to_parts(problem: Any) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Take a problem apart.

    Raises
    ------
    InputError
        If problems of this class have no checkpoints.
    """
    if isinstance(problem, FlowShop):
        words = {
            "kind": "FlowShop",
            "name": problem.name,
            "job_names": problem.job_names,
            "machine_names": problem.machine_names,
        }
        return words, {"problem": problem.processing_times}
    if isinstance(problem, ATSP):
        words = {"kind": "ATSP", "name": problem.name, "city_names": problem.city_names}
        return words, {"problem": problem.distances}
    if isinstance(problem, NQueens):
        return {"kind": "NQueens", "n": problem.n}, {}
    if isinstance(problem, SubsetSum):
        fields = ("name", "item_names", "weights", "target", "objective")
        return {"kind": "SubsetSum", **{name: getattr(problem, name) for name in fields}}, {}
    if isinstance(problem, OwnProblem):
        from prunus.custom import saved

        return saved.to_parts(problem)
    raise InputError(
        f"checkpoint: {type(problem).__name__} keeps none, only FlowShop, NQueens, ATSP, "
        "SubsetSum and problems of your own do; leave it out"
    )


def from_parts(
    words: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]], given: Any = None
) -> Any:
    """Put a problem together again; ``given`` is a user's own that is already made again."""
    if words["kind"] == "own":
        from prunus.custom import saved

        return saved.from_parts(words, arrays, given)
    if given is not None:
        raise InputError(f"problem: the checkpoint holds its {words['kind']}; leave it out")
    if words["kind"] == "FlowShop":
        return FlowShop(
            arrays["problem"],
            job_names=words["job_names"],
            machine_names=words["machine_names"],
            name=words["name"],
        )
    if words["kind"] == "ATSP":
        return ATSP(arrays["problem"], city_names=words["city_names"], name=words["name"])
    if words["kind"] == "SubsetSum":
        return SubsetSum(
            words["weights"],
            words["target"],
            objective=words["objective"],
            item_names=words["item_names"],
            name=words["name"],
        )
    return NQueens(words["n"])
