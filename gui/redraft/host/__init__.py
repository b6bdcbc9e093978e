"""Finds plugins, runs their commands and keeps their faults contained. No Qt."""
