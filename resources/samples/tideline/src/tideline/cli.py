"""Print the high waters of the next day."""

from datetime import datetime, timedelta, timezone

from tideline.harmonics import M2, S2
from tideline.predict import high_waters


def main() -> None:
    """Print one line for each high water."""
    now = datetime.now(timezone.utc)
    for moment, level in high_waters([M2, S2], now, now + timedelta(days=1)):
        print(f"{moment:%H:%M} UTC  {level:.2f} m")


if __name__ == "__main__":
    main()
