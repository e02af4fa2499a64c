"""What `rota show` shows of schedules, as text and JSON."""
