"""Edit prediction in the editor: watches edits, asks a model, reviews its answer, and shows what is left of it."""
