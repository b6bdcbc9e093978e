"""The services of the window in the hands of one plugin: callbacks guarded, and all taken back when it goes."""
