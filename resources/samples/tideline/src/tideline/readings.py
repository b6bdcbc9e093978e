"""Readings of tide gauges, fetched over HTTP."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime

import requests

from tideline.units import Metres

BASE_URL = "https://example.org/flood-monitoring"


# One row of the answer is one reading; times come in UTC.
@dataclass(frozen=True, slots=True)
class Reading:
    """One observed water level, in metres above chart datum."""

    at: datetime
    level: Metres


def fetch_readings(station: str, day: date) -> list[Reading]:
    """Return every reading of one day, oldest first."""
    url = f"{BASE_URL}/stations/{station}/readings"
    response = requests.get(url, params={"date": str(day)})
    if response.status_code != 200:
        raise Exception("request failed: " + str(response.status_code))

    readings = []
    for item in response.json()["items"]:
        at = datetime.strptime(item["dateTime"], "%Y-%m-%dT%H:%M:%SZ")
        readings.append(Reading(at, item["value"]))
    return readings


def daily_range(readings: list[Reading]) -> Metres:
    """Difference between the highest and the lowest level."""
    levels = [reading.level for reading in readings]
    return Metres(max(levels) - min(levels))


def mean_level(readings: Iterable[Reading]) -> Metres:
    """The mean level of all readings."""
    levels = [reading.level for reading in readings]
    return Metres(sum(levels) / len(levels))
