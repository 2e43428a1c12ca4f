"""Linear assignment, with dual prices as the proof.

- `problem`, `data`: what users build; `validation` checks its values, `solution` an assignment.
- `scipy_api`: SciPy's function; `scipy_matrix`: what it takes for a matrix; `scipy_forms`:
  what it takes beyond SciPy's.
- `solver`: which of the methods; `certificate`: what is proven at each moment.
- `instance/`: what is solved in place of a problem: benefits, no more rows than columns.
- `exact/`: auction and shortest augmenting paths; `points/`: the same without a matrix.
- `switching/`: deep greedy switching; `portfolio/`: that under a deadline, then the exact method.
- `stack`, `clipped`: many problems of one size; a limit of costs.
- `gpu/`: all of it on GPUs.
"""
