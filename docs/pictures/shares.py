import prunus
from prunus.plot import shares

result = prunus.solve(prunus.read("ta030"), upper_bound=2178, devices="cpu:2")
axes = shares(result)
