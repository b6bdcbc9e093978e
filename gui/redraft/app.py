"""The composition root: builds every part of the window and joins them. Nothing else does."""

from __future__ import annotations
