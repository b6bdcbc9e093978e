"""The handlers of the window's own commands, registered by id."""
