"""The settings: a window of pages, most of them made from the declared table."""
