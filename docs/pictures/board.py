import prunus
from prunus.plot import board

axes = board(prunus.NQueens(8), [0, 4, 7, 5, 2, 6, 1, 3])
