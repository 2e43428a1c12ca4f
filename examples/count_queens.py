"""Count the solutions of the n-queens problem for small boards (OEIS A000170)."""

import prunus


def main() -> None:
    """Print a line for each board."""
    print(" n   solutions       nodes")
    for n in range(4, 13):
        result = prunus.solve(prunus.NQueens(n))
        assert result.status == "optimal"
        print(f"{n:2} {result.objective:11,} {result.nodes:11,}")


if __name__ == "__main__":
    main()
