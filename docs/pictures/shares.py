import prunus
from prunus.plot import shares

result = prunus.solve(prunus.NQueens(14), devices="cpu:2")
axes = shares(result)
