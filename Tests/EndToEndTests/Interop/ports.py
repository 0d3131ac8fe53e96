"""Ports for what goes away and comes back."""
import random
import socket


def free_port():
    """A port on which no program listens, below those that the system hands out: no other program is given it meanwhile."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
