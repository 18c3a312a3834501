"""The parts of `adapters/field-report.py`."""
