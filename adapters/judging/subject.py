"""One process that speaks the adapter protocol, asked a question at a time."""

import json
import shlex
import subprocess
import threading

#: Seconds for one answer.
PATIENCE = 60


class Failed(Exception):
    """A process did not answer as the protocol asks."""


class Subject:
    """A subject, or a reader, behind the adapter protocol. A context: the process ends with it."""

    def __init__(self, command, folder):
        """`command`: as one types it, run in `folder`."""
        self.command = command
        self._asked = 0
        try:
            self._process = subprocess.Popen(
                shlex.split(command),
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise Failed(f"{command}: {error}") from error
        hello = self.ask("hello", {"protocol": 1, "proofmark": "judge", "suites": {}})
        try:
            said = hello["ok"]["implementation"]
            self.name = f"{said['name']} {said['version']}"
        except (KeyError, TypeError):
            self.__exit__()
            raise Failed(f"{command}: no hello, but {json.dumps(hello)}") from None

    def ask(self, operation, params):
        """The reply, without its id: one of `ok`, `refused`, `unsupported`, `fault`."""
        self._asked += 1
        request = json.dumps({"id": self._asked, "op": operation, "params": params}) + "\n"
        patience = threading.Timer(PATIENCE, self._process.kill)
        patience.start()
        try:
            self._process.stdin.write(request.encode("utf-8"))
            self._process.stdin.flush()
            reply = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            raise Failed(f"{self.command}: no answer to {operation} with {request[:400]}: {error}") from error
        finally:
            patience.cancel()
        if reply.pop("id", None) != self._asked or len(reply) != 1:
            raise Failed(f"{self.command}: {operation}: no reply is {json.dumps(reply)[:400]}")
        return reply

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self._process.stdin.close()
        except OSError:
            pass  # it has ended already
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()
