"""What moved: clips, the body fitted to them, contacts and events."""
