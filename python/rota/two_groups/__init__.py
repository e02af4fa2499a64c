"""What the commands know of allgathers between two groups."""
