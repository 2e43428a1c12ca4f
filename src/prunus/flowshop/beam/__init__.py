"""Bidirectional beam search: good schedules of shops that are too large for a proof.

A node fixes jobs at the head and at the tail of the schedule. A beam goes through the tree level by
level and keeps the best nodes of each by bound and idle time; beams grow until time or memory ends
(Libralesso, Focke, Secardin, Jost 2022).
"""
