"""Train a detector that matches its predictions with the objects in a picture, as DETR does.

In every step each object of each picture gets the prediction that suits it best: an assignment
problem a picture, of as many rows as there are queries and as many columns as there are objects,
which differ in number. All are solved in one launch where the arrays lie, on a GPU if there is one;
nothing goes to the host. A table of numbers stands for the network.
"""

from types import ModuleType
from typing import Any

import numpy as np

import prunus

PICTURES, QUERIES, OBJECTS, CLASSES = 16, 30, 12, 5
STEPS, RATE = 60, 0.2


def arrays() -> ModuleType:
    """Return CuPy where there is a GPU, else NumPy."""
    try:
        import cupy
    except ImportError:
        return np
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError:
        return np
    return cupy  # type: ignore[no-any-return]


def match(xp: ModuleType, boxes: Any, scores: Any, truth: Any, kinds: Any, sizes: Any) -> Any:
    """Return the query and the object of each pair, -1 at the end of pictures with fewer objects.

    The costs are those of DETR: how unlikely the class is, and how far the box is away.
    """
    chances = xp.exp(scores - scores.max(axis=2, keepdims=True))
    chances /= chances.sum(axis=2, keepdims=True)
    unlikely = -xp.take_along_axis(chances, kinds[:, None, :].repeat(QUERIES, 1), axis=2)
    away = xp.abs(boxes[:, :, None, :] - truth[:, None, :, :]).sum(axis=3)
    # `check=False`: what follows can be launched while the pairs are still being found.
    return prunus.linear_sum_assignment(unlikely + 5 * away, sizes=sizes, check=False)


def main() -> None:
    """Pull the predictions to the objects that they are matched with."""
    xp = arrays()
    rng = np.random.default_rng(1)
    sizes = xp.asarray(rng.integers(1, OBJECTS + 1, PICTURES))
    truth = xp.asarray(rng.random((PICTURES, OBJECTS, 4), np.float32))
    kinds = xp.asarray(rng.integers(0, CLASSES, (PICTURES, OBJECTS)))
    boxes = xp.asarray(rng.random((PICTURES, QUERIES, 4), np.float32))
    scores = xp.asarray(rng.normal(size=(PICTURES, QUERIES, CLASSES)).astype(np.float32))
    picture = xp.arange(PICTURES)[:, None]
    for step in range(STEPS):
        query, target = match(xp, boxes, scores, truth, kinds, sizes)
        paired = query >= 0
        apart = xp.where(paired[..., None], truth[picture, target] - boxes[picture, query], 0)
        if step % 20 == 0 or step == STEPS - 1:
            print(f"step {step:2}: mean distance {float(xp.abs(apart).sum() / paired.sum()):.3f}")
        query = xp.where(paired, query, 0)
        for k in range(query.shape[1]):  # one pair of each picture: no query is in two
            boxes[picture[:, 0], query[:, k]] += RATE * apart[:, k]
            likely = xp.where(paired[:, k], xp.float32(RATE), xp.float32(0))
            scores[picture[:, 0], query[:, k], kinds[picture[:, 0], target[:, k]]] += likely
    print(f"all {int(sizes.sum())} objects are matched in {PICTURES} pictures")


if __name__ == "__main__":
    main()
