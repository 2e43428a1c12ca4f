"""Users' problems on GPUs: their functions in CUDA C++."""
