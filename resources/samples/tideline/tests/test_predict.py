from datetime import datetime, timedelta, timezone

from tideline.harmonics import M2, S2
from tideline.predict import high_waters, predict
from tideline.units import Metres

NOON = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)


def test_datum_is_added() -> None:
    assert abs(predict([M2], NOON, datum=Metres(2.0)) - predict([M2], NOON) - 2.0) < 1e-9


def test_two_high_waters_in_a_lunar_day() -> None:
    assert len(list(high_waters([M2, S2], NOON, NOON + timedelta(hours=24.8)))) == 2
