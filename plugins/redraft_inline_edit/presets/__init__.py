"""Named instructions such as `/doc`: what they are, the tables they are read from, and the model each asks."""
