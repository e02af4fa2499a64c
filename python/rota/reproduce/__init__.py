"""What the papers print, computed again."""
