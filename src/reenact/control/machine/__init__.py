"""Finite-state controllers with balance feedback."""
