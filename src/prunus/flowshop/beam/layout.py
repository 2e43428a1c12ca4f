"""What the kernels of beams share with the host."""

from __future__ import annotations

from prunus.hardware.cuda.structs import Field, Structure

CONTROL = Structure(
    "Control",
    Field("nodes", "u32", "of this level"),
    Field("last_bin", "u32", "children in earlier bins are all kept"),
    Field("quota", "u32", "and so many of this one"),
    Field("dropped", "u32", "1 if an earlier level has dropped a child below the cutoff"),
    Field("low", "float", "the key at which the bins begin"),
    Field("scale", "float", "bins a unit of the key"),
    Field("best", "u64", "at the last level: least makespan << 32 | node"),
    Field("evaluated", "u64", "children of all earlier levels"),
)
SURVIVORS = Structure(
    "Survivors",
    Field("count", "int", "children below the cutoff at the head, less those at the tail"),
    Field("difference", "int", "the same of the sums of their bounds"),
)
LEVEL = Structure(
    "Level",
    Field("rows", "const u32*", "[job][ROW_WORDS]: time | time on the mirrored machine << 16"),
    Field("totals", "const u32*", "[machine]: work of all jobs | of the mirrored machine << 16"),
    Field("root", "const u32*", "[word of the state]"),
    Field("nodes", "const u32*", "[word of the state][capacity]"),
    Field("next", "u32*", "the same, of the next level"),
    Field("control", "Control*", "of this level; the next level's lies behind it"),
    Field("histogram", "u32*", "[BINS] of this level"),
    Field("keys", "u16*", "[job][capacity]: the bin of each child"),
    Field("samples", "float*", "[job][sampled]: keys"),
    Field("ahead", "u8*", "[group][capacity]: children at the head that are below the cutoff"),
    Field("behind", "u8*", "[group][capacity]: the same at the tail"),
    Field("survivors", "Survivors*", "[capacity]"),
    Field("counts", "u32*", "[node][slice]: children in earlier bins | in the last bin << 16"),
    Field("sums", "u64*", "[128 of these]: the same << 32, then the sum of those before"),
    Field("parents", "u32*", "[capacity] of each node of the next level"),
    Field("jobs", "u16*", "[capacity]: its job << 1 | direction"),
    Field("schedule", "u16*", "[JOBS]: the best schedule's jobs, last fixed first"),
    Field("capacity", "u64", "nodes that are kept, at most"),
    Field("sampled", "u64", "nodes that are sampled, at most"),
    Field("slices", "u64", "lanes that share a node"),
    Field("most", "u64", "nodes that this level can have"),
    Field("level", "u64", "jobs that are fixed"),
    Field("cutoff", "u64", "schedules of at least this makespan are of no use"),
    Field("weight", "double", "of idle time, at this level"),
    Field("emphasis", "const float*", "how many times it counts on each four machines"),
)
STRUCTURES = (CONTROL, SURVIVORS, LEVEL)
