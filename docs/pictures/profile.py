import matplotlib.pyplot as plt

import prunus

problem = prunus.read("knapsack:weakly:12:60:40")
profile = prunus.solve(problem, profile=True).statistics["profile"]
figure, axes = plt.subplots(figsize=(7, 3), layout="constrained")
axes.step(range(len(profile)), profile, where="post")
axes.set(xlabel="capacity", ylabel="largest profit")
axes.grid(alpha=0.3)
