"""What is likely: models of the poses of an activity."""
