"""Finds ports for servers that stop and start again on the same port."""
import random
import socket


def free_port():
    """Returns a port on which no program listens. It is below the range from which the system chooses ports, so no other program gets it."""
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
                return port
            except OSError:
                pass
