"""From the text of an answer to the lines it proposes: what is read, mended, checked and taken apart on the way."""
