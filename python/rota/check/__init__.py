"""The differential checker: its jobs and what they find."""
