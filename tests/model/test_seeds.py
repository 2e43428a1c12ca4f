"""Seeds of generators: reproducible, of 64 bits, different for seeds and streams."""

from __future__ import annotations

from prunus.model.seeds import generator_seed


def test_seeds_and_streams_begin_different_sequences() -> None:
    """Any integers; a state is the same in every process, and all its bits are used."""
    keys = [(seed, stream) for seed in (*range(-50, 50), 2**70, -(2**70)) for stream in range(20)]
    states = [generator_seed(*key) for key in keys]
    assert len(set(states)) == len(keys)
    assert all(0 <= state < 2**64 for state in states)
    for bit in range(64):
        assert 0.4 < sum(state >> bit & 1 for state in states) / len(states) < 0.6
    assert generator_seed(0) == generator_seed(0, 0) == 7358642676132404131
