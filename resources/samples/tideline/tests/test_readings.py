from datetime import datetime

from tideline.readings import Reading, daily_range, mean_level
from tideline.units import Metres

READINGS = [Reading(datetime(2024, 5, 1, hour), Metres(level)) for hour, level in ((0, 1.0), (6, 3.5), (12, 1.5))]


def test_daily_range_is_highest_minus_lowest() -> None:
    assert daily_range(READINGS) == 2.5


def test_mean_level_counts_every_reading() -> None:
    assert mean_level(READINGS) == 2.0
