"""The settings pages, made from the declared table (built by room "settings"; room "window" only opens them)."""
