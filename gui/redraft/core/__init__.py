"""What Redraft knows without a window: text, diffs, answers, prompts, settings and models. No Qt."""
