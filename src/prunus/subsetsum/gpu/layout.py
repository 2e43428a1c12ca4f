"""What the host tells the kernels of subset sum, and what they tell it: declared once for both."""

from __future__ import annotations

from prunus.hardware.cuda.structs import Field, Structure

SIDE = Structure(
    "Side",
    Field("outer", "const u64*", "residues modulo q, keys above them"),
    Field("outer_check", "const u64*"),
    Field("inner", "const u32*", "keys in the order of their residues"),
    Field("masks", "const u32*", "the subsets"),
    Field("start", "const u32*", "where each residue begins, and the end"),
    Field("low", "const u64*", "checks of the subsets of the first inner items, and of the others"),
    Field("high", "const u64*"),
    Field("split", "u64", "how many are the first"),
    Field("count", "u64", "of outer sums"),
)

FOUR_LIST = Structure(
    "FourListSearch",
    Field("side", SIDE, "near, far", 2),
    Field("modulus", "u64"),
    Field("first", "u64", "residue"),
    Field("count", "u64", "of residues"),
    Field("all", "u64", "1 to go on after a hit"),
    Field("room", "u64", "survivors of a side that a block can keep"),
    Field("survivors", "u64*", "outer places above inner ones"),
    Field("hits", "u64*", "residue, near, far: an outer place above an inner subset"),
    Field("hit_room", "u64"),
    Field("doubtful", "u64*", "residues that the host has to look at"),
    Field("doubtful_room", "u64"),
    Field("control", "u32", "cursor, hits, doubtful residues, whether a hit was found", 4),
)

SHORT_LIST = Structure(
    "ShortList",
    Field("low", "const u64*", "of the subsets of the first items: residues, keys above them"),
    Field("high", "const u64*", "of the others"),
    Field("split", "u64", "how many items are the first"),
    Field("count", "u64", "of subsets"),
    Field("start", "u32*"),
    Field("keys", "u32*"),
    Field("masks", "u32*"),
    Field("modulus", "u64"),
)

LONG_LIST = Structure(
    "LongList",
    Field("first", "const u64*", "of the short list's items: two tables of residues, keys above"),
    Field("second", "const u64*"),
    Field("split", "u64", "how many items the first table has, and both"),
    Field("items", "u64"),
    Field("bucket", "u32*", "where each bucket begins in the short list, and the end"),
    Field("shift", "u64", "the logarithm of the residues in a bucket"),
    Field("pairs", "u64*", "of the short list: residues, keys above them"),
    Field("names", "u32*", "the subsets"),
    Field("high", "const u64*", "of the other items"),
    Field("highs", "u64"),
    Field("modulus", "u64"),
    Field("width", "u64", "residues in a range, not more than the modulus"),
    Field("ranges", "u64"),
    Field("before", "u32*", "subsets before each range, and in all, plus those before the first"),
    Field("start", "u32*", "where each residue begins in the list, and the end"),
    Field("list", "u32*"),
    Field("masks", "u32*"),
)

GROWTH = Structure(
    "Growth",
    Field("from", "const u64*"),
    Field("to", "u64*"),
    Field("length", "u64"),
    Field("weights", "u64", "", 3),
    Field("tiles", "u64", "of the output; of add_items, in how many ways the items are chosen"),
    Field("cuts", "u64*"),
)

PAIR_SEARCH = Structure(
    "PairSearch",
    Field("a", "const u64*"),
    Field("b", "const u64*"),
    Field("n", "u64"),
    Field("m", "u64"),
    Field("first", "u64", "tile"),
    Field("tiles", "u64"),
    Field("shifts", "const u64*"),
    Field("shift_count", "u64"),
    Field("targets", "const u64*"),
    Field("count", "u64", "of targets"),
    Field("middle", "u64", "between the shifts"),
    Field("step", "u64", "places of a from one tile to the next, and how many tiles there are"),
    Field("every_tile", "u64"),
    Field("found", "u64*", "how many pairs, a, b, target above shift of one, spare stretches"),
    Field("samples", "u64*", "of a, of b"),
    Field("edges", "u32*", "for every shift and target: where in the sample tiles begin, in b end"),
    Field("spare", "u64*", "for search_spare: tile and target above a length, begin in b"),
    Field("room", "u64", "for spare stretches"),
)

CLOSEST_PAIR = Structure(
    "ClosestPairSearch",
    Field("a", "const u64*"),
    Field("b", "const u64*"),
    Field("n", "u64"),
    Field("m", "u64"),
    Field("first", "u64", "tile"),
    Field("tiles", "u64"),
    Field("targets", "const u64*"),
    Field("count", "u64", "of targets"),
    Field("least", "u64*", "target - sum, for every target"),
)

STRUCTURES = (SIDE, FOUR_LIST, SHORT_LIST, LONG_LIST, GROWTH, PAIR_SEARCH, CLOSEST_PAIR)
