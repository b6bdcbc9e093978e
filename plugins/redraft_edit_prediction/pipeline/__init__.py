"""The stages of edit prediction over datasets: read, load, show context, ask, judge, score, repair, report."""
