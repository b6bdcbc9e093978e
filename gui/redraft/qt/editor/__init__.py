"""The code widget and what is drawn over it."""
