"""Questions that must be answered before anything else happens, and pages of their own."""
