"""Structures that the host and the kernels of the dense recursion share."""

from __future__ import annotations

from prunus.hardware.cuda.structs import Field, Structure

STEP = Structure(
    "Step",
    Field("profit", "i64"),
    Field(
        "shift", "u32", "chain: it weighs 2^shift units; tile: the lines it moves values by, 0 or 1"
    ),
    Field("weight", "u32", "tile: what it weighs beyond that"),
)

PASS = Structure(
    "Pass",
    Field("source", "u64", "where cell 0 of the row that is read is, or would be"),
    Field("target", "u64", "the same of the row that is written"),
    Field("low", "i64", "the first cell wanted"),
    Field("high", "i64", "and the last"),
    Field("top", "i64", "the last cell of the source; those above are worth as much"),
    Field("weight", "i64", "chain: of a unit, in cells; folded tile: from line to line"),
    Field("first", "u32", "step"),
    Field("count", "u32", "of steps"),
    Field("reach", "u32", "how far they reach together: chain: units, tile: cells in a line"),
    Field("lines", "u32", "folded tile: lines that they reach; 0: not folded"),
    Field("fold", "u32", "a line has THREADS << fold places"),
    Field("length", "u32", "places of a segment of a chain"),
    Field("units", "u32", "how many segments there are"),
    Field("unused", "u32"),
)

JOB = Structure(
    "Job",
    Field("passes", "u64"),
    Field("steps", "u64"),
    Field("first", "u32", "pass"),
    Field("last", "u32", "the end of the passes"),
    Field("arrived", "u32", "blocks, at barriers"),
    Field("redone", "u32", "blocks that have done something a second time"),
)

TRACE = Structure(
    "Trace",
    Field("passes", "u64"),
    Field("steps", "u64"),
    Field("chosen", "u64", "a byte a step, set for those that lead to the cell"),
    Field(
        "cell", "i64", "whose items are sought; afterwards what is left of it before the first pass"
    ),
    Field("first", "u32", "pass"),
    Field("last", "u32", "the end of the passes"),
)

BEST_SUM = Structure(
    "BestSum",
    Field("here", "u64", "cells of one table"),
    Field("there", "u64", "and those of the other that fill the capacity with them"),
    Field("cells", "i64", "how many; the last of `there` belongs to the first of `here`"),
    Field("wanted", "i64", "the sum to look for; negative: the best"),
    Field("best", "i64", "the best sum"),
    Field("place", "i64", "the last cell of `here` that leads to the one wanted"),
)

STRUCTURES = (STEP, PASS, JOB, TRACE, BEST_SUM)
