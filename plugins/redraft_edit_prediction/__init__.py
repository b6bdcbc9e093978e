"""Predicts the next edit, judges predictions, and repairs poor ones."""
