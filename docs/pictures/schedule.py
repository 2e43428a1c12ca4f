import prunus
from prunus.plot import gantt

shop = prunus.FlowShop(
    [[3, 2, 5], [1, 4, 2], [6, 1, 3], [2, 2, 2], [4, 3, 1], [2, 5, 3]],
    job_names=["gear", "shaft", "housing", "pin", "cover", "bolt"],
    machine_names=["lathe", "mill", "drill"],
)
axes = gantt(prunus.solve(shop))
axes.figure.set_size_inches(7.4, 2.6)
