import prunus
from prunus.plot import trace

result = prunus.solve(prunus.NQueens(16), devices="cpu:2")
axes = trace(result)
