"""A proposal on its way to a decision: in the text, in a tab of its own, and for the head of the file."""
