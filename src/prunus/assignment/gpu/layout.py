"""What the host and the kernels of one instance share: its arrays, numbers and counters."""

from __future__ import annotations

import numpy as np
from numpy.typing import DTypeLike

from prunus.assignment.gpu.value_source import ValueSource
from prunus.hardware.cuda.structs import Field, Structure

COUNTERS = Structure(
    "Counters",
    Field("evaluations", "u64", "best exchanges sought; rows looked at in cost scaling"),
    Field("row_scans", "u64", "rows read as a whole"),
    Field("part_scans", "u64", "parts of rows read"),
    Field("switches", "u64", "exchanges made"),
    Field("bids", "u64"),
    Field("cycles", "u64", "exchanges along cycles"),
    Field("longest_cycle", "u64"),
    Field("distinct_columns", "u64", "different best columns of a sample's rows"),
)

STATUS = Structure(
    "Status",
    Field("cursor", "u32", "how many rows of a queue are taken"),
    Field("tail", "u32", "the end of the queue"),
    Field("pending", "u32", "warps at work; rows still to be looked at"),
    Field("stop", "u32", "the slice's time is up"),
    Field("changed", "u32", "exchanges of this slice"),
    Field("ended", "u32", "switching is done; the end of the queue at the last new lists"),
    Field("unassigned", "u32", "rows without a column; stays from slice to slice"),
)

INSTANCE = Structure(
    "Instance",
    Field("matrix", "const value_t*", "row i begins at i * stride"),
    Field("stride", "u64"),
    Field("left", "const double*", "points: coordinates of row i from i * POINTS"),
    Field("right", "const double*", "points: coordinates of column j from j * POINTS"),
    Field("row_parts", "const u64*", "see locate_row"),
    Field("rows", "u64"),
    Field("columns", "u64"),
    Field("price", "price_t*", "of the columns"),
    Field("row_benefit", "price_t*", "the benefit of each row's column"),
    Field("column", "int*", "of each row"),
    Field("owner", "int*", "of each column: its row"),
    Field("lock", "int*", "of columns while prices rise, of rows in exchanges"),
    Field("list_columns", "int*", "candidates of row i from i * LIST"),
    Field("list_values", "value_t*", "their values"),
    Field("list_length", "int*"),
    Field("threshold", "price_t*", "no column outside the row's list has a larger net value"),
    Field("best_value", "price_t*", "the largest net value of each row, or gain"),
    Field("best_column", "int*", "the column for it"),
    Field("raised_by", "int*", "of columns: the row that made it dearer, or bids most"),
    Field("row_order", "int*", "the rows to go through"),
    Field("workspace", "int*", "rows that wait for a list, then links; claims of exchanges"),
    Field("marked", "int*", "of rows: to be looked at"),
    Field("price_at_look", "price_t*", "of columns: the price when its row was last looked at"),
    Field("row_buffer", "price_t*", "of rows: the largest exchange it is in; duals of a sample"),
    Field("list_bounds", "float*", "what listed columns are worth at most, see cost_scaling.cuh"),
    Field("link_paths", "char*", "see price_links.cuh"),
    Field("ranked_records", "char*", "lists for the host, see ranked_lists.cuh"),
    Field("row_count", "u64", "how many rows there are in row_order"),
    Field("epsilon", "price_t", "of an auction; in exchanges, gains up to this are rounding"),
    Field("tolerance", "price_t", "rows this near to their best are sought in lists only"),
    Field("largest_rise", "price_t", "no bid makes a column dearer by more, but for epsilon"),
    Field("stop_count", "u64", "so many rows may stay without a column; a switch of some kernels"),
    Field("budget_ns", "u64", "of the solve, from start_deadline on"),
    Field("prices_are_zero", "u64"),
    Field("slice_ns", "u64", "of one slice of the solve"),
    Field("links_fit_shared", "u64", "links fit into a block's own memory"),
    Field("prices_carry_links", "u64", "the last bits of a price name the row that raised it"),
    Field("reserve_ns", "u64", "scans of rows end so long before the solve does"),
    Field("counters", "Counters*"),
    Field("status", "Status*"),
    Field("slice_deadline", "u64", "in ticks; this and the next are written by kernels"),
    Field("solve_deadline", "u64", "in ticks"),
)

STRUCTURES = (COUNTERS, STATUS, INSTANCE)


def arrays_of(source: ValueSource, listed: int) -> dict[str, tuple[int, DTypeLike]]:
    """Return the length and the type of each array for an instance with so long lists."""
    rows, columns = source.rows, source.columns
    most = max(rows, columns)
    price, kind = source.price, source.kind
    # Those that are read together stand together, see ``DeviceInstance.read_together``.
    return {
        "instance": (1, INSTANCE.dtype),
        "status": (1, STATUS.dtype),
        "counters": (1, COUNTERS.dtype),
        "column": (rows, np.int32),
        "price": (columns, price),
        "best_value": (rows, price),
        "row_benefit": (rows, price),
        "best_column": (most, np.int32),
        "owner": (columns, np.int32),
        "lock": (most, np.int32),
        "list_columns": (rows * listed, np.int32),
        "list_values": (rows * listed, kind),
        "list_length": (rows, np.int32),
        "threshold": (rows, price),
        "raised_by": (columns, np.int32),
        "row_order": (rows, np.int32),
        "workspace": (max(4 * rows, rows + columns), np.int32),
        "marked": (rows, np.int32),
        "price_at_look": (columns, price),
        "row_buffer": (rows + 1, price),
    }
