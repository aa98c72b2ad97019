"""Who moves: anthropometrics, segments, joints, named bodies, MJCF."""
