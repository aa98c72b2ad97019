"""Where it moves: ground, obstacles, loads, thrown things, pushes."""
