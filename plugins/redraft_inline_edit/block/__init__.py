"""What the prompt block shows of an edit in each of its states."""
