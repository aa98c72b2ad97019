"""Rotations and frames: quaternions wxyz, z up, metres and radians."""
