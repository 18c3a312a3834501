"""What the judges share: `front-matter-check.py`, `card-judges.py` and `request-judges.py`."""
