"""What the kernel of local search shares with the host."""

from __future__ import annotations

from prunus._native.custom import CHANGE_KINDS
from prunus.hardware.cuda.structs import Field, Structure

TALLY = Structure(
    "Tally",
    Field("tried", "u64", "changes of each kind", CHANGE_KINDS),
    Field("helped", "u64", "those that made the present solution better", CHANGE_KINDS),
    Field("worse", "u64", "by how much others made it worse, in sum"),
    Field("worse_count", "u64", "how many of them"),
    Field("kept_count", "u64", "how many of these were kept, though they cost more"),
)
RUN = Structure(
    "Run",
    Field("tables", "const u32*", "what load_tables reads"),
    Field("from", "const u16*", "[chain][LEVELS]: present solutions"),
    Field("from_costs", "const i64*", "[chain]"),
    Field("sources", "const u32*", "[chain]: with whose present solution it begins"),
    Field("to", "u16*", "[chain][LEVELS]: present solutions at the end"),
    Field("to_costs", "i64*", "[chain]"),
    Field("bests", "u16*", "[chain][LEVELS]: the best solution of each"),
    Field("least", "i64*", "[chain]: and its cost"),
    Field("states", "u32*", "[chain][LEVELS][STATE_WORDS]: of the nodes on the present path"),
    Field("exponentials", "const float*", "[4096]: random numbers are drawn from them"),
    Field("tally", "Tally*"),
    Field("seed", "u64"),
    Field("chains", "u32"),
    Field("steps", "u32"),
    Field("temperature", "float", "the temperature at the beginning of the slice"),
    Field("decay", "float", "by which it is multiplied after each step"),
    Field("limits", "u32", "of 4096 changes, how many are of kinds until this", CHANGE_KINDS),
)
STRUCTURES = (TALLY, RUN)
