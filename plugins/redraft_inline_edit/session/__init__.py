"""An edit in the window, from the key that opens its prompt to the last decision."""
