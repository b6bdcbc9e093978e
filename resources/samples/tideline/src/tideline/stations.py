"""The stations we know, by their short names."""

from dataclasses import dataclass

from tideline.units import Degrees


@dataclass(frozen=True, slots=True)
class Station:
    """A tide gauge."""

    id: str
    name: str
    latitude: Degrees
    longitude: Degrees


STATIONS = {
    "harbour": Station("E70124", "Harbour mouth", Degrees(54.18), Degrees(7.89)),
    "lock": Station("E70140", "Upper lock", Degrees(54.21), Degrees(7.95)),
}
