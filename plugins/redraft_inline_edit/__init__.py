"""Select code, say what you want, and review the answer as an inline diff."""
