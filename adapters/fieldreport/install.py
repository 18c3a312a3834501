"""Installs an adapter from its lock file, inside a scratch copy of `adapters/`."""

import os
import subprocess
import sys


def install(adapter, adapters):
    """Makes one adapter ready to run. `adapters` is the scratch copy; nothing outside it is touched."""
    KINDS[adapter.install](adapters / adapter.folder)


def _npm(folder):
    _run(["npm", "ci", "--no-audit", "--no-fund"], folder)


def _python(folder):
    _run([sys.executable, "-m", "venv", ".venv"], folder)
    pip = [".venv/bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    _run([*pip, "--no-deps", "--require-hashes", "--requirement", "requirements.txt"], folder)


def _cargo(folder):
    _run(["cargo", "build", "--quiet", "--release", "--locked"], folder)


def _nothing(_folder):
    pass


KINDS = {"npm": _npm, "python": _python, "cargo": _cargo, "nothing": _nothing}


def _run(command, folder):
    # The build goes where the adapter's command looks for it, whatever the caller's settings.
    environment = {name: value for name, value in os.environ.items() if name != "CARGO_TARGET_DIR"}
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=sys.stderr)
