"""Adapter for `a2a-sdk` 1.3.0 from PyPI: `cards.py` says how cards get in and out."""

from cards import serve_cards

serve_cards()
