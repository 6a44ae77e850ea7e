#!/usr/bin/env python3
"""Stands in for GNU Backgammon: reads a file of commands, listens where `external` says, answers.

FAKE_GNUBG says how it behaves (see main); FAKE_GNUBG_LOG is a file for its process number, the
commands and the requests.
"""

import os
import socket
import sys
import time


def main():
    mode = os.environ.get("FAKE_GNUBG", "echo")
    log = open(os.environ["FAKE_GNUBG_LOG"], "a", buffering=1)
    commands = open(sys.argv[sys.argv.index("-c") + 1]).read().splitlines()
    print(os.getpid(), "|".join(commands), file=log)
    if mode == "stop":  # before it listens
        print("no such command")
        sys.exit(1)
    if mode == "deaf":  # never listens
        time.sleep(60)
    path = next(line.split()[1] for line in commands if line.startswith("external"))
    server = socket.socket(socket.AF_UNIX)
    server.bind(path)
    server.listen(1)
    client, _ = server.accept()
    for count, line in enumerate(client.makefile()):
        line = line.rstrip("\n")
        print("asked", line, file=log)
        if mode == "die" or (mode == "die-second" and count == 1):
            sys.exit(0)
        if mode == "hang":
            time.sleep(60)
        if mode == "chatter":
            client.sendall(b"1\n2\n")
        elif mode == "long":
            client.sendall(b"x" * 5000)
        elif mode == "nonsense":
            client.sendall(b"Error: syntax error\n")
        elif mode == "illegal":
            client.sendall(b"24/18 24/18\n")
        elif mode == "pieces":
            for letter in line + "\n":
                client.sendall(letter.encode())
        else:
            client.sendall(line.encode() + b"\n")


main()
