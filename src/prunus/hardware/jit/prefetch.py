"""Memory that compiled code will read soon: the processor begins to fetch it."""

from __future__ import annotations

from prunus.hardware.jit.intrinsics import Call, Intrinsic, intrinsic
from prunus.hardware.jit.later import cgutils, ir, types


@intrinsic
def prefetch(values: types.Array, at: types.Integer) -> Intrinsic:
    """Fetch the cache line of an array's element; the array stays as it is."""

    def generate(call: Call) -> ir.Value:
        place = call.builder.gep(call.data(0), [call.args[1]])
        byte, word = ir.IntType(8).as_pointer(), ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [byte, word, word, word])
        function = cgutils.get_or_insert_function(call.builder.module, kind, "llvm.prefetch.p0i8")
        # To read, to be kept in all caches, of data.
        how = [word(0), word(3), word(1)]
        call.builder.call(function, [call.builder.bitcast(place, byte), *how])
        return call.context.get_dummy_value()

    return types.void(values, types.intp), generate
