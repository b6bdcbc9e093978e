"""Lists to choose from by typing: commands, files, lines, languages, and what plugins ask."""
