"""Tide readings, and a small harmonic prediction."""
