"""Talking to language models: messages, streams and the clients of each protocol."""
