"""Harmonic constituents: each is one wave of the tide."""

import math
from dataclasses import dataclass

from tideline.units import Degrees, Hours, Metres


@dataclass(frozen=True, slots=True)
class Constituent:
    """One harmonic term of the tide at a station."""

    name: str
    amplitude: Metres
    phase: Degrees
    speed: float  # degrees per mean solar hour

    def height(self, hours: Hours) -> Metres:
        """The term's share of the water level after some hours."""
        angle = math.radians(self.speed * hours - self.phase)
        return Metres(self.amplitude * math.cos(angle))


M2 = Constituent("M2", Metres(1.21), Degrees(338.0), 28.984104)
S2 = Constituent("S2", Metres(0.32), Degrees(12.0), 30.0)
