import prunus
from prunus.plot import trace

result = prunus.solve(prunus.read("ta029"), upper_bound=2237, devices="cpu:2")
axes = trace(result)
