"""Adapter for `a2a-sdk` 1.1.2 from PyPI: `cards.py` of the folder for 1.3.0 says how cards get in and out."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "pypi-a2a-sdk-1.3.0"))
from cards import serve_cards  # noqa: E402

serve_cards()
