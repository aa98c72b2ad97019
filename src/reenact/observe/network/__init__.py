"""A pose network as a second observer of video: where its weights come from, and what it sees. Optional."""
