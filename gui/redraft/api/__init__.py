"""What a plugin sees: protocols of intent and frozen values. Everything else may change without notice."""
