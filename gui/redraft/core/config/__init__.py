"""Settings and secrets, per user."""
