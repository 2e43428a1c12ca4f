"""By which names other machines may reach this one."""

from __future__ import annotations

import socket
import struct
from contextlib import suppress

MAX_INTERFACES = 16
"""Networks of this machine of which the addresses are told to workers."""

SIOCGIFADDR = 0x8915
"""Linux: asks for the address of an interface."""


def host_addresses(host: str) -> tuple[str, ...]:
    """Return IPv4 addresses of this machine.

    A machine of a cluster often has several, and its name may stand for one that workers of the
    same cluster cannot reach.
    """
    found: list[str] = []
    with suppress(OSError):
        found += socket.gethostbyname_ex(host)[2]
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it is asked where it would go
        found.append(probe.getsockname()[0])
    found += _interface_addresses()
    return tuple(dict.fromkeys(name for name in found if not name.startswith("127.")))


def _interface_addresses() -> list[str]:
    """Return the addresses of this machine's networks; none where they cannot be asked for."""
    found: list[str] = []
    with suppress(ImportError, OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        import fcntl

        for _, name in socket.if_nameindex()[:MAX_INTERFACES]:
            request = struct.pack("256s", name.encode()[:15])
            with suppress(OSError):  # it has none
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, request)
                found.append(socket.inet_ntoa(answer[20:24]))
    return found
