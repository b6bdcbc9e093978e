"""Is this edit good? Signals, metrics, a judge, and the second try."""
