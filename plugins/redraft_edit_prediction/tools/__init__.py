"""Tools over datasets: split, filter, cut, and make examples of commits."""
