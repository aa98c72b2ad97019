"""Gaits that go on: from the strides of a recording a cyclic state machine, rehearsed until it withstands pushes."""
