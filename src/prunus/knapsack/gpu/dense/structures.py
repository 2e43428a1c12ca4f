"""Structures that the host and the kernels of the dense recursion share."""

from __future__ import annotations

from prunus.hardware.cuda.structs import Field, Structure

STEP = Structure(
    "Step",
    Field("profit", "i64"),
    Field("weight", "i64", "of a tile's step; a chain's steps weigh as much as the pass says"),
)

PASS = Structure(
    "Pass",
    Field("source", "u64", "where cell 0 of the row that is read is, or would be"),
    Field("target", "u64", "the same of the row that is written"),
    Field("low", "i64", "the first cell wanted"),
    Field("high", "i64", "and the last"),
    Field("top", "i64", "the last cell of the source; those above are worth as much"),
    Field("weight", "i64", "chain: of a unit, in cells"),
    Field("units", "u64", "chain: how many segments there are"),
    Field("first", "u32", "step"),
    Field("count", "u32", "of steps"),
    Field("reach", "u32", "how far they reach together: chain: units, tile: cells"),
    Field("length", "u32", "places of a segment of a chain"),
)

JOB = Structure(
    "Job",
    Field("passes", "u64"),
    Field("steps", "u64"),
    Field("first", "u32", "pass"),
    Field("last", "u32", "the end of the passes"),
    Field("arrived", "u32", "blocks, at barriers"),
    Field("unused", "u32"),
)

TRACE = Structure(
    "Trace",
    Field("passes", "u64"),
    Field("steps", "u64"),
    Field(
        "used", "u64", "u32 a pass. Chain: how many items lead to the cell. Tile: a bit for each"
    ),
    Field(
        "cell", "i64", "whose items are sought; afterwards what is left of it before the first pass"
    ),
    Field("first", "u32", "pass"),
    Field("last", "u32", "the end of the passes"),
)

STRUCTURES = (STEP, PASS, JOB, TRACE)
