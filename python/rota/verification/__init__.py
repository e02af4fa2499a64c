"""What `rota verify` verifies: what papers prove, and schedules as they are played."""
