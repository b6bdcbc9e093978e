"""The frame around the text: header, tabs, side bar, status bar, and what the window says by itself."""
