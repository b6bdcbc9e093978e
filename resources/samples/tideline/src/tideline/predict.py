"""The water level at a moment, from harmonic constituents."""

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta, timezone

from tideline.harmonics import Constituent
from tideline.units import Hours, Metres

EPOCH = datetime(2000, 1, 1, tzinfo=timezone.utc)


def predict(
    constituents: Iterable[Constituent],
    at: datetime,
    *,
    datum: Metres = Metres(0.0),
) -> Metres:
    """Water level at one moment, in metres above chart datum."""
    hours = Hours((at - EPOCH) / timedelta(hours=1))
    tide = sum(constituent.height(hours) for constituent in constituents)
    return Metres(datum + tide)


def high_waters(
    constituents: list[Constituent], start: datetime, end: datetime
) -> Iterator[tuple[datetime, Metres]]:
    """Yield each local maximum between two moments."""
    step = timedelta(minutes=6)
    moment, before = start, predict(constituents, start - step)
    while moment < end:
        now, after = predict(constituents, moment), predict(constituents, moment + step)
        if before <= now > after:
            yield moment, now
        moment, before = moment + step, now
