"""Small parts of the window: buttons, chips, badges, rings."""
