"""One module per subcommand: each parses nothing, computes little, prints."""
