"""The instruction while it is being written: its draft, what the palette offers, and what will be sent with it."""
