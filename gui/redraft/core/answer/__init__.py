"""From a model's streamed words to the code that replaces a selection."""
