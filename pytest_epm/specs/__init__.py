"""Lint of agent specs and skill docs: documents, rules over them, findings at their places."""
