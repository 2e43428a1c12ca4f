"""What the kernels of forward beams share with the host."""

from __future__ import annotations

from prunus.hardware.cuda.structs import Field, Structure

CONTROL = Structure(
    "Control",
    Field("nodes", "u32", "of this level"),
    Field("dropped", "u32", "1 if an earlier level has dropped a child below the cutoff"),
    Field("least", "u64", "the least key of its children"),
    Field("evaluated", "u64", "children of all earlier levels"),
    Field("completed", "u64", "the least cost of its children's completions"),
    Field("who", "u64", "the first child with that"),
    Field("lock", "u64", "held while these two change"),
)
CHOICE = Structure(
    "Choice",
    Field("total", "u64", "keys that there are"),
    Field("below", "u64", "those with a rank below the threshold"),
    Field("threshold", "u64", "the first bits of the rank up to which keys are kept"),
    Field("quota", "u32", "so many of that rank are kept"),
    Field("everything", "u32", "1 if all are kept"),
    Field("passes", "u32", "of three that have been made"),
    Field("kept", "u32"),
)
SELECTION = Structure(
    "Selection",
    Field("keys", "const NUM*"),
    Field("ranks", "u32*", "24 bits for each key, or NO_RANK"),
    Field("prints", "const u64*", "what keys that are equal are told apart by; null: their places"),
    Field("number", "const u32*", "how many keys there are"),
    Field("each", "u64", "times so many"),
    Field("target", "u64", "how many are kept, at most"),
    Field("least", "const u64*", "the least of them"),
    Field("seed", "u64", "says which of equal ones are kept"),
    Field("choice", "Choice*"),
    Field("histogram", "u32*", "[BINS], all zero between two selections"),
    Field("sums", "u64*", "[tile]: kept | ties << 32, then the sum of those before"),
)
LEVEL = Structure(
    "Level",
    Field("tables", "const u32*", "what load_tables reads"),
    Field("salts", "const u64*", "[number of a state and word of a set]: odd, random"),
    Field("states", "u32*", "[node][STATE_WORDS]"),
    Field("free", "u32*", "[node][WORDS]"),
    Field("lists", "u16*", "[node][LEVELS - depth]: the free items, in the order of completions"),
    Field("next_states", "u32*", "the same of the next level"),
    Field("next_free", "u32*"),
    Field("next_lists", "u16*"),
    Field("control", "Control*", "of this level; the next level's lies behind it"),
    Field("children", SELECTION, "of all children, node after node, the candidates"),
    Field("candidates", SELECTION, "of the candidates, no two alike, the nodes of the next level"),
    Field("places", "u32*", "[candidate]: which child it is"),
    Field("prints", "u64*", "[candidate]: its fingerprint, never zero"),
    Field("slots", "u32*", "[candidate]: where that is in the table"),
    Field("table", "u64*", "[slot]: a fingerprint, or zero"),
    Field("owners", "u32*", "[slot]: the first candidate with it"),
    Field("chosen", "u32*", "[node of the next level]: which child it is"),
    Field("parents", "u32*", "[node of the next level]"),
    Field("items", "u16*", "[node of the next level]"),
    Field("path", "u16*", "[LEVELS]: the items that lead to a node, last fixed first"),
    Field("depth", "u64", "items that are fixed"),
    Field("cutoff", "i64", "solutions that cost as much are of no use"),
    Field("weight", "double", "of what completions cost; bounds, or the guide, have the rest"),
)
PIECE = Structure(
    "Piece",
    Field("level", "const Level*"),
    Field("first", "u64", "child; or the node whose path is wanted"),
    Field("end", "u64", "one past the last child"),
)
STRUCTURES = (CONTROL, CHOICE, SELECTION, LEVEL, PIECE)
