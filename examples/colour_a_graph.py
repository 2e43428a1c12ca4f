"""A problem of your own whose values repeat: colour a graph with as few colours as possible."""

from __future__ import annotations

import numpy as np

import prunus


class Colouring(prunus.ArrayProblem):
    """Give each node a colour that no neighbour has, with as few colours as possible."""

    objective_name = "colours"

    def __init__(self, adjacent):
        nodes = len(adjacent)
        # The node at position k needs no colour beyond k: a new colour is the lowest unused one.
        super().__init__(range(1, nodes + 1), state=1 + nodes, data={"adjacent": adjacent})

    @staticmethod
    def descend(data, state, depth, value):
        """Colour the next node; state[0] is the number of colours, the others are the nodes'."""
        state[0] = max(state[0], value + 1)
        state[1 + depth] = value

    @staticmethod
    def feasible(data, state, depth):
        """Compare the last node with those before; a new colour is the lowest unused one."""
        last = depth - 1
        highest = -1
        for node in range(last):
            highest = max(highest, state[1 + node])
            if data.adjacent[node, last] and state[1 + node] == state[1 + last]:
                return False
        return depth == 0 or state[1 + last] <= highest + 1

    @staticmethod
    def bound(data, state, depth):
        """What is used already is used at the end."""
        return state[0]

    def evaluate(self, values):
        """Count the colours, if neighbours differ and no colour is left out."""
        for first, second in zip(*np.nonzero(self.data.adjacent), strict=True):
            if values[first] == values[second]:
                return None
        used = []
        for value in values:
            if value > len(used):
                return None
            if value == len(used):
                used.append(value)
        return len(used)


def queens_graph(size):
    """Squares of a board are adjacent if a queen moves from one to the other."""
    row, column = np.divmod(np.arange(size * size), size)
    lines = (row, column, row + column, row - column)
    adjacent = np.logical_or.reduce([line[:, None] == line for line in lines])
    return adjacent & ~np.eye(size * size, dtype=bool)


if __name__ == "__main__":
    print(prunus.check(Colouring(queens_graph(2)), walks=30))
    print(prunus.solve(Colouring(queens_graph(5))))
