"""What was seen: video, camera, background, silhouettes."""
