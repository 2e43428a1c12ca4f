"""What kernels answer to fixed questions, a module a problem, for tests that compare processes.

Each module has ``answers()``: plain values (numbers, strings, lists of them) that must be the same
on every instruction set, in a fresh process and after any others. Run as
``python -m tests.native.answers NAME ...`` it prints those of the modules named, in that order.
"""
