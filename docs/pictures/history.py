import prunus
from prunus.plot import history

result = prunus.solve(prunus.read("ta001"), first_incumbent="neh", devices="cpu:2")
axes = history(result)
