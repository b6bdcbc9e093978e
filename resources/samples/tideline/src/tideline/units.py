"""Units, as plain numbers with a name."""

from typing import NewType

Metres = NewType("Metres", float)
Degrees = NewType("Degrees", float)
Hours = NewType("Hours", float)
