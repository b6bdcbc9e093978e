"""Predicted edits on screen: as ghost text, as a small diff, or as a pill that says where they are."""
