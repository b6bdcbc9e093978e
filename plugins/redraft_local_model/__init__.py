"""Downloads, checks and runs a small model on this machine."""
