"""What can go wrong."""


class StationError(Exception):
    """A station gave no usable answer."""

    def __init__(self, station: str, status: int) -> None:
        super().__init__(f"station {station} answered with status {status}")
        self.station = station
        self.status = status
