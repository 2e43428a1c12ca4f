"""Tests of messages need pyzmq, which is an extra."""

from importlib.util import find_spec

NEED_MESSAGES = ["test_coordinator_server.py", "test_relay.py", "test_what_listens.py"]

collect_ignore = [] if find_spec("zmq") else [*NEED_MESSAGES, "test_worker_connection.py"]
