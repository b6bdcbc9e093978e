"""Open files: reading, saving and closing them, and noticing what happens to them on disk."""
