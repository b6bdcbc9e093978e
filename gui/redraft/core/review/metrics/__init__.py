"""Numbers that say how good an edit is, each with the source of its formula."""
