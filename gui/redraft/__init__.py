"""Redraft: a code editor in which a model proposes and you decide."""
