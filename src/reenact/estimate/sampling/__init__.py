"""Sampling-based reconstruction of control [L10]: random displacements of the reference, a tree of saved states."""
