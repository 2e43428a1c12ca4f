"""What the kernel of iterated greedy shares with the host."""

from __future__ import annotations

from prunus.hardware.cuda.structs import Field, Structure

CHAINS = Structure(
    "Chains",
    Field("times", "const u16*", "[job][machine]"),
    Field("from", "const u16*", "[chain][JOBS]: the schedule that each chain had"),
    Field("source", "const u32*", "[chain]: whose schedule it goes on from"),
    Field("to", "u16*", "[chain][JOBS]: the schedule that it has afterwards"),
    Field("best", "u16*", "[chain][JOBS]: the best one of this slice"),
    Field("costs", "const int*", "[chain]: the makespan of the schedule that it had"),
    Field("next_costs", "int*", "[chain]: of the one that it has afterwards"),
    Field("best_costs", "int*", "[chain]: that of the best one of this slice"),
    Field("random", "u64*", "[chain]: the state of its generator"),
    Field("moves", "u64*", "[chain]: insertions tried in all slices"),
    Field("stop", "const i64*", "not 0 to end at the next pass: the host's, for the first chain"),
    Field("stopped", "u64*", "the last slice that the others are to end, on the device"),
    Field("slice", "u64", "the number of this slice, from 1 on"),
    Field("iterations", "u64", "of this slice"),
    Field("temperature", "double", "how much worse a schedule is readily accepted"),
    Field("close", "double", "how much worse a job's best other place may be for it to be due"),
    Field("rest", "double", "after how many changes it is due, for each unit that it is worse"),
)
STRUCTURES = (CHAINS,)
